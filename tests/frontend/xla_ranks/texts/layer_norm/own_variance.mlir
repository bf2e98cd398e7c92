module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x8xf64>, %arg1: tensor<8xf64>, %arg2: tensor<8xf64>) -> (tensor<4x8xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%arg3: tensor<4x2xf64>, %arg4: tensor<2xf64>, %arg5: tensor<2xf64>) {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %1 = stablehlo.reduce(%arg3 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf64>, tensor<f64>) -> tensor<4xf64>
      %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
      %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %26 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %26 : tensor<f64>
      }) : (tensor<4x1xf64>) -> tensor<4x1xf64>
      %cst_0 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
      %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
      %5 = stablehlo.divide %3, %4 : tensor<4x1xf64>
      %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x2xf64>
      %7 = stablehlo.subtract %arg3, %6 : tensor<4x2xf64>
      %8 = stablehlo.multiply %7, %7 : tensor<4x2xf64>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x2xf64>, tensor<f64>) -> tensor<4xf64>
      %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
      %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
      %12 = stablehlo.multiply %10, %11 : tensor<4x1xf64>
      %cst_3 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
      %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
      %14 = stablehlo.divide %12, %13 : tensor<4x1xf64>
      %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<4x1xf64>
      %16 = stablehlo.add %14, %15 : tensor<4x1xf64>
      %17 = stablehlo.rsqrt %16 : tensor<4x1xf64>
      %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x2xf64>
      %19 = stablehlo.multiply %7, %18 : tensor<4x2xf64>
      %20 = stablehlo.broadcast_in_dim %arg4, dims = [1] : (tensor<2xf64>) -> tensor<1x2xf64>
      %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<1x2xf64>) -> tensor<4x2xf64>
      %22 = stablehlo.multiply %19, %21 : tensor<4x2xf64>
      %23 = stablehlo.broadcast_in_dim %arg5, dims = [1] : (tensor<2xf64>) -> tensor<1x2xf64>
      %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<1x2xf64>) -> tensor<4x2xf64>
      %25 = stablehlo.add %22, %24 : tensor<4x2xf64>
      sdy.return %25 : tensor<4x2xf64>
    } : (tensor<4x8xf64>, tensor<8xf64>, tensor<8xf64>) -> tensor<4x8xf64>
    return %0 : tensor<4x8xf64>
  }
}
