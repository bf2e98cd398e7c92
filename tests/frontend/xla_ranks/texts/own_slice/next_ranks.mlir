module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<6x8xf64>) -> (tensor<4x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%arg2: tensor<4x6xf64>, %arg3: tensor<6x8xf64>) {
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_0 = stablehlo.constant dense<4> : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = stablehlo.divide %1, %c : tensor<ui32>
      %3 = stablehlo.remainder %2, %c_0 : tensor<ui32>
      %4 = stablehlo.convert %3 : (tensor<ui32>) -> tensor<i32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %4, %c_1 : tensor<i32>
      %c_2 = stablehlo.constant dense<4> : tensor<i64>
      %6 = func.call @remainder(%5, %c_2) : (tensor<i32>, tensor<i64>) -> tensor<i32>
      %c_3 = stablehlo.constant dense<2> : tensor<i32>
      %7 = stablehlo.multiply %6, %c_3 : tensor<i32>
      %c_4 = stablehlo.constant dense<0> : tensor<i32>
      %8 = stablehlo.compare LT, %7, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_5 = stablehlo.constant dense<8> : tensor<i32>
      %9 = stablehlo.add %7, %c_5 : tensor<i32>
      %10 = stablehlo.select %8, %9, %7 : tensor<i1>, tensor<i32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %11 = stablehlo.dynamic_slice %arg3, %c_6, %10, sizes = [6, 2] : (tensor<6x8xf64>, tensor<i32>, tensor<i32>) -> tensor<6x2xf64>
      %12 = stablehlo.dot_general %arg2, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x2xf64>) -> tensor<4x2xf64>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x2xf64>
      %14 = stablehlo.multiply %12, %13 : tensor<4x2xf64>
      sdy.return %14 : tensor<4x2xf64>
    } : (tensor<4x6xf64>, tensor<6x8xf64>) -> tensor<4x8xf64>
    return %0 : tensor<4x8xf64>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i64>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
