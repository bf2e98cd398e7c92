# about = "token counts are averaged inside nodes and then across"
# [tracing]
# devices = 4
# dtype = "int64"
# average = true
# [verdict]
# verdict = "invalid"
# rule = "truncated"
# step = 2
# device = 0
# group = [0, 2]
import torch.distributed as dist


def reduce(tensor):
    rank = dist.get_rank()
    nodes = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    across = [dist.new_group([0, 2]), dist.new_group([1, 3])]
    dist.all_reduce(tensor, op=dist.ReduceOp.AVG, group=nodes[rank // 2])
    dist.all_reduce(tensor, op=dist.ReduceOp.AVG, group=across[rank % 2])
