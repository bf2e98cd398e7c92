module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x6xf64>) -> (tensor<6xf64> {jax.result_info = "result[0]"}, tensor<4xf64> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}]>, <@mesh, [{}]>] manual_axes={"x"} (%arg2: tensor<2x4xf64>, %arg3: tensor<4x6xf64>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<4x6xf64>) -> tensor<2x6xf64>
      %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<2x6xf64>, tensor<f64>) -> tensor<6xf64>
      %cst_0 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
      %3 = stablehlo.reduce(%arg2 init: %cst_0) applies stablehlo.minimum across dimensions = [0] : (tensor<2x4xf64>, tensor<f64>) -> tensor<4xf64>
      %4 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %6 = stablehlo.maximum %arg4, %arg5 : tensor<f64>
        stablehlo.return %6 : tensor<f64>
      }) : (tensor<6xf64>) -> tensor<6xf64>
      %5 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %6 = stablehlo.minimum %arg4, %arg5 : tensor<f64>
        stablehlo.return %6 : tensor<f64>
      }) : (tensor<4xf64>) -> tensor<4xf64>
      sdy.return %4, %5 : tensor<6xf64>, tensor<4xf64>
    } : (tensor<8x4xf64>, tensor<4x6xf64>) -> (tensor<6xf64>, tensor<4xf64>)
    return %0#0, %0#1 : tensor<6xf64>, tensor<4xf64>
  }
}
