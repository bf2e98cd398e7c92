module @jit_layer_norm attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf64>, %arg1: tensor<8xf64>, %arg2: tensor<8xf64>) -> (tensor<4x8xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf64>, tensor<f64>) -> tensor<4xf64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
    %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
    %3 = stablehlo.divide %1, %2 : tensor<4x1xf64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x8xf64>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x8xf64>
    %6 = stablehlo.multiply %5, %5 : tensor<4x8xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf64>, tensor<f64>) -> tensor<4xf64>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
    %cst_2 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
    %10 = stablehlo.divide %8, %9 : tensor<4x1xf64>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
    %12 = stablehlo.add %10, %11 : tensor<4x1xf64>
    %13 = stablehlo.rsqrt %12 : tensor<4x1xf64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x8xf64>
    %15 = stablehlo.multiply %5, %14 : tensor<4x8xf64>
    %16 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf64>) -> tensor<1x8xf64>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x8xf64>) -> tensor<4x8xf64>
    %18 = stablehlo.multiply %15, %17 : tensor<4x8xf64>
    %19 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<8xf64>) -> tensor<1x8xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1] : (tensor<1x8xf64>) -> tensor<4x8xf64>
    %21 = stablehlo.add %18, %20 : tensor<4x8xf64>
    return %21 : tensor<4x8xf64>
  }
}
