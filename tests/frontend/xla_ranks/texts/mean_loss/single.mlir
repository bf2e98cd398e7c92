module @jit_mean_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x6xf64>, %arg2: tensor<8x6xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<4x6xf64>) -> tensor<8x6xf64>
    %1 = stablehlo.subtract %0, %arg2 : tensor<8x6xf64>
    %2 = stablehlo.multiply %1, %1 : tensor<8x6xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6xf64>, tensor<f64>) -> tensor<f64>
    %cst_0 = stablehlo.constant dense<4.800000e+01> : tensor<f64>
    %4 = stablehlo.divide %3, %cst_0 : tensor<f64>
    return %4 : tensor<f64>
  }
}
