module @jit_heads attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x6xf64>, %arg1: tensor<6x4x2xf64>, %arg2: tensor<6x4x2xf64>, %arg3: tensor<6x4x2xf64>, %arg4: tensor<4x2x6xf64>) -> (tensor<2x4x6xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x4x2xf64>, tensor<2x4x6xf64>) -> tensor<4x2x2x4xf64>
    %1 = stablehlo.transpose %0, dims = [2, 0, 3, 1] : (tensor<4x2x2x4xf64>) -> tensor<2x4x4x2xf64>
    %2 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x4x2xf64>, tensor<2x4x6xf64>) -> tensor<4x2x2x4xf64>
    %3 = stablehlo.transpose %2, dims = [2, 0, 3, 1] : (tensor<4x2x2x4xf64>) -> tensor<2x4x4x2xf64>
    %4 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x4x2xf64>, tensor<2x4x6xf64>) -> tensor<4x2x2x4xf64>
    %5 = stablehlo.transpose %4, dims = [2, 0, 3, 1] : (tensor<4x2x2x4xf64>) -> tensor<2x4x4x2xf64>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x2xf64>, tensor<2x4x4x2xf64>) -> tensor<2x4x4x4xf64>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4x4xf64>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x4x4xf64>
    %9 = stablehlo.iota dim = 0 : tensor<4xi64>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xi64>) -> tensor<4x1xi64>
    %11 = stablehlo.iota dim = 0 : tensor<4xi64>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<4xi64>) -> tensor<1x4xi64>
    %13 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<4x1xi64>) -> tensor<4x4xi64>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x4xi64>) -> tensor<4x4xi64>
    %15 = stablehlo.compare GE, %13, %14, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f64>
    %16 = call @_where(%15, %8, %cst_0) : (tensor<4x4xi1>, tensor<2x4x4x4xf64>, tensor<f64>) -> tensor<2x4x4x4xf64>
    %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<2x4x4x4xf64>, tensor<f64>) -> tensor<2x4x4xf64>
    %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
    %19 = stablehlo.maximum %18, %17 : tensor<2x4x4xf64>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<2x4x4xf64>) -> tensor<2x4x4x1xf64>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf64>) -> tensor<2x4x4x4xf64>
    %22 = stablehlo.subtract %16, %21 : tensor<2x4x4x4xf64>
    %23 = stablehlo.exponential %22 : tensor<2x4x4x4xf64>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %24 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<2x4x4x4xf64>, tensor<f64>) -> tensor<2x4x4xf64>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<2x4x4xf64>) -> tensor<2x4x4x1xf64>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2, 3] : (tensor<2x4x4x1xf64>) -> tensor<2x4x4x4xf64>
    %27 = stablehlo.divide %23, %26 : tensor<2x4x4x4xf64>
    %28 = stablehlo.dot_general %5, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4x2xf64>, tensor<2x4x4x4xf64>) -> tensor<2x4x2x4xf64>
    %29 = stablehlo.dot_general %28, %arg4, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x2x4xf64>, tensor<4x2x6xf64>) -> tensor<2x4x6xf64>
    return %29 : tensor<2x4x6xf64>
  }
  func.func private @_where(%arg0: tensor<4x4xi1>, %arg1: tensor<2x4x4x4xf64>, %arg2: tensor<f64>) -> tensor<2x4x4x4xf64> {
    %0 = stablehlo.convert %arg2 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<2x4x4x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<2x4x4x4xf64>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<2x4x4x4xi1>, tensor<2x4x4x4xf64>
    return %3 : tensor<2x4x4x4xf64>
  }
}
