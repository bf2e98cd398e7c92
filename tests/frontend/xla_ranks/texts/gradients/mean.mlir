module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6x12xf64>, %arg1: tensor<12x4xf64>, %arg2: tensor<8x6xf64>, %arg3: tensor<8x4xf64>) -> (tensor<6x12xf64> {jax.result_info = "result[0]"}, tensor<12x4xf64> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}]>] manual_axes={"x"} (%arg4: tensor<6x12xf64>, %arg5: tensor<12x4xf64>, %arg6: tensor<2x6xf64>, %arg7: tensor<2x4xf64>) {
      %1 = stablehlo.dot_general %arg6, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf64>, tensor<6x12xf64>) -> tensor<2x12xf64>
      %2 = func.call @relu(%1) : (tensor<2x12xf64>) -> tensor<2x12xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %4 = stablehlo.compare GT, %1, %3, FLOAT : (tensor<2x12xf64>, tensor<2x12xf64>) -> tensor<2x12xi1>
      %5 = stablehlo.dot_general %2, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<12x4xf64>) -> tensor<2x4xf64>
      %6 = stablehlo.subtract %5, %arg7 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %8 = stablehlo.multiply %7, %6 : tensor<2x4xf64>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
      %9 = stablehlo.divide %cst_1, %cst_2 : tensor<f64>
      %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %11 = stablehlo.multiply %10, %8 : tensor<2x4xf64>
      %12 = stablehlo.dot_general %11, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x12xf64>) -> tensor<4x12xf64>
      %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<4x12xf64>) -> tensor<12x4xf64>
      %14 = stablehlo.dot_general %11, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<12x4xf64>) -> tensor<2x12xf64>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %16 = stablehlo.select %4, %14, %15 : tensor<2x12xi1>, tensor<2x12xf64>
      %17 = stablehlo.dot_general %16, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<2x6xf64>) -> tensor<12x6xf64>
      %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<12x6xf64>) -> tensor<6x12xf64>
      %19 = "stablehlo.all_reduce"(%18) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %25 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %25 : tensor<f64>
      }) : (tensor<6x12xf64>) -> tensor<6x12xf64>
      %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<6x12xf64>
      %21 = stablehlo.divide %19, %20 : tensor<6x12xf64>
      %22 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %25 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %25 : tensor<f64>
      }) : (tensor<12x4xf64>) -> tensor<12x4xf64>
      %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<12x4xf64>
      %24 = stablehlo.divide %22, %23 : tensor<12x4xf64>
      sdy.return %21, %24 : tensor<6x12xf64>, tensor<12x4xf64>
    } : (tensor<6x12xf64>, tensor<12x4xf64>, tensor<8x6xf64>, tensor<8x4xf64>) -> (tensor<6x12xf64>, tensor<12x4xf64>)
    return %0#0, %0#1 : tensor<6x12xf64>, tensor<12x4xf64>
  }
  func.func private @relu(%arg0: tensor<2x12xf64>) -> tensor<2x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x12xf64>
    return %1 : tensor<2x12xf64>
  }
}
