# about = "the sum is copied before anybody waits for it"
# [tracing]
# devices = 4
# [verdict]
# verdict = "invalid"
# rule = "race"
# step = 1
# device = 0
# group = [0, 1, 2, 3]
import torch.distributed as dist


def reduce(tensor):
    work = dist.all_reduce(tensor, async_op=True)
    out = tensor.clone()
    work.wait()
    return out
