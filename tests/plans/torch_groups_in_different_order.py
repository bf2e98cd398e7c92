# about = "each half of the machine makes its own group first: new_group hangs"
# [tracing]
# devices = 4
# [verdict]
# verdict = "invalid"
# rule = "mismatch"
# step = 0
# device = 2
import torch.distributed as dist


def reduce(tensor):
    halves = [[0, 1], [2, 3]]
    own = 0 if dist.get_rank() < 2 else 1
    groups = {number: dist.new_group(halves[number]) for number in (own, 1 - own)}
    dist.all_reduce(tensor, group=groups[own])
    dist.all_reduce(tensor)
