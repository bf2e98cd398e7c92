module @jit_momentum attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x4xf64>, %arg1: tensor<6x4xf64>, %arg2: tensor<8x6xf64>, %arg3: tensor<8x4xf64>) -> (tensor<6x4xf64> {jax.result_info = "result[0]"}, tensor<6x4xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x4xf64>) -> tensor<8x4xf64>
    %1 = stablehlo.tanh %0 : tensor<8x4xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %3 = stablehlo.subtract %2, %1 : tensor<8x4xf64>
    %4 = stablehlo.subtract %1, %arg3 : tensor<8x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %6 = stablehlo.multiply %5, %4 : tensor<8x4xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %8 = stablehlo.multiply %7, %6 : tensor<8x4xf64>
    %9 = stablehlo.multiply %8, %3 : tensor<8x4xf64>
    %10 = stablehlo.multiply %9, %1 : tensor<8x4xf64>
    %11 = stablehlo.add %9, %10 : tensor<8x4xf64>
    %12 = stablehlo.dot_general %11, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<8x6xf64>) -> tensor<4x6xf64>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %15 = stablehlo.multiply %14, %arg1 : tensor<6x4xf64>
    %16 = stablehlo.add %15, %13 : tensor<6x4xf64>
    %cst_3 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %18 = stablehlo.multiply %17, %16 : tensor<6x4xf64>
    %19 = stablehlo.subtract %arg0, %18 : tensor<6x4xf64>
    return %19, %16 : tensor<6x4xf64>, tensor<6x4xf64>
  }
}
