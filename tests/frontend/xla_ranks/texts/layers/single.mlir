module @jit_layers attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf64>, %arg1: tensor<3x6x8xf64>, %arg2: tensor<3x8x6xf64>) -> (tensor<4x6xf64> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg2, %iterArg_1 = %c, %iterArg_2 = %arg0) : tensor<3x6x8xf64>, tensor<3x8x6xf64>, tensor<i64>, tensor<4x6xf64>
    cond {
      %c_3 = stablehlo.constant dense<3> : tensor<i64>
      %1 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<3x6x8xf64>, tensor<i64>) -> tensor<6x8xf64>
      %2 = func.call @dynamic_index_in_dim_0(%iterArg_0, %iterArg_1) : (tensor<3x8x6xf64>, tensor<i64>) -> tensor<8x6xf64>
      %3 = func.call @closed_call(%iterArg_2, %1, %2) : (tensor<4x6xf64>, tensor<6x8xf64>, tensor<8x6xf64>) -> tensor<4x6xf64>
      %c_3 = stablehlo.constant dense<1> : tensor<i64>
      %4 = stablehlo.add %iterArg_1, %c_3 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_0, %4, %3 : tensor<3x6x8xf64>, tensor<3x8x6xf64>, tensor<i64>, tensor<4x6xf64>
    }
    return %0#3 : tensor<4x6xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x6x8xf64>, %arg1: tensor<i64>) -> tensor<6x8xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 6, 8] : (tensor<3x6x8xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x6x8xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x6x8xf64>) -> tensor<6x8xf64>
    return %1 : tensor<6x8xf64>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x8x6xf64>, %arg1: tensor<i64>) -> tensor<8x6xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 6] : (tensor<3x8x6xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x8x6xf64>
    %1 = stablehlo.reshape %0 : (tensor<1x8x6xf64>) -> tensor<8x6xf64>
    return %1 : tensor<8x6xf64>
  }
  func.func private @closed_call(%arg0: tensor<4x6xf64>, %arg1: tensor<6x8xf64>, %arg2: tensor<8x6xf64>) -> tensor<4x6xf64> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf64>, tensor<6x8xf64>) -> tensor<4x8xf64>
    %1 = stablehlo.tanh %0 : tensor<4x8xf64>
    %2 = stablehlo.dot_general %1, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf64>, tensor<8x6xf64>) -> tensor<4x6xf64>
    %3 = stablehlo.add %arg0, %2 : tensor<4x6xf64>
    return %3 : tensor<4x6xf64>
  }
}
