# about = "the second AllReduce runs over replicas that hold the sum of their node already, and over their node again"
# [tracing]
# devices = 8
# elements = 4
# [verdict]
# verdict = "invalid"
# rule = "counted_twice"
# step = 2
# group = [0, 1, 2, 3, 4, 5, 6, 7]
# device = 0
import torch.distributed as dist


def reduce(tensor):
    rank, world = dist.get_rank(), dist.get_world_size()
    nodes = [dist.new_group(list(range(first, first + 4))) for first in range(0, world, 4)]
    dist.all_reduce(tensor, group=nodes[rank // 4])
    dist.all_reduce(tensor)
