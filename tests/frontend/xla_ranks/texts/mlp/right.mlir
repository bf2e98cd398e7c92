module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12x4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg3: tensor<8x6xf64>, %arg4: tensor<6x3xf64>, %arg5: tensor<3x4xf64>) {
      %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x3xf64>) -> tensor<8x3xf64>
      %2 = func.call @relu(%1) : (tensor<8x3xf64>) -> tensor<8x3xf64>
      %3 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf64>, tensor<3x4xf64>) -> tensor<8x4xf64>
      %4 = "stablehlo.all_reduce"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %5 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %5 : tensor<f64>
      }) : (tensor<8x4xf64>) -> tensor<8x4xf64>
      sdy.return %4 : tensor<8x4xf64>
    } : (tensor<8x6xf64>, tensor<6x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    return %0 : tensor<8x4xf64>
  }
  func.func private @relu(%arg0: tensor<8x3xf64>) -> tensor<8x3xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x3xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x3xf64>
    return %1 : tensor<8x3xf64>
  }
}
