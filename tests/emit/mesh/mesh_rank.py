"""What a rank says of the device mesh that an emitted file makes; run in the ranks' processes."""

import importlib.util
from itertools import permutations

import torch
import torch.distributed as dist


def memberships(texts):
    """Of every file: the ranks of each dimension's group, the coordinates, what flattening two dimensions gathers."""
    found = []
    for number, path in enumerate(texts):
        spec = importlib.util.spec_from_file_location(f"emitted{number}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        mesh = module.device_mesh("cpu")
        groups = {name: dist.get_process_group_ranks(mesh.get_group(name)) for name in module.NAMES}
        wrong = module.check(torch.device("cpu"))
        flat = {}
        for pair in permutations(range(len(module.NAMES)), 2):
            if pair == tuple(sorted(pair)):  # torch flattens dimensions in the order of the mesh
                one, other = (module.NAMES[place] for place in pair)
                flat[one, other] = gathered(mesh[one, other]._flatten(f"{one}_{other}").get_group())
        found.append((groups, mesh.get_coordinate(), flat, wrong))
    return found


def gathered(group):
    """The ranks in the order in which an all-gather puts their blocks."""
    blocks = [torch.empty(1, dtype=torch.int64) for _ in range(dist.get_world_size(group))]
    dist.all_gather(blocks, torch.tensor([dist.get_rank()]), group=group)
    return [int(block) for block in blocks]
