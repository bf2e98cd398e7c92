module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x8xf64>) -> (tensor<8x4xf64> {jax.result_info = "result[0]"}, tensor<4x8xf64> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>] manual_axes={"x"} (%arg2: tensor<2x4xf64>, %arg3: tensor<4x2xf64>) {
      %1 = stablehlo.multiply %arg2, %arg2 : tensor<2x4xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<f64>
      %3 = stablehlo.multiply %arg3, %arg3 : tensor<4x2xf64>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf64>, tensor<f64>) -> tensor<f64>
      %5 = stablehlo.add %2, %4 : tensor<f64>
      %6 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %14 = stablehlo.add %arg4, %arg5 : tensor<f64>
        stablehlo.return %14 : tensor<f64>
      }) : (tensor<f64>) -> tensor<f64>
      %7 = stablehlo.sqrt %6 : tensor<f64>
      %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %8 = stablehlo.divide %cst_1, %7 : tensor<f64>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %9 = stablehlo.minimum %cst_2, %8 : tensor<f64>
      %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %11 = stablehlo.multiply %arg2, %10 : tensor<2x4xf64>
      %12 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<4x2xf64>
      %13 = stablehlo.multiply %arg3, %12 : tensor<4x2xf64>
      sdy.return %11, %13 : tensor<2x4xf64>, tensor<4x2xf64>
    } : (tensor<8x4xf64>, tensor<4x8xf64>) -> (tensor<8x4xf64>, tensor<4x8xf64>)
    return %0#0, %0#1 : tensor<8x4xf64>, tensor<4x8xf64>
  }
}
