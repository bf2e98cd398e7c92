# about = "gradients as data parallel training averages them: two buckets, sums divided by the number of ranks"
# [tracing]
# devices = 4
# elements = 6
# average = true
# [verdict]
# verdict = "valid"
import torch.distributed as dist


def reduce(gradients):
    buckets = gradients[:4].clone(), gradients[4:].clone()
    works = [dist.all_reduce(bucket, async_op=True) for bucket in buckets]
    for bucket, work in zip(buckets, works, strict=True):
        work.wait()
        bucket.div_(dist.get_world_size())
    gradients[:4].copy_(buckets[0])
    gradients[4:].copy_(buckets[1])
