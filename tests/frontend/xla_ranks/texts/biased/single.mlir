module @jit_biased attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12xf64>, %arg3: tensor<12x4xf64>, %arg4: tensor<4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x12xf64>) -> tensor<8x12xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<12xf64>) -> tensor<1x12xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x12xf64>) -> tensor<8x12xf64>
    %3 = stablehlo.add %0, %2 : tensor<8x12xf64>
    %4 = stablehlo.tanh %3 : tensor<8x12xf64>
    %5 = stablehlo.dot_general %4, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    %6 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<8x4xf64>
    %8 = stablehlo.add %5, %7 : tensor<8x4xf64>
    return %8 : tensor<8x4xf64>
  }
}
