# about = "blocks of 3, 2, 2 and 1 elements, as list calls allow"
# [tracing]
# devices = 4
# elements = 8
# [verdict]
# verdict = "valid"
import torch
import torch.distributed as dist


def reduce(tensor):
    blocks = list(tensor.split([3, 2, 2, 1]))
    own = torch.empty_like(blocks[dist.get_rank()])
    dist.reduce_scatter(own, blocks)
    dist.all_gather(blocks, own)
