# about = "new_group sorts its ranks; the author takes the blocks to come in the order of the list"
# [tracing]
# devices = 4
# elements = 8
# [verdict]
# verdict = "invalid"
# rule = "foreign"
# step = 2
# device = 0
# group = [0, 1, 2, 3]
import torch
import torch.distributed as dist


def reduce(tensor):
    order = [3, 1, 2, 0]
    group = dist.new_group(order)
    blocks = list(tensor.clone().chunk(4))
    shard = torch.empty(2)
    dist.reduce_scatter(shard, blocks, group=group)
    dist.all_gather([tensor.chunk(4)[rank] for rank in order], shard, group=group)
