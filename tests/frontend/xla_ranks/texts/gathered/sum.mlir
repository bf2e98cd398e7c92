module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x8xf64>) -> (tensor<8x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg2: tensor<8x4xf64>, %arg3: tensor<4x2xf64>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<4x2xf64>) -> tensor<8x2xf64>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %5 = stablehlo.add %arg4, %arg5 : tensor<f64>
        stablehlo.return %5 : tensor<f64>
      }) : (tensor<8x2xf64>) -> tensor<8x2xf64>
      %3 = stablehlo.concatenate %2, %2, %2, %2, dim = 1 : (tensor<8x2xf64>, tensor<8x2xf64>, tensor<8x2xf64>, tensor<8x2xf64>) -> tensor<8x8xf64>
      %4 = stablehlo.exponential %3 : tensor<8x8xf64>
      sdy.return %4 : tensor<8x8xf64>
    } : (tensor<8x4xf64>, tensor<4x8xf64>) -> tensor<8x8xf64>
    return %0 : tensor<8x8xf64>
  }
}
