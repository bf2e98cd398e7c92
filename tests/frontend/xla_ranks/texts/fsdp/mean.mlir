module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf64>, %arg1: tensor<12x4xf64>, %arg2: tensor<8x8xf64>, %arg3: tensor<8x4xf64>) -> (tensor<8x12xf64> {jax.result_info = "result[0]"}, tensor<12x4xf64> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg4: tensor<2x12xf64>, %arg5: tensor<3x4xf64>, %arg6: tensor<2x8xf64>, %arg7: tensor<2x4xf64>) {
      %1 = "stablehlo.all_gather"(%arg4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x12xf64>) -> tensor<8x12xf64>
      %2 = "stablehlo.all_gather"(%arg5) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x4xf64>) -> tensor<12x4xf64>
      %3 = stablehlo.dot_general %arg6, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf64>, tensor<8x12xf64>) -> tensor<2x12xf64>
      %4 = func.call @relu(%3) : (tensor<2x12xf64>) -> tensor<2x12xf64>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %6 = stablehlo.compare GT, %3, %5, FLOAT : (tensor<2x12xf64>, tensor<2x12xf64>) -> tensor<2x12xi1>
      %7 = stablehlo.dot_general %4, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<12x4xf64>) -> tensor<2x4xf64>
      %8 = stablehlo.subtract %7, %arg7 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %10 = stablehlo.multiply %9, %8 : tensor<2x4xf64>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
      %11 = stablehlo.divide %cst_1, %cst_2 : tensor<f64>
      %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %13 = stablehlo.multiply %12, %10 : tensor<2x4xf64>
      %14 = stablehlo.dot_general %13, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x12xf64>) -> tensor<4x12xf64>
      %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x12xf64>) -> tensor<12x4xf64>
      %16 = stablehlo.dot_general %13, %2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<12x4xf64>) -> tensor<2x12xf64>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %18 = stablehlo.select %6, %16, %17 : tensor<2x12xi1>, tensor<2x12xf64>
      %19 = stablehlo.dot_general %18, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x12xf64>, tensor<2x8xf64>) -> tensor<12x8xf64>
      %20 = stablehlo.transpose %19, dims = [1, 0] : (tensor<12x8xf64>) -> tensor<8x12xf64>
      %21 = "stablehlo.reduce_scatter"(%20) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %27 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %27 : tensor<f64>
      }) : (tensor<8x12xf64>) -> tensor<2x12xf64>
      %22 = "stablehlo.reduce_scatter"(%15) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %27 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %27 : tensor<f64>
      }) : (tensor<12x4xf64>) -> tensor<3x4xf64>
      %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
      %24 = stablehlo.divide %21, %23 : tensor<2x12xf64>
      %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
      %26 = stablehlo.divide %22, %25 : tensor<3x4xf64>
      sdy.return %24, %26 : tensor<2x12xf64>, tensor<3x4xf64>
    } : (tensor<8x12xf64>, tensor<12x4xf64>, tensor<8x8xf64>, tensor<8x4xf64>) -> (tensor<8x12xf64>, tensor<12x4xf64>)
    return %0#0, %0#1 : tensor<8x12xf64>, tensor<12x4xf64>
  }
  func.func private @relu(%arg0: tensor<2x12xf64>) -> tensor<2x12xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x12xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x12xf64>
    return %1 : tensor<2x12xf64>
  }
}
