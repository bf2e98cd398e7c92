# about = "a bucket of 6 elements is padded to 8 for the scatter, and cut again"
# [tracing]
# devices = 4
# elements = 6
# [verdict]
# verdict = "valid"
import torch
import torch.distributed as dist


def reduce(tensor):
    padded = torch.zeros(8)
    padded[: tensor.numel()] = tensor
    shard = torch.empty(2)
    dist.reduce_scatter_single(shard, padded)
    dist.all_gather_single(padded, shard)
    return padded[: tensor.numel()]
