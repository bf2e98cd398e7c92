module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<6x8xf64>) -> (tensor<4x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%arg2: tensor<4x6xf64>, %arg3: tensor<6x8xf64>) {
      %c = stablehlo.constant dense<0> : tensor<i64>
      %c_0 = stablehlo.constant dense<0> : tensor<i64>
      %1 = stablehlo.dynamic_slice %arg3, %c, %c_0, sizes = [6, 2] : (tensor<6x8xf64>, tensor<i64>, tensor<i64>) -> tensor<6x2xf64>
      %2 = stablehlo.dot_general %arg2, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x2xf64>) -> tensor<4x2xf64>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x2xf64>
      %4 = stablehlo.multiply %2, %3 : tensor<4x2xf64>
      sdy.return %4 : tensor<4x2xf64>
    } : (tensor<4x6xf64>, tensor<6x8xf64>) -> tensor<4x8xf64>
    return %0 : tensor<4x8xf64>
  }
}
