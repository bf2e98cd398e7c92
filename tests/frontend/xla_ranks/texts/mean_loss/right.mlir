module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x6xf64>, %arg2: tensor<8x6xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, []>] manual_axes={"x"} (%arg3: tensor<2x4xf64>, %arg4: tensor<4x6xf64>, %arg5: tensor<2x6xf64>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<4x6xf64>) -> tensor<2x6xf64>
      %2 = stablehlo.subtract %1, %arg5 : tensor<2x6xf64>
      %3 = stablehlo.multiply %2, %2 : tensor<2x6xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x6xf64>, tensor<f64>) -> tensor<f64>
      %cst_0 = stablehlo.constant dense<1.200000e+01> : tensor<f64>
      %5 = stablehlo.divide %4, %cst_0 : tensor<f64>
      %6 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %8 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %8 : tensor<f64>
      }) : (tensor<f64>) -> tensor<f64>
      %cst_1 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %7 = stablehlo.divide %6, %cst_1 : tensor<f64>
      sdy.return %7 : tensor<f64>
    } : (tensor<8x4xf64>, tensor<4x6xf64>, tensor<8x6xf64>) -> tensor<f64>
    return %0 : tensor<f64>
  }
}
