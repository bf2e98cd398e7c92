module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x4xf64>, %arg1: tensor<6x4xf64>, %arg2: tensor<6x4xf64>, %arg3: tensor<8x6xf64>, %arg4: tensor<8x4xf64>) -> (tensor<6x4xf64> {jax.result_info = "result[0]"}, tensor<6x4xf64> {jax.result_info = "result[1]"}, tensor<6x4xf64> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x"} (%arg5: tensor<6x4xf64>, %arg6: tensor<6x4xf64>, %arg7: tensor<6x4xf64>, %arg8: tensor<2x6xf64>, %arg9: tensor<2x4xf64>) {
      %1 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf64>, tensor<6x4xf64>) -> tensor<2x4xf64>
      %2 = stablehlo.subtract %1, %arg9 : tensor<2x4xf64>
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %4 = stablehlo.multiply %3, %2 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %6 = stablehlo.multiply %5, %4 : tensor<2x4xf64>
      %7 = stablehlo.dot_general %6, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x6xf64>) -> tensor<4x6xf64>
      %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
      %9 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f64>, %arg11: tensor<f64>):
        %28 = stablehlo.add %arg10, %arg11 : tensor<f64>
        stablehlo.return %28 : tensor<f64>
      }) : (tensor<6x4xf64>) -> tensor<6x4xf64>
      %10 = stablehlo.multiply %9, %9 : tensor<6x4xf64>
      %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %12 = stablehlo.multiply %11, %arg6 : tensor<6x4xf64>
      %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %14 = stablehlo.multiply %13, %8 : tensor<6x4xf64>
      %15 = stablehlo.add %12, %14 : tensor<6x4xf64>
      %cst_3 = stablehlo.constant dense<7.500000e-01> : tensor<f64>
      %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %17 = stablehlo.multiply %16, %arg7 : tensor<6x4xf64>
      %cst_4 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
      %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %19 = stablehlo.multiply %18, %10 : tensor<6x4xf64>
      %20 = stablehlo.add %17, %19 : tensor<6x4xf64>
      %cst_5 = stablehlo.constant dense<2.500000e-01> : tensor<f64>
      %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %22 = stablehlo.multiply %21, %15 : tensor<6x4xf64>
      %23 = stablehlo.sqrt %20 : tensor<6x4xf64>
      %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %24 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<6x4xf64>
      %25 = stablehlo.add %23, %24 : tensor<6x4xf64>
      %26 = stablehlo.divide %22, %25 : tensor<6x4xf64>
      %27 = stablehlo.subtract %arg5, %26 : tensor<6x4xf64>
      sdy.return %27, %15, %20 : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
    } : (tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>, tensor<8x6xf64>, tensor<8x4xf64>) -> (tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>)
    return %0#0, %0#1, %0#2 : tensor<6x4xf64>, tensor<6x4xf64>, tensor<6x4xf64>
  }
}
