# about = "a ring whose messages are all waited for at the end of their round, in whatever order"
# [tracing]
# devices = 4
# [verdict]
# verdict = "valid"
import torch
import torch.distributed as dist


def reduce(tensor):
    rank, ranks = dist.get_rank(), dist.get_world_size()
    total, sent = tensor.clone(), tensor.clone()
    for _ in range(ranks - 1):
        came = torch.empty_like(tensor)
        works = [dist.irecv(came, (rank - 1) % ranks), dist.isend(sent, (rank + 1) % ranks)]
        for work in works if rank % 2 else works[::-1]:
            work.wait()
        total += came
        sent = came
    return total
