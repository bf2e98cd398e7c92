module @jit_sgd attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x12xf64>, %arg1: tensor<12x4xf64>, %arg2: tensor<8x6xf64>, %arg3: tensor<8x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<6x12xf64> {jax.result_info = "result[1]"}, tensor<12x4xf64> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x12xf64>) -> tensor<8x12xf64>
    %1 = call @relu(%0) : (tensor<8x12xf64>) -> tensor<8x12xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<8x12xf64>, tensor<8x12xf64>) -> tensor<8x12xi1>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    %5 = stablehlo.subtract %4, %arg3 : tensor<8x4xf64>
    %6 = stablehlo.multiply %5, %5 : tensor<8x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %8 = stablehlo.multiply %7, %5 : tensor<8x4xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %10 = stablehlo.divide %9, %cst_2 : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %11 = stablehlo.divide %cst_3, %cst_4 : tensor<f64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %13 = stablehlo.multiply %12, %8 : tensor<8x4xf64>
    %14 = stablehlo.dot_general %13, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<8x12xf64>) -> tensor<4x12xf64>
    %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x12xf64>) -> tensor<12x4xf64>
    %16 = stablehlo.dot_general %13, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<12x4xf64>) -> tensor<8x12xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %18 = stablehlo.select %3, %16, %17 : tensor<8x12xi1>, tensor<8x12xf64>
    %19 = stablehlo.dot_general %18, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<8x6xf64>) -> tensor<12x6xf64>
    %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<12x6xf64>) -> tensor<6x12xf64>
    %cst_6 = stablehlo.constant dense<1.250000e-01> : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<6x12xf64>
    %22 = stablehlo.multiply %21, %20 : tensor<6x12xf64>
    %23 = stablehlo.subtract %arg0, %22 : tensor<6x12xf64>
    %cst_7 = stablehlo.constant dense<1.250000e-01> : tensor<f64>
    %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<12x4xf64>
    %25 = stablehlo.multiply %24, %15 : tensor<12x4xf64>
    %26 = stablehlo.subtract %arg1, %25 : tensor<12x4xf64>
    return %10, %23, %26 : tensor<f64>, tensor<6x12xf64>, tensor<12x4xf64>
  }
  func.func private @relu(%arg0: tensor<8x12xf64>) -> tensor<8x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x12xf64>
    return %1 : tensor<8x12xf64>
  }
}
