module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x8xf64>) -> (tensor<8x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg2: tensor<8x4xf64>, %arg3: tensor<4x2xf64>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<4x2xf64>) -> tensor<8x2xf64>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<8x2xf64>) -> tensor<1x8x2xf64>
      %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x8x2xf64>) -> tensor<4x8x2xf64>
      %4 = stablehlo.slice %3 [3:4, 0:8, 0:2] : (tensor<4x8x2xf64>) -> tensor<1x8x2xf64>
      %5 = stablehlo.reshape %4 : (tensor<1x8x2xf64>) -> tensor<8x2xf64>
      %6 = stablehlo.slice %3 [1:2, 0:8, 0:2] : (tensor<4x8x2xf64>) -> tensor<1x8x2xf64>
      %7 = stablehlo.reshape %6 : (tensor<1x8x2xf64>) -> tensor<8x2xf64>
      %8 = stablehlo.slice %3 [2:3, 0:8, 0:2] : (tensor<4x8x2xf64>) -> tensor<1x8x2xf64>
      %9 = stablehlo.reshape %8 : (tensor<1x8x2xf64>) -> tensor<8x2xf64>
      %10 = stablehlo.slice %3 [0:1, 0:8, 0:2] : (tensor<4x8x2xf64>) -> tensor<1x8x2xf64>
      %11 = stablehlo.reshape %10 : (tensor<1x8x2xf64>) -> tensor<8x2xf64>
      %12 = stablehlo.concatenate %5, %7, %9, %11, dim = 1 : (tensor<8x2xf64>, tensor<8x2xf64>, tensor<8x2xf64>, tensor<8x2xf64>) -> tensor<8x8xf64>
      %13 = stablehlo.exponential %12 : tensor<8x8xf64>
      sdy.return %13 : tensor<8x8xf64>
    } : (tensor<8x4xf64>, tensor<4x8xf64>) -> tensor<8x8xf64>
    return %0 : tensor<8x8xf64>
  }
}
