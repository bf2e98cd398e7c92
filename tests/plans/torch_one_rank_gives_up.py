# about = "rank 3 has nothing to add and returns early"
# [tracing]
# devices = 4
# [verdict]
# verdict = "invalid"
# rule = "order"
# step = 2
# device = 0
import torch.distributed as dist


def reduce(tensor):
    dist.all_reduce(tensor[:2])
    if dist.get_rank() < 3:
        dist.all_reduce(tensor[2:])
