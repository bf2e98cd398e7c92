"""What people write: meshes, functional collectives, DTensor, calls brought together, arithmetic of all kinds."""

import pytest
from frontend.torch_function.tracing import source, traced, verdict

from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

MESH = (
    "from torch.distributed.device_mesh import init_device_mesh\n"
    "mesh = init_device_mesh('cpu', (2, 2), mesh_dim_names=('node', 'gpu'))\n"
)
FUNCTIONAL = "import torch.distributed._functional_collectives as functional\nworld = dist.group.WORLD\n"
DTENSOR = (
    "from torch.distributed.device_mesh import init_device_mesh\n"
    "from torch.distributed.tensor import DTensor, Partial, Replicate, Shard\nmesh = init_device_mesh('cpu', (4,))\n"
    "summed = DTensor.from_local(tensor, mesh, [Partial()])\n"
)
GATHERED = "parts = torch.empty(4 * tensor.numel())\ndist.all_gather_single(parts, tensor)\nparts = parts.view(4, -1)\n"
TOGETHER = "together = dist.distributed_c10d._coalescing_manager\n"

UNLIKE = (
    "parts = list(tensor.split([1, 3, 2, 2]))\nmine = torch.empty_like(parts[dist.get_rank()])\n"
    "dist.reduce_scatter(mine, parts, op=dist.ReduceOp.AVG)\ndist.all_gather(parts, mine)"
)

PLAIN = {
    "groups of a mesh": MESH + "for name in ('gpu', 'node'):\n    dist.all_reduce(tensor, group=mesh.get_group(name))",
    "meshes of a mesh": MESH
    + "for name in ('gpu', 'node'):\n    dist.all_reduce(tensor, group=mesh[name].get_group())",
    "a flat mesh": MESH + "dist.all_reduce(tensor, group=mesh['node', 'gpu']._flatten('all').get_group())",
    "subgroups": "pair, _ = dist.new_subgroups(2)\nacross, _ = dist.new_subgroups_by_enumeration([[0, 2], [1, 3]])\n"
    "dist.all_reduce(tensor, group=pair)\ndist.all_reduce(tensor, group=across)",
    "groups that members make": "rank = dist.get_rank()\nfor ranks in ([rank // 2 * 2, rank // 2 * 2 + 1], [rank % 2, "
    "rank % 2 + 2]):\n    dist.all_reduce(tensor, group=dist.new_group(ranks, use_local_synchronization=True))",
    "brought together": TOGETHER + "with together(device=torch.device('cpu'), async_ops=True) as manager:\n"
    "    for part in tensor.chunk(2):\n        dist.all_reduce(part)\nmanager.wait()",
    "shards brought together": TOGETHER
    + "halves = tensor.chunk(2)\nshards = [half.new_empty(half.numel() // 4) for half in halves]\n"
    "with together():\n    [dist.reduce_scatter_single(s, half) for s, half in zip(shards, halves)]\n"
    "with together():\n    [dist.all_gather_single(half, s) for s, half in zip(shards, halves)]",
    "a list of tensors": "dist.all_reduce_coalesced(list(tensor.chunk(2)))",
    "a barrier that is watched": "dist.monitored_barrier()\ndist.all_reduce(tensor)",
    "average": "dist.all_reduce(tensor, op=dist.ReduceOp.AVG)\ntensor *= 4",
    "average of shards of unlike length": f"{UNLIKE}\ntensor *= 4",
    "in halves": "half = tensor.to(torch.bfloat16)\ndist.all_reduce(half)\ntensor.copy_(half)",
    "in doubles": "wide = tensor.double()\ndist.all_reduce(wide)\nreturn wide.float()",
    "scaled": "tensor *= 1024\ndist.all_reduce(tensor)\ntensor /= 1024",
    "by a third": "tensor /= 3\ndist.all_reduce(tensor)\ntensor *= 3",
    "padded": "whole = torch.nn.functional.pad(tensor, (1, 3))\ndist.all_reduce(whole)\nreturn whole[1:-3]",
    "cut by padding": "dist.all_reduce(tensor)\nwhole = torch.cat([tensor, tensor])\n"
    "return torch.nn.functional.pad(whole, (0, -tensor.numel()))",
    "lists": "parts = list(tensor.chunk(2))\n[dist.all_reduce(part) for part in parts]\n"
    "torch._foreach_div_(parts, 4)\nhalves = torch._foreach_mul(parts, 2.0)\n"
    "torch._foreach_add_(halves, halves)\ntorch._foreach_copy_(parts, halves)",
    "on the way": "dist.all_reduce(tensor)\nother = tensor * 3\ntensor.lerp_(other, 0.5)\nreturn tensor / 2",
    "a multiple": "dist.all_reduce(tensor)\nout = torch.zeros_like(tensor)\nout.add_(tensor, alpha=3)\nreturn out / 3",
    "of the other sign": "tensor.neg_()\ndist.all_reduce(tensor)\nreturn -tensor",
    "the others' sum and one's own": "own = tensor.clone()\ndist.all_reduce(tensor)\nothers = tensor - own\n"
    "others.sub_(own, alpha=-1)\nreturn others",
    "taken from each other": "own = tensor * -3\ndist.all_reduce(tensor)\n"
    "return torch.rsub(own, tensor, alpha=2) - 6 * torch.rsub(own / -3, 0, alpha=-1)",
    "by negative numbers": "tensor *= -0.5\ndist.all_reduce(tensor)\nreturn 0 - tensor / 0.5",
    "lists taken from each other": "parts = list(tensor.chunk(2))\n[dist.all_reduce(part) for part in parts]\n"
    "twice = torch._foreach_mul(parts, 2.0)\ntorch._foreach_sub_(twice, parts)\ntorch._foreach_neg_(twice)\n"
    "torch._foreach_copy_(parts, torch._foreach_neg(twice))",
    "by errors": "sent = tensor.bfloat16().float()\nerror = tensor - sent\ndist.all_reduce(sent)\n"
    "dist.all_reduce(error)\nreturn sent + error",
    "mean": GATHERED + "return parts.mean(0) * 4",
    "einsum": GATHERED + "return torch.einsum('ij->j', parts)",
    "turned": "turned = torch.roll(tensor.flip(0), 1)\ndist.all_reduce(turned)\nreturn torch.roll(turned, -1).flip(0)",
    "picked": "order = torch.tensor([3, 1, 0, 2, 7, 6, 5, 4])\nmixed = tensor[order]\ndist.all_reduce(mixed)\n"
    "return mixed.index_select(0, order.argsort())",
    "flattened": "from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors\n"
    "parts = list(tensor.chunk(2))\nflat = _flatten_dense_tensors(parts)\ndist.all_reduce(flat)\n"
    "for part, new in zip(parts, _unflatten_dense_tensors(flat, parts)):\n    part.copy_(new)",
}

BY_FUNCTIONS = {
    "all-reduce": FUNCTIONAL + "return functional.all_reduce(tensor, 'sum', world)",
    "waited for": FUNCTIONAL + "return functional.wait_tensor(functional.all_reduce(tensor, 'sum', world))",
    "used": FUNCTIONAL + "return functional.all_reduce(tensor, 'avg', world).view(-1) * 4",
    "scattered": FUNCTIONAL + "shard = functional.reduce_scatter_tensor(tensor, 'sum', 0, world)\n"
    "return functional.all_gather_tensor(shard, 0, world)",
    "on a mesh": FUNCTIONAL
    + MESH
    + "for axis in (1, 0):\n    tensor = functional.all_reduce(tensor, 'sum', (mesh, axis))\n"
    "return tensor",
    "several": FUNCTIONAL + "halves = functional.all_reduce_coalesced(list(tensor.chunk(2)), 'sum', world)\n"
    "return torch.cat(halves)",
    "spread": FUNCTIONAL + "dist.reduce(tensor, 2)\nreturn functional.broadcast(tensor, 2, world)",
    "permuted": FUNCTIONAL + "for step in (1, 2):\n"
    "    to = [(rank + step) % 4 for rank in range(4)]\n"
    "    tensor = tensor + functional.permute_tensor(tensor, to, world)\nreturn tensor",
    "exchanged": FUNCTIONAL + "mine = functional.all_to_all_single(tensor, None, None, world).view(4, -1).sum(0)\n"
    "return functional.all_gather_tensor(mine, 0, world)",
    "DTensor": DTENSOR + "return summed.redistribute(placements=[Replicate()]).to_local()",
    "DTensor in shards": DTENSOR + "shards = summed.redistribute(placements=[Shard(0)])\n"
    "return shards.redistribute(placements=[Replicate()]).to_local()",
    "DTensor, all of it": DTENSOR + "return summed.full_tensor()",
    "halves of one tensor": "operations, name = torch.ops._c10d_functional, dist.group.WORLD.group_name\n"
    "for half in tensor.chunk(2):\n    operations.all_reduce_(half, 'sum', name)\noperations.wait_tensor(tensor)",
    "the operation itself": "operations, name = torch.ops._c10d_functional, dist.group.WORLD.group_name\n"
    "return operations.wait_tensor(operations.all_reduce(tensor, 'sum', name))",
}

WRONG = {
    "one axis of a mesh": (MESH + "dist.all_reduce(tensor, group=mesh.get_group('gpu'))", PlanRule.MISSING),
    "averaged instead of added": ("dist.all_reduce(tensor, op=dist.ReduceOp.AVG)", PlanRule.WEIGHT),
    "averaged in shards of unlike length": (UNLIKE, PlanRule.WEIGHT),
    "scaled back too little": ("tensor *= 1024\ndist.all_reduce(tensor)\ntensor /= 512", PlanRule.WEIGHT),
    "the others' sum": ("own = tensor.clone()\ndist.all_reduce(tensor)\nreturn tensor - own", PlanRule.MISSING),
    "of the other sign": ("dist.all_reduce(tensor)\nreturn -tensor", PlanRule.WEIGHT),
    "taken out twice": ("own = tensor * 2\ndist.all_reduce(tensor)\nreturn tensor - own", PlanRule.WEIGHT),
    "what is undefined, taken from itself": (
        "other = torch.empty_like(tensor)\nother -= other.clone()\ndist.all_reduce(tensor)\nreturn tensor + other",
        PlanRule.UNDEFINED,
    ),
    "padded on the wrong side": (
        "whole = torch.nn.functional.pad(tensor, (1, 3))\ndist.all_reduce(whole)\nreturn whole[:-4]",
        PlanRule.FOREIGN,
    ),
    "turned back too far": ("turned = torch.roll(tensor, 1)\ndist.all_reduce(turned)\nreturn turned", PlanRule.FOREIGN),
    "half of the way": ("other = tensor.clone()\ndist.all_reduce(tensor)\ntensor.lerp_(other, 0.5)", PlanRule.WEIGHT),
    "together but not waited for": (
        TOGETHER + "with together(async_ops=True) as manager:\n    for part in tensor.chunk(2):\n"
        "        dist.all_reduce(part)\nreturn tensor.clone()",
        PlanRule.RACE,
    ),
    "shards of another group": (
        FUNCTIONAL + MESH + "shard = functional.reduce_scatter_tensor(tensor, 'sum', 0, (mesh, 1))\n"
        "return functional.all_gather_tensor(shard, 0, (mesh, 1))",
        PlanRule.MISSING,
    ),
    "input overwritten": (
        FUNCTIONAL + "gathered = functional.all_gather_tensor(tensor, 0, world)\ntensor.zero_()\n"
        "return gathered.view(4, -1).sum(0)",
        PlanRule.RACE,
    ),
    "the operation itself, not waited for": (
        "operations, name = torch.ops._c10d_functional, dist.group.WORLD.group_name\n"
        "return operations.all_reduce(tensor, 'sum', name).clone()",
        PlanRule.RACE,
    ),
}


@pytest.mark.filterwarnings("ignore")
def test_what_gloo_does_not_have_is_noted(tmp_path):
    path = source(tmp_path, PLAIN["brought together"])
    (note,) = traced(path, 4, 8).notes
    assert note == "gloo brings no calls together, so that the function fails there (line 7); NCCL does"
    assert traced(source(tmp_path, PLAIN["shards brought together"]), 4, 8).notes == ()


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.filterwarnings("ignore")
def test_right_spellings(tmp_path, name):
    assert isinstance(verdict(tmp_path, PLAIN[name], elements=8), Proved)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_FUNCTIONS)
@pytest.mark.filterwarnings("ignore")
def test_functional_collectives(tmp_path, name):
    """The first takes seconds to import what torch needs for them."""
    assert isinstance(verdict(tmp_path, BY_FUNCTIONS[name], elements=8), Proved)


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.filterwarnings("ignore")
def test_wrong_spellings(tmp_path, name):
    body, rule = WRONG[name]
    found = verdict(tmp_path, body, elements=8)
    assert isinstance(found, Refuted)
    assert found.counter_example.rule == rule, found.counter_example.message


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_what_is_not_followed_of_functional_collectives_is_named(tmp_path):
    for body, reason in (
        ("return functional.all_reduce(tensor, 'max', world)", "the reduction is max; only sums and averages are"),
        (
            "dist.all_reduce(functional.all_reduce(tensor, 'sum', world))",
            "AsyncCollectiveTensor is used, but only plain tensors are supported",
        ),
    ):
        result = verdict(tmp_path, FUNCTIONAL + body)
        assert isinstance(result, Unknown)
        assert reason in result.reason
