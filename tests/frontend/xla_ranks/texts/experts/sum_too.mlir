module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x8x4xf64>, %arg1: tensor<4x4x6xf64>) -> (tensor<4x8x4xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {"x"}, {}]>, <@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{}, {"x"}, {}]>] manual_axes={"x"} (%arg2: tensor<4x2x4xf64>, %arg3: tensor<1x4x6xf64>) {
      %1 = "stablehlo.all_to_all"(%arg2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x2x4xf64>) -> tensor<1x8x4xf64>
      %2 = stablehlo.dot_general %1, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x4xf64>, tensor<1x4x6xf64>) -> tensor<1x8x6xf64>
      %3 = func.call @relu(%2) : (tensor<1x8x6xf64>) -> tensor<1x8x6xf64>
      %4 = stablehlo.transpose %arg3, dims = [0, 2, 1] : (tensor<1x4x6xf64>) -> tensor<1x6x4xf64>
      %5 = stablehlo.dot_general %3, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x6xf64>, tensor<1x6x4xf64>) -> tensor<1x8x4xf64>
      %6 = "stablehlo.all_to_all"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<1x8x4xf64>) -> tensor<4x2x4xf64>
      %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f64>, %arg5: tensor<f64>):
        %8 = stablehlo.add %arg4, %arg5 : tensor<f64>
        stablehlo.return %8 : tensor<f64>
      }) : (tensor<4x2x4xf64>) -> tensor<4x2x4xf64>
      sdy.return %7 : tensor<4x2x4xf64>
    } : (tensor<4x8x4xf64>, tensor<4x4x6xf64>) -> tensor<4x8x4xf64>
    return %0 : tensor<4x8x4xf64>
  }
  func.func private @relu(%arg0: tensor<1x8x6xf64>) -> tensor<1x8x6xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x8x6xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x6xf64>
    return %1 : tensor<1x8x6xf64>
  }
}
