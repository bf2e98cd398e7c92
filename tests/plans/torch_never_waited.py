# about = "gradients of the first half are reduced meanwhile, and forgotten"
# [tracing]
# devices = 4
# elements = 8
# [verdict]
# verdict = "invalid"
# rule = "unwaited"
# step = 1
# device = 0
# group = [0, 1, 2, 3]
import torch.distributed as dist


def reduce(tensor):
    half = tensor[:4].clone()
    dist.all_reduce(half, async_op=True)
    dist.all_reduce(tensor[4:])
    tensor[:4].zero_()
