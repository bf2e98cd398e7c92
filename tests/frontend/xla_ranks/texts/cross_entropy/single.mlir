module @jit_cross_entropy attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x8xf64>, %arg2: tensor<8x8xf64>) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x8xf64>) -> tensor<8x8xf64>
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x8xf64>, tensor<f64>) -> tensor<8xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<8xf64>) -> tensor<8x1xf64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x1xf64>) -> tensor<8x8xf64>
    %4 = stablehlo.subtract %0, %3 : tensor<8x8xf64>
    %5 = stablehlo.exponential %4 : tensor<8x8xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf64>, tensor<f64>) -> tensor<8xf64>
    %7 = stablehlo.log %6 : tensor<8xf64>
    %8 = stablehlo.multiply %4, %arg2 : tensor<8x8xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x8xf64>, tensor<f64>) -> tensor<8xf64>
    %10 = stablehlo.subtract %7, %9 : tensor<8xf64>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<f64>
    %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %12 = stablehlo.divide %11, %cst_3 : tensor<f64>
    return %12 : tensor<f64>
  }
}
