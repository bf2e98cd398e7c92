module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x8xf64>, %arg2: tensor<8x8xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, []>] manual_axes={"x"} (%arg3: tensor<8x6xf64>, %arg4: tensor<6x2xf64>, %arg5: tensor<8x2xf64>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x2xf64>) -> tensor<8x2xf64>
      %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x2xf64>, tensor<f64>) -> tensor<8xf64>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xf64>) -> tensor<8x1xf64>
      %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xf64>) -> tensor<8x2xf64>
      %5 = stablehlo.subtract %1, %4 : tensor<8x2xf64>
      %6 = stablehlo.exponential %5 : tensor<8x2xf64>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x2xf64>, tensor<f64>) -> tensor<8xf64>
      %8 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %16 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %16 : tensor<f64>
      }) : (tensor<8xf64>) -> tensor<8xf64>
      %9 = stablehlo.log %8 : tensor<8xf64>
      %10 = stablehlo.multiply %5, %arg5 : tensor<8x2xf64>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x2xf64>, tensor<f64>) -> tensor<8xf64>
      %12 = "stablehlo.all_reduce"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %16 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %16 : tensor<f64>
      }) : (tensor<8xf64>) -> tensor<8xf64>
      %13 = stablehlo.subtract %9, %12 : tensor<8xf64>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<f64>
      %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
      %15 = stablehlo.divide %14, %cst_3 : tensor<f64>
      sdy.return %15 : tensor<f64>
    } : (tensor<8x6xf64>, tensor<6x8xf64>, tensor<8x8xf64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
}
