module @jit_plain_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4x2xf64>, %arg1: tensor<8x4x2xf64>, %arg2: tensor<8x4x2xf64>) -> (tensor<8x4x2xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x2xf64>, tensor<8x4x2xf64>) -> tensor<4x8x8xf64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x8xf64>, tensor<f64>) -> tensor<4x8xf64>
    %cst_0 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %3 = stablehlo.maximum %2, %1 : tensor<4x8xf64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x8xf64>) -> tensor<4x8x1xf64>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x8x1xf64>) -> tensor<4x8x8xf64>
    %6 = stablehlo.subtract %0, %5 : tensor<4x8x8xf64>
    %7 = stablehlo.exponential %6 : tensor<4x8x8xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x8xf64>, tensor<f64>) -> tensor<4x8xf64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x8xf64>) -> tensor<4x8x1xf64>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<4x8x1xf64>) -> tensor<4x8x8xf64>
    %11 = stablehlo.divide %7, %10 : tensor<4x8x8xf64>
    %12 = stablehlo.dot_general %arg2, %11, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x2xf64>, tensor<4x8x8xf64>) -> tensor<4x2x8xf64>
    %13 = stablehlo.transpose %12, dims = [2, 0, 1] : (tensor<4x2x8xf64>) -> tensor<8x4x2xf64>
    return %13 : tensor<8x4x2xf64>
  }
}
