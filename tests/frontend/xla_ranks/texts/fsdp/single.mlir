module @jit_gradients attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x12xf64>, %arg1: tensor<12x4xf64>, %arg2: tensor<8x8xf64>, %arg3: tensor<8x4xf64>) -> (tensor<8x12xf64> {jax.result_info = "result[0]"}, tensor<12x4xf64> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8xf64>, tensor<8x12xf64>) -> tensor<8x12xf64>
    %1 = call @relu(%0) : (tensor<8x12xf64>) -> tensor<8x12xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %3 = stablehlo.compare GT, %0, %2, FLOAT : (tensor<8x12xf64>, tensor<8x12xf64>) -> tensor<8x12xi1>
    %4 = stablehlo.dot_general %1, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    %5 = stablehlo.subtract %4, %arg3 : tensor<8x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %7 = stablehlo.multiply %6, %5 : tensor<8x4xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %8 = stablehlo.divide %cst_1, %cst_2 : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f64>) -> tensor<8x4xf64>
    %10 = stablehlo.multiply %9, %7 : tensor<8x4xf64>
    %11 = stablehlo.dot_general %10, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<8x12xf64>) -> tensor<4x12xf64>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<4x12xf64>) -> tensor<12x4xf64>
    %13 = stablehlo.dot_general %10, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4xf64>, tensor<12x4xf64>) -> tensor<8x12xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %15 = stablehlo.select %3, %13, %14 : tensor<8x12xi1>, tensor<8x12xf64>
    %16 = stablehlo.dot_general %15, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x12xf64>, tensor<8x8xf64>) -> tensor<12x8xf64>
    %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<12x8xf64>) -> tensor<8x12xf64>
    return %17, %12 : tensor<8x12xf64>, tensor<12x4xf64>
  }
  func.func private @relu(%arg0: tensor<8x12xf64>) -> tensor<8x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x12xf64>
    return %1 : tensor<8x12xf64>
  }
}
