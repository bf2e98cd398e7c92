module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x6xf64>, %arg1: tensor<6x12xf64>, %arg2: tensor<12x4xf64>) -> (tensor<8x4xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"x"}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg3: tensor<2x6xf64>, %arg4: tensor<6x3xf64>, %arg5: tensor<3x4xf64>) {
      %1 = "stablehlo.all_gather"(%arg3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x6xf64>) -> tensor<8x6xf64>
      %2 = stablehlo.dot_general %1, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf64>, tensor<6x3xf64>) -> tensor<8x3xf64>
      %3 = stablehlo.multiply %2, %2 : tensor<8x3xf64>
      %4 = stablehlo.multiply %3, %2 : tensor<8x3xf64>
      %cst = stablehlo.constant dense<4.471500e-02> : tensor<f64>
      %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8x3xf64>
      %6 = stablehlo.multiply %5, %4 : tensor<8x3xf64>
      %7 = stablehlo.add %2, %6 : tensor<8x3xf64>
      %cst_0 = stablehlo.constant dense<0.79788456080286541> : tensor<f64>
      %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8x3xf64>
      %9 = stablehlo.multiply %8, %7 : tensor<8x3xf64>
      %10 = stablehlo.tanh %9 : tensor<8x3xf64>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<8x3xf64>
      %12 = stablehlo.add %11, %10 : tensor<8x3xf64>
      %cst_2 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
      %13 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<8x3xf64>
      %14 = stablehlo.multiply %13, %12 : tensor<8x3xf64>
      %15 = stablehlo.multiply %2, %14 : tensor<8x3xf64>
      %16 = stablehlo.dot_general %15, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x3xf64>, tensor<3x4xf64>) -> tensor<8x4xf64>
      %17 = "stablehlo.reduce_scatter"(%16) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
        %20 = stablehlo.add %arg6, %arg7 : tensor<f64>
        stablehlo.return %20 : tensor<f64>
      }) : (tensor<8x4xf64>) -> tensor<2x4xf64>
      %cst_3 = stablehlo.constant dense<4.000000e+00> : tensor<f64>
      %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %19 = stablehlo.multiply %17, %18 : tensor<2x4xf64>
      sdy.return %19 : tensor<2x4xf64>
    } : (tensor<8x6xf64>, tensor<6x12xf64>, tensor<12x4xf64>) -> tensor<8x4xf64>
    return %0 : tensor<8x4xf64>
  }
}
