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
      %c = stablehlo.constant dense<1> : tensor<ui32>
      %c_4 = stablehlo.constant dense<4> : tensor<ui32>
      %21 = stablehlo.partition_id : tensor<ui32>
      %22 = stablehlo.divide %21, %c : tensor<ui32>
      %23 = stablehlo.remainder %22, %c_4 : tensor<ui32>
      %24 = stablehlo.convert %23 : (tensor<ui32>) -> tensor<i32>
      %c_5 = stablehlo.constant dense<2> : tensor<i32>
      %25 = stablehlo.multiply %24, %c_5 : tensor<i32>
      %c_6 = stablehlo.constant dense<0> : tensor<i32>
      %26 = stablehlo.compare LT, %25, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_7 = stablehlo.constant dense<8> : tensor<i32>
      %27 = stablehlo.add %25, %c_7 : tensor<i32>
      %28 = stablehlo.select %26, %27, %25 : tensor<i1>, tensor<i32>
      %c_8 = stablehlo.constant dense<0> : tensor<i32>
      %29 = stablehlo.dynamic_slice %20, %28, %c_8, sizes = [2, 12] : (tensor<8x12xf64>, tensor<i32>, tensor<i32>) -> tensor<2x12xf64>
      %c_9 = stablehlo.constant dense<3> : tensor<i32>
      %30 = stablehlo.multiply %24, %c_9 : tensor<i32>
      %c_10 = stablehlo.constant dense<0> : tensor<i32>
      %31 = stablehlo.compare LT, %30, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_11 = stablehlo.constant dense<12> : tensor<i32>
      %32 = stablehlo.add %30, %c_11 : tensor<i32>
      %33 = stablehlo.select %31, %32, %30 : tensor<i1>, tensor<i32>
      %c_12 = stablehlo.constant dense<0> : tensor<i32>
      %34 = stablehlo.dynamic_slice %15, %33, %c_12, sizes = [3, 4] : (tensor<12x4xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
      sdy.return %29, %34 : tensor<2x12xf64>, tensor<3x4xf64>
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
