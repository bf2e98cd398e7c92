module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<2x4x6xf64>, %arg1: tensor<6x4x2xf64>, %arg2: tensor<6x4x2xf64>, %arg3: tensor<6x4x2xf64>, %arg4: tensor<4x2x6xf64>) -> (tensor<2x4x6xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3, %arg4) in_shardings=[<@mesh, [{"data"}, {}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{}, {"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>] out_shardings=[<@mesh, [{"data"}, {}, {}]>] manual_axes={"data", "model"} (%arg5: tensor<1x4x6xf64>, %arg6: tensor<6x2x2xf64>, %arg7: tensor<6x2x2xf64>, %arg8: tensor<6x2x2xf64>, %arg9: tensor<2x2x6xf64>) {
      %1 = stablehlo.dot_general %arg6, %arg5, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x2xf64>, tensor<1x4x6xf64>) -> tensor<2x2x1x4xf64>
      %2 = stablehlo.transpose %1, dims = [2, 0, 3, 1] : (tensor<2x2x1x4xf64>) -> tensor<1x2x4x2xf64>
      %3 = stablehlo.dot_general %arg7, %arg5, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x2xf64>, tensor<1x4x6xf64>) -> tensor<2x2x1x4xf64>
      %4 = stablehlo.transpose %3, dims = [2, 0, 3, 1] : (tensor<2x2x1x4xf64>) -> tensor<1x2x4x2xf64>
      %5 = stablehlo.dot_general %arg8, %arg5, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<6x2x2xf64>, tensor<1x4x6xf64>) -> tensor<2x2x1x4xf64>
      %6 = stablehlo.transpose %5, dims = [2, 0, 3, 1] : (tensor<2x2x1x4xf64>) -> tensor<1x2x4x2xf64>
      %7 = stablehlo.dot_general %2, %4, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x4x2xf64>, tensor<1x2x4x2xf64>) -> tensor<1x2x4x4xf64>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x2x4x4xf64>
      %9 = stablehlo.multiply %7, %8 : tensor<1x2x4x4xf64>
      %10 = stablehlo.iota dim = 0 : tensor<4xi64>
      %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<4xi64>) -> tensor<4x1xi64>
      %12 = stablehlo.iota dim = 0 : tensor<4xi64>
      %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<4xi64>) -> tensor<1x4xi64>
      %14 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<4x1xi64>) -> tensor<4x4xi64>
      %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x4xi64>) -> tensor<4x4xi64>
      %16 = stablehlo.compare GE, %14, %15, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
      %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f64>
      %17 = func.call @_where(%16, %9, %cst_0) : (tensor<4x4xi1>, tensor<1x2x4x4xf64>, tensor<f64>) -> tensor<1x2x4x4xf64>
      %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<1x2x4x4xf64>, tensor<f64>) -> tensor<1x2x4xf64>
      %cst_2 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
      %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<1x2x4xf64>
      %20 = stablehlo.maximum %19, %18 : tensor<1x2x4xf64>
      %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x2x4xf64>) -> tensor<1x2x4x1xf64>
      %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf64>) -> tensor<1x2x4x4xf64>
      %23 = stablehlo.subtract %17, %22 : tensor<1x2x4x4xf64>
      %24 = stablehlo.exponential %23 : tensor<1x2x4x4xf64>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %25 = stablehlo.reduce(%24 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<1x2x4x4xf64>, tensor<f64>) -> tensor<1x2x4xf64>
      %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x2x4xf64>) -> tensor<1x2x4x1xf64>
      %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2, 3] : (tensor<1x2x4x1xf64>) -> tensor<1x2x4x4xf64>
      %28 = stablehlo.divide %24, %27 : tensor<1x2x4x4xf64>
      %29 = stablehlo.dot_general %6, %28, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x2x4x2xf64>, tensor<1x2x4x4xf64>) -> tensor<1x2x2x4xf64>
      %30 = stablehlo.dot_general %29, %arg9, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x2x4xf64>, tensor<2x2x6xf64>) -> tensor<1x4x6xf64>
      %31 = "stablehlo.all_reduce"(%30) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg10: tensor<f64>, %arg11: tensor<f64>):
        %32 = stablehlo.add %arg10, %arg11 : tensor<f64>
        stablehlo.return %32 : tensor<f64>
      }) : (tensor<1x4x6xf64>) -> tensor<1x4x6xf64>
      sdy.return %31 : tensor<1x4x6xf64>
    } : (tensor<2x4x6xf64>, tensor<6x4x2xf64>, tensor<6x4x2xf64>, tensor<6x4x2xf64>, tensor<4x2x6xf64>) -> tensor<2x4x6xf64>
    return %0 : tensor<2x4x6xf64>
  }
  func.func private @_where(%arg0: tensor<4x4xi1>, %arg1: tensor<1x2x4x4xf64>, %arg2: tensor<f64>) -> tensor<1x2x4x4xf64> {
    %0 = stablehlo.convert %arg2 : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<4x4xi1>) -> tensor<1x2x4x4xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<1x2x4x4xf64>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x2x4x4xi1>, tensor<1x2x4x4xf64>
    return %3 : tensor<1x2x4x4xf64>
  }
}
