# about = "a ring that keeps the handle of its last message alone"
# [tracing]
# devices = 4
# [verdict]
# verdict = "invalid"
# rule = "unwaited"
# step = 1
# device = 0
# group = [0, 1]
import torch
import torch.distributed as dist


def reduce(tensor):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    total, sent = tensor.clone(), tensor.clone()
    for _ in range(ranks - 1):
        request = dist.isend(sent, (rank + 1) % ranks)
        came = torch.empty_like(tensor)
        dist.recv(came, (rank - 1) % ranks)
        total += came
        sent = came
    request.wait()
    return total
