// about = "scattered along the rows, gathered along the columns of a square"
//
// [verdict]
// verdict = "invalid"
// rule = "foreign"
// step = 2
// group = [0, 1]
// device = 0
// chunk = 1
// contributor = 0
module @plan attributes {mhlo.num_replicas = 2 : i32} {
  func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<1x2xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x2xf32>) -> tensor<2x1xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x1xf32>) -> tensor<2x2xf32>
    return %2 : tensor<2x2xf32>
  }
}
