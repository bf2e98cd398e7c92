module @jit_mlp attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12x4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x12xf64>) -> tensor<8x12xf64>
    %1 = call @relu(%0) : (tensor<8x12xf64>) -> tensor<8x12xf64>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    return %2 : tensor<8x4xf64>
  }
  func.func private @relu(%arg0: tensor<8x12xf64>) -> tensor<8x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x12xf64>
    return %1 : tensor<8x12xf64>
  }
}
