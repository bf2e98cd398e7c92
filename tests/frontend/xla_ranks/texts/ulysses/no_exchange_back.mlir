module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4x2xf64>, %arg1: tensor<8x4x2xf64>, %arg2: tensor<8x4x2xf64>) -> (tensor<32x1x2xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>, <@mesh, [{"x"}, {}, {}]>] out_shardings=[<@mesh, [{"x"}, {}, {}]>] manual_axes={"x"} (%arg3: tensor<2x4x2xf64>, %arg4: tensor<2x4x2xf64>, %arg5: tensor<2x4x2xf64>) {
      %1 = "stablehlo.all_to_all"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x2xf64>) -> tensor<8x1x2xf64>
      %2 = "stablehlo.all_to_all"(%arg4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x2xf64>) -> tensor<8x1x2xf64>
      %3 = "stablehlo.all_to_all"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x2xf64>) -> tensor<8x1x2xf64>
      %4 = stablehlo.dot_general %1, %2, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x2xf64>, tensor<8x1x2xf64>) -> tensor<1x8x8xf64>
      %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<1x8x8xf64>, tensor<f64>) -> tensor<1x8xf64>
      %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x8xf64>
      %7 = stablehlo.maximum %6, %5 : tensor<1x8xf64>
      %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x8xf64>) -> tensor<1x8x1xf64>
      %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x8x1xf64>) -> tensor<1x8x8xf64>
      %10 = stablehlo.subtract %4, %9 : tensor<1x8x8xf64>
      %11 = stablehlo.exponential %10 : tensor<1x8x8xf64>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x8x8xf64>, tensor<f64>) -> tensor<1x8xf64>
      %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x8xf64>) -> tensor<1x8x1xf64>
      %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x8x1xf64>) -> tensor<1x8x8xf64>
      %15 = stablehlo.divide %11, %14 : tensor<1x8x8xf64>
      %16 = stablehlo.dot_general %3, %15, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x1x2xf64>, tensor<1x8x8xf64>) -> tensor<1x2x8xf64>
      %17 = stablehlo.transpose %16, dims = [2, 0, 1] : (tensor<1x2x8xf64>) -> tensor<8x1x2xf64>
      sdy.return %17 : tensor<8x1x2xf64>
    } : (tensor<8x4x2xf64>, tensor<8x4x2xf64>, tensor<8x4x2xf64>) -> tensor<32x1x2xf64>
    return %0 : tensor<32x1x2xf64>
  }
}
