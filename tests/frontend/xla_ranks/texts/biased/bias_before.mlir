module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12xf64>, %arg3: tensor<12x4xf64>, %arg4: tensor<4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg5: tensor<8x6xf64>, %arg6: tensor<6x3xf64>, %arg7: tensor<3xf64>, %arg8: tensor<3x4xf64>, %arg9: tensor<4xf64>) {
      %1 = stablehlo.dot_general %arg5, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x3xf64>) -> tensor<8x3xf64>
      %2 = stablehlo.broadcast_in_dim %arg7, dims = [1] : (tensor<3xf64>) -> tensor<1x3xf64>
      %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x3xf64>) -> tensor<8x3xf64>
      %4 = stablehlo.add %1, %3 : tensor<8x3xf64>
      %5 = stablehlo.tanh %4 : tensor<8x3xf64>
      %6 = stablehlo.dot_general %5, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf64>, tensor<3x4xf64>) -> tensor<8x4xf64>
      %7 = stablehlo.broadcast_in_dim %arg9, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<8x4xf64>
      %9 = stablehlo.add %6, %8 : tensor<8x4xf64>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f64>, %arg11: tensor<f64>):
        %11 = stablehlo.add %arg10, %arg11 : tensor<f64>
        stablehlo.return %11 : tensor<f64>
      }) : (tensor<8x4xf64>) -> tensor<8x4xf64>
      sdy.return %10 : tensor<8x4xf64>
    } : (tensor<8x6xf64>, tensor<6x12xf64>, tensor<12xf64>, tensor<12x4xf64>, tensor<4xf64>) -> tensor<8x4xf64>
    return %0 : tensor<8x4xf64>
  }
}
