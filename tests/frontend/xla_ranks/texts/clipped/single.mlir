module @jit_clipped attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf64>, %arg1: tensor<4x8xf64>) -> (tensor<8x4xf64> {jax.result_info = "result[0]"}, tensor<4x8xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x4xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf64>, tensor<f64>) -> tensor<f64>
    %2 = stablehlo.multiply %arg1, %arg1 : tensor<4x8xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf64>, tensor<f64>) -> tensor<f64>
    %4 = stablehlo.add %1, %3 : tensor<f64>
    %5 = stablehlo.sqrt %4 : tensor<f64>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %6 = stablehlo.divide %cst_1, %5 : tensor<f64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %7 = stablehlo.minimum %cst_2, %6 : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %9 = stablehlo.multiply %arg0, %8 : tensor<8x4xf64>
    %10 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %11 = stablehlo.multiply %arg1, %10 : tensor<4x8xf64>
    return %9, %11 : tensor<8x4xf64>, tensor<4x8xf64>
  }
}
