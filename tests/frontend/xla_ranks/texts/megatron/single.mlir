module @jit_megatron attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<6x8xf64>, %arg2: tensor<8x4xf64>, %arg3: tensor<4x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<4x6xf64> {jax.result_info = "result[1][0]"}, tensor<6x8xf64> {jax.result_info = "result[1][1]"}, tensor<8x4xf64> {jax.result_info = "result[1][2]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x8xf64>) -> tensor<4x8xf64>
    %1 = stablehlo.tanh %0 : tensor<4x8xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x8xf64>
    %3 = stablehlo.subtract %2, %1 : tensor<4x8xf64>
    %4 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf64>, tensor<8x4xf64>) -> tensor<4x4xf64>
    %5 = stablehlo.subtract %4, %arg3 : tensor<4x4xf64>
    %6 = stablehlo.multiply %5, %5 : tensor<4x4xf64>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %8 = stablehlo.multiply %7, %5 : tensor<4x4xf64>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %9 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf64>, tensor<f64>) -> tensor<f64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
    %11 = stablehlo.multiply %10, %8 : tensor<4x4xf64>
    %12 = stablehlo.dot_general %11, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x8xf64>) -> tensor<4x8xf64>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x8xf64>) -> tensor<8x4xf64>
    %14 = stablehlo.dot_general %11, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<8x4xf64>) -> tensor<4x8xf64>
    %15 = stablehlo.multiply %14, %3 : tensor<4x8xf64>
    %16 = stablehlo.multiply %15, %1 : tensor<4x8xf64>
    %17 = stablehlo.add %15, %16 : tensor<4x8xf64>
    %18 = stablehlo.dot_general %17, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf64>, tensor<4x6xf64>) -> tensor<8x6xf64>
    %19 = stablehlo.transpose %18, dims = [1, 0] : (tensor<8x6xf64>) -> tensor<6x8xf64>
    %20 = stablehlo.dot_general %17, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf64>, tensor<6x8xf64>) -> tensor<4x6xf64>
    return %9, %20, %19, %13 : tensor<f64>, tensor<4x6xf64>, tensor<6x8xf64>, tensor<8x4xf64>
  }
}
