module @jit_transposed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf64>, %arg1: tensor<8x4xf64>) -> (tensor<4x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf64>, tensor<8x4xf64>) -> tensor<4x4xf64>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
    return %1 : tensor<4x4xf64>
  }
}
