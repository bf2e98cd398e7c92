module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf64>) -> (tensor<2x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg1: tensor<2x8xf64>) {
      %cst = stablehlo.constant dense<1.500000e+00> : tensor<f64>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x8xf64>
      %2 = stablehlo.multiply %arg1, %1 : tensor<2x8xf64>
      sdy.return %2 : tensor<2x8xf64>
    } : (tensor<8x8xf64>) -> tensor<2x8xf64>
    return %0 : tensor<2x8xf64>
  }
}
