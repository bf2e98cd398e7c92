module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<6x8xf64>, %arg2: tensor<8x4xf64>, %arg3: tensor<4x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<4x6xf64> {jax.result_info = "result[1][0]"}, tensor<6x8xf64> {jax.result_info = "result[1][1]"}, tensor<8x4xf64> {jax.result_info = "result[1][2]"}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1, %arg2, %arg3) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>, <@mesh, [{"data"}, {}]>] out_shardings=[<@mesh, []>, <@mesh, [{"data"}, {}]>, <@mesh, [{}, {"model"}]>, <@mesh, [{"model"}, {}]>] manual_axes={"data", "model"} (%arg4: tensor<2x6xf64>, %arg5: tensor<6x4xf64>, %arg6: tensor<4x4xf64>, %arg7: tensor<2x4xf64>) {
      %1 = stablehlo.dot_general %arg4, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x6xf64>, tensor<6x4xf64>) -> tensor<2x4xf64>
      %2 = stablehlo.tanh %1 : tensor<2x4xf64>
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %4 = stablehlo.subtract %3, %2 : tensor<2x4xf64>
      %5 = stablehlo.dot_general %2, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<4x4xf64>) -> tensor<2x4xf64>
      %6 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %25 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %25 : tensor<f64>
      }) : (tensor<2x4xf64>) -> tensor<2x4xf64>
      %7 = stablehlo.subtract %6, %arg7 : tensor<2x4xf64>
      %8 = stablehlo.multiply %7, %7 : tensor<2x4xf64>
      %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %10 = stablehlo.multiply %9, %7 : tensor<2x4xf64>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %11 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf64>, tensor<f64>) -> tensor<f64>
      %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
      %13 = stablehlo.multiply %12, %10 : tensor<2x4xf64>
      %14 = stablehlo.dot_general %13, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<4x4xf64>
      %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
      %16 = stablehlo.dot_general %13, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<4x4xf64>) -> tensor<2x4xf64>
      %17 = stablehlo.multiply %16, %4 : tensor<2x4xf64>
      %18 = stablehlo.multiply %17, %2 : tensor<2x4xf64>
      %19 = stablehlo.add %17, %18 : tensor<2x4xf64>
      %20 = stablehlo.dot_general %19, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x6xf64>) -> tensor<4x6xf64>
      %21 = stablehlo.transpose %20, dims = [1, 0] : (tensor<4x6xf64>) -> tensor<6x4xf64>
      %22 = stablehlo.dot_general %19, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<6x4xf64>) -> tensor<2x6xf64>
      %23 = "stablehlo.all_reduce"(%22) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %25 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %25 : tensor<f64>
      }) : (tensor<2x6xf64>) -> tensor<2x6xf64>
      %24 = "stablehlo.all_reduce"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f64>, %arg9: tensor<f64>):
        %25 = stablehlo.add %arg8, %arg9 : tensor<f64>
        stablehlo.return %25 : tensor<f64>
      }) : (tensor<f64>) -> tensor<f64>
      sdy.return %24, %23, %21, %15 : tensor<f64>, tensor<2x6xf64>, tensor<6x4xf64>, tensor<4x4xf64>
    } : (tensor<4x6xf64>, tensor<6x8xf64>, tensor<8x4xf64>, tensor<4x4xf64>) -> (tensor<f64>, tensor<4x6xf64>, tensor<6x8xf64>, tensor<8x4xf64>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<f64>, tensor<4x6xf64>, tensor<6x8xf64>, tensor<8x4xf64>
  }
}
