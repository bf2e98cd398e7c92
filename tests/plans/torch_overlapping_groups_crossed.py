# about = "rows first on ranks 0 and 3, columns first on ranks 1 and 2"
# [tracing]
# devices = 4
# [verdict]
# verdict = "invalid"
# rule = "order"
# step = 1
# device = 0
# group = [0, 1]
import torch.distributed as dist


def reduce(tensor):
    rank = dist.get_rank()
    rows = [dist.new_group([0, 1]), dist.new_group([2, 3])][rank // 2]
    columns = [dist.new_group([0, 2]), dist.new_group([1, 3])][rank % 2]
    for group in (rows, columns) if rank in (0, 3) else (columns, rows):
        dist.all_reduce(tensor, group=group)
