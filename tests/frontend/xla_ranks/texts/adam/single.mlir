module @jit_adam attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x4xf64>, %arg1: tensor<6x4xf64>, %arg2: tensor<6x4xf64>, %arg3: tensor<8x6xf64>, %arg4: tensor<8x4xf64>) -> (tensor<6x4xf64> {jax.result_info = "result[0]"}, tensor<6x4xf64> {jax.result_info = "result[1]"}, tensor<6x4xf64> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x4xf64>) -> tensor<8x4xf64>
    %1 = stablehlo.subtract %0, %arg4 : tensor<8x4xf64>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %3 = stablehlo.multiply %2, %1 : tensor<8x4xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %5 = stablehlo.multiply %4, %3 : tensor<8x4xf64>
    %6 = stablehlo.dot_general %5, %arg3, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<8x6xf64>) -> tensor<4x6xf64>
    %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %9 = stablehlo.multiply %8, %arg1 : tensor<6x4xf64>
    %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %11 = stablehlo.multiply %10, %7 : tensor<6x4xf64>
    %12 = stablehlo.add %9, %11 : tensor<6x4xf64>
    %cst_3 = stablehlo.constant dense<7.500000e-01> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %14 = stablehlo.multiply %13, %arg2 : tensor<6x4xf64>
    %cst_4 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %16 = stablehlo.multiply %15, %7 : tensor<6x4xf64>
    %17 = stablehlo.multiply %16, %7 : tensor<6x4xf64>
    %18 = stablehlo.add %14, %17 : tensor<6x4xf64>
    %cst_5 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %20 = stablehlo.multiply %19, %12 : tensor<6x4xf64>
    %21 = stablehlo.sqrt %18 : tensor<6x4xf64>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
    %23 = stablehlo.add %21, %22 : tensor<6x4xf64>
    %24 = stablehlo.divide %20, %23 : tensor<6x4xf64>
    %25 = stablehlo.subtract %arg0, %24 : tensor<6x4xf64>
    return %25, %12, %18 : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
  }
}
