module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x4xf64>, %arg1: tensor<6x4xf64>, %arg2: tensor<8x6xf64>, %arg3: tensor<8x4xf64>) -> (tensor<6x4xf64> {jax.result_info = "result[0]"}, tensor<6x4xf64> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x"} (%arg4: tensor<6x4xf64>, %arg5: tensor<6x4xf64>, %arg6: tensor<2x6xf64>, %arg7: tensor<2x4xf64>) {
      %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf64>, tensor<6x4xf64>) -> tensor<2x4xf64>
      %2 = stablehlo.tanh %1 : tensor<2x4xf64>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %4 = stablehlo.subtract %3, %2 : tensor<2x4xf64>
      %5 = stablehlo.subtract %2, %arg7 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %7 = stablehlo.multiply %6, %5 : tensor<2x4xf64>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %9 = stablehlo.multiply %8, %7 : tensor<2x4xf64>
      %10 = stablehlo.multiply %9, %4 : tensor<2x4xf64>
      %11 = stablehlo.multiply %10, %2 : tensor<2x4xf64>
      %12 = stablehlo.add %10, %11 : tensor<2x4xf64>
      %13 = stablehlo.dot_general %12, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x6xf64>) -> tensor<4x6xf64>
      %14 = stablehlo.transpose %13, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
      %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %16 = stablehlo.multiply %15, %arg5 : tensor<6x4xf64>
      %17 = stablehlo.add %16, %14 : tensor<6x4xf64>
      %18 = "stablehlo.all_reduce"(%17) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %22 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %22 : tensor<f64>
      }) : (tensor<6x4xf64>) -> tensor<6x4xf64>
      %cst_3 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
      %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %20 = stablehlo.multiply %19, %18 : tensor<6x4xf64>
      %21 = stablehlo.subtract %arg4, %20 : tensor<6x4xf64>
      sdy.return %21, %18 : tensor<6x4xf64>, tensor<6x4xf64>
    } : (tensor<6x4xf64>, tensor<6x4xf64>, tensor<8x6xf64>, tensor<8x4xf64>) -> (tensor<6x4xf64>, tensor<6x4xf64>)
    return %0#0, %0#1 : tensor<6x4xf64>, tensor<6x4xf64>
  }
}
