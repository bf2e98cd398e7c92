module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12x4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>] manual_axes={"data", "model"} (%arg3: tensor<4x6xf64>, %arg4: tensor<6x6xf64>, %arg5: tensor<6x4xf64>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x6xf64>) -> tensor<4x6xf64>
      %2 = func.call @relu(%1) : (tensor<4x6xf64>) -> tensor<4x6xf64>
      %3 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x4xf64>) -> tensor<4x4xf64>
      sdy.return %3 : tensor<4x4xf64>
    } : (tensor<8x6xf64>, tensor<6x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    return %0 : tensor<8x4xf64>
  }
  func.func private @relu(%arg0: tensor<4x6xf64>) -> tensor<4x6xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x6xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x6xf64>
    return %1 : tensor<4x6xf64>
  }
}
