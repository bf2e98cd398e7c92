module @jit__lambda attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<3x6x8xf64>, %arg2: tensor<3x8x6xf64>) -> (tensor<4x6xf64> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}, {}]>, <@mesh, [{}, {}, {"x"}]>, <@mesh, [{}, {"x"}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"x"} (%arg3: tensor<4x6xf64>, %arg4: tensor<3x6x2xf64>, %arg5: tensor<3x2x6xf64>) {
      %c = stablehlo.constant dense<0> : tensor<i64>
      %1:4 = stablehlo.while(%iterArg = %arg4, %iterArg_0 = %arg5, %iterArg_1 = %c, %iterArg_2 = %arg3) : tensor<3x6x2xf64>, tensor<3x2x6xf64>, tensor<i64>, tensor<4x6xf64>
      cond {
        %c_3 = stablehlo.constant dense<3> : tensor<i64>
        %2 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<3x6x2xf64>, tensor<i64>) -> tensor<6x2xf64>
        %3 = func.call @dynamic_index_in_dim_0(%iterArg_0, %iterArg_1) : (tensor<3x2x6xf64>, tensor<i64>) -> tensor<2x6xf64>
        %4 = func.call @closed_call(%iterArg_2, %2, %3) : (tensor<4x6xf64>, tensor<6x2xf64>, tensor<2x6xf64>) -> tensor<4x6xf64>
        %c_3 = stablehlo.constant dense<1> : tensor<i64>
        %5 = stablehlo.add %iterArg_1, %c_3 : tensor<i64>
        stablehlo.return %iterArg, %iterArg_0, %5, %4 : tensor<3x6x2xf64>, tensor<3x2x6xf64>, tensor<i64>, tensor<4x6xf64>
      }
      sdy.return %1#3 : tensor<4x6xf64>
    } : (tensor<4x6xf64>, tensor<3x6x8xf64>, tensor<3x8x6xf64>) -> tensor<4x6xf64>
    return %0 : tensor<4x6xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x6x2xf64>, %arg1: tensor<i64>) -> tensor<6x2xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 2] : (tensor<3x6x2xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x6x2xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x6x2xf64>) -> tensor<6x2xf64>
    return %1 : tensor<6x2xf64>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x2x6xf64>, %arg1: tensor<i64>) -> tensor<2x6xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 2, 6] : (tensor<3x2x6xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x2x6xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x2x6xf64>) -> tensor<2x6xf64>
    return %1 : tensor<2x6xf64>
  }
  func.func private @closed_call(%arg0: tensor<4x6xf64>, %arg1: tensor<6x2xf64>, %arg2: tensor<2x6xf64>) -> tensor<4x6xf64> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x2xf64>) -> tensor<4x2xf64>
    %1 = stablehlo.tanh %0 : tensor<4x2xf64>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x2xf64>, tensor<2x6xf64>) -> tensor<4x6xf64>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f64>, %arg4: tensor<f64>):
      %5 = stablehlo.add %arg3, %arg4 : tensor<f64>
      stablehlo.return %5 : tensor<f64>
    }) : (tensor<4x6xf64>) -> tensor<4x6xf64>
    %4 = stablehlo.add %arg0, %3 : tensor<4x6xf64>
    return %4 : tensor<4x6xf64>
  }
}
