module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x12xf64>, %arg1: tensor<12x4xf64>, %arg2: tensor<8x6xf64>, %arg3: tensor<8x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<6x12xf64> {jax.result_info = "result[1]"}, tensor<12x4xf64> {jax.result_info = "result[2]"}) {
    %0:3 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, [{}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x"} (%arg4: tensor<6x12xf64>, %arg5: tensor<12x4xf64>, %arg6: tensor<2x6xf64>, %arg7: tensor<2x4xf64>) {
      %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf64>, tensor<6x12xf64>) -> tensor<2x12xf64>
      %2 = func.call @relu(%1) : (tensor<2x12xf64>) -> tensor<2x12xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %4 = stablehlo.compare GT, %1, %3, FLOAT : (tensor<2x12xf64>, tensor<2x12xf64>) -> tensor<2x12xi1>
      %5 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<12x4xf64>) -> tensor<2x4xf64>
      %6 = stablehlo.subtract %5, %arg7 : tensor<2x4xf64>
      %7 = stablehlo.multiply %6, %6 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %9 = stablehlo.multiply %8, %6 : tensor<2x4xf64>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<f64>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
      %11 = stablehlo.divide %10, %cst_2 : tensor<f64>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
      %12 = stablehlo.divide %cst_3, %cst_4 : tensor<f64>
      %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %14 = stablehlo.multiply %13, %9 : tensor<2x4xf64>
      %15 = stablehlo.dot_general %14, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x12xf64>) -> tensor<4x12xf64>
      %16 = stablehlo.transpose %15, dims = [1, 0] : (tensor<4x12xf64>) -> tensor<12x4xf64>
      %17 = stablehlo.dot_general %14, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<12x4xf64>) -> tensor<2x12xf64>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %18 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %19 = stablehlo.select %4, %17, %18 : tensor<2x12xi1>, tensor<2x12xf64>
      %20 = stablehlo.dot_general %19, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<2x6xf64>) -> tensor<12x6xf64>
      %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<12x6xf64>) -> tensor<6x12xf64>
      %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %30 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %30 : tensor<f64>
      }) : (tensor<6x12xf64>) -> tensor<6x12xf64>
      %cst_6 = stablehlo.constant dense<1.250000e-01> : tensor<f64>
      %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<6x12xf64>
      %24 = stablehlo.multiply %23, %22 : tensor<6x12xf64>
      %25 = stablehlo.subtract %arg4, %24 : tensor<6x12xf64>
      %26 = "stablehlo.all_reduce"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %30 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %30 : tensor<f64>
      }) : (tensor<12x4xf64>) -> tensor<12x4xf64>
      %cst_7 = stablehlo.constant dense<1.250000e-01> : tensor<f64>
      %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<12x4xf64>
      %28 = stablehlo.multiply %27, %26 : tensor<12x4xf64>
      %29 = stablehlo.subtract %arg5, %28 : tensor<12x4xf64>
      sdy.return %11, %25, %29 : tensor<f64>, tensor<6x12xf64>, tensor<12x4xf64>
    } : (tensor<6x12xf64>, tensor<12x4xf64>, tensor<8x6xf64>, tensor<8x4xf64>) -> (tensor<f64>, tensor<6x12xf64>, tensor<12x4xf64>)
    return %0#0, %0#1, %0#2 : tensor<f64>, tensor<6x12xf64>, tensor<12x4xf64>
  }
  func.func private @relu(%arg0: tensor<2x12xf64>) -> tensor<2x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x12xf64>
    return %1 : tensor<2x12xf64>
  }
}
