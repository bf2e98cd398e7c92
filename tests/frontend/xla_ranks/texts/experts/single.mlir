module @jit_experts attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8x4xf64>, %arg1: tensor<4x4x6xf64>) -> (tensor<4x8x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4xf64>, tensor<4x4x6xf64>) -> tensor<4x8x6xf64>
    %1 = call @relu(%0) : (tensor<4x8x6xf64>) -> tensor<4x8x6xf64>
    %2 = stablehlo.transpose %arg1, dims = [0, 2, 1] : (tensor<4x4x6xf64>) -> tensor<4x6x4xf64>
    %3 = stablehlo.dot_general %1, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x6xf64>, tensor<4x6x4xf64>) -> tensor<4x8x4xf64>
    return %3 : tensor<4x8x4xf64>
  }
  func.func private @relu(%arg0: tensor<4x8x6xf64>) -> tensor<4x8x6xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8x6xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x8x6xf64>
    return %1 : tensor<4x8x6xf64>
  }
}
