"""Whole reductions as people write them, right and wrong, for eight ranks on two nodes of four."""

NODES = """\
rank, ranks = dist.get_rank(), dist.get_world_size()
nodes = [dist.new_group([0, 1, 2, 3]), dist.new_group([4, 5, 6, 7])]
across = [dist.new_group([i, i + 4]) for i in range(4)]
node, rail = nodes[rank // 4], across[rank % 4]
"""
SHARDS = NODES + "shard = tensor.new_empty(tensor.numel() // 4)\n"

RIGHT = {
    "in shards": SHARDS + "dist.reduce_scatter_single(shard, tensor, group=node)\ndist.all_reduce(shard, group=rail)\n"
    "dist.all_gather_single(tensor, shard, group=node)",
    "by leaders": NODES + "dist.reduce(tensor, dst=rank // 4 * 4, group=node)\n"
    "if rank % 4 == 0:\n    dist.all_reduce(tensor, group=rail)\n"
    "dist.broadcast(tensor, src=rank // 4 * 4, group=node)",
    "in shards, started and waited for": SHARDS + "first = dist.reduce_scatter_single(shard, tensor, group=node, "
    "async_op=True)\nfirst.wait()\nsecond = dist.all_reduce(shard, group=rail, async_op=True)\nsecond.wait()\n"
    "dist.all_gather_single(tensor, shard, group=node, async_op=True).wait()",
    "padded": NODES + "length = -(-tensor.numel() // 4) * 4\nwhole = tensor.new_zeros(length)\n"
    "whole[: tensor.numel()] = tensor\nshard = whole.new_empty(length // 4)\n"
    "dist.reduce_scatter_single(shard, whole, group=node)\ndist.all_reduce(shard, group=rail)\n"
    "dist.all_gather_single(whole, shard, group=node)\nreturn whole[: tensor.numel()]",
    "a mesh": "from torch.distributed.device_mesh import init_device_mesh\n"
    "mesh = init_device_mesh('cpu', (2, 4), mesh_dim_names=('node', 'gpu'))\n"
    "for name in ('gpu', 'node'):\n    dist.all_reduce(tensor, group=mesh.get_group(name))",
    "two buckets at once": "works = [dist.all_reduce(part, async_op=True) for part in tensor.chunk(2)]\n"
    "for work in works:\n    work.wait()",
    "buckets that overlap with the next": "pending = None\nfor part in tensor.chunk(4):\n"
    "    work = dist.all_reduce(part, async_op=True)\n    if pending is not None:\n        pending.wait()\n"
    "    pending = work\npending.wait()",
    "a ring": "rank, ranks = dist.get_rank(), dist.get_world_size()\nblocks = list(tensor.chunk(ranks))\n"
    "came = torch.empty_like(blocks[0])\n"
    "for step in range(ranks - 1):\n"
    "    sent = dist.isend(blocks[(rank - step) % ranks], (rank + 1) % ranks)\n"
    "    block = blocks[(rank - step - 1) % ranks]\n"
    "    dist.recv(came[: block.numel()], (rank - 1) % ranks)\n    sent.wait()\n    block += came[: block.numel()]\n"
    "for step in range(ranks - 1):\n"
    "    sent = dist.isend(blocks[(rank + 1 - step) % ranks], (rank + 1) % ranks)\n"
    "    dist.recv(blocks[(rank - step) % ranks], (rank - 1) % ranks)\n    sent.wait()",
    "halves exchanged": "rank = dist.get_rank()\nfor bit in (1, 2, 4):\n    came = torch.empty_like(tensor)\n"
    "    works = [dist.irecv(came, rank ^ bit), dist.isend(tensor, rank ^ bit)]\n    for work in works:\n"
    "        work.wait()\n    tensor += came",
    "halves exchanged, batched": "rank = dist.get_rank()\nfor bit in (1, 2, 4):\n    came = torch.empty_like(tensor)\n"
    "    calls = [dist.P2POp(dist.isend, tensor, rank ^ bit), dist.P2POp(dist.irecv, came, rank ^ bit)]\n"
    "    for work in dist.batch_isend_irecv(calls):\n        work.wait()\n    tensor += came",
    "a tree": "rank = dist.get_rank()\nfor bit in (1, 2, 4):\n    if rank % (2 * bit) == bit:\n"
    "        dist.send(tensor, rank - bit)\n    elif rank % (2 * bit) == 0:\n        came = torch.empty_like(tensor)\n"
    "        dist.recv(came, rank + bit)\n        tensor += came\ndist.broadcast(tensor, src=0)",
}

WRONG = {
    "copied before the wait": "work = dist.all_reduce(tensor, async_op=True)\nout = tensor.clone()\nwork.wait()\n"
    "return out",
    "never waits": "dist.all_reduce(tensor, async_op=True)\nreturn tensor",
    "the shard is not waited for": SHARDS + "dist.reduce_scatter_single(shard, tensor, group=node, async_op=True)\n"
    "dist.all_reduce(shard, group=rail)\ndist.all_gather_single(tensor, shard, group=node)",
    "a leader is left out": NODES + "dist.reduce(tensor, dst=rank // 4 * 4, group=node)\n"
    "if rank == 0:\n    dist.all_reduce(tensor, group=dist.new_group([0], use_local_synchronization=True))\n"
    "dist.broadcast(tensor, src=rank // 4 * 4, group=node)",
    "groups are made by their members": "rank = dist.get_rank()\n"
    "if rank < 4:\n    group = dist.new_group([0, 1, 2, 3])\nelse:\n    group = dist.new_group([4, 5, 6, 7])\n"
    "if rank == 0:\n    dist.new_group([0, 4])\ndist.all_reduce(tensor, group=group)",
    "counted twice": NODES + "dist.all_reduce(tensor, group=node)\ndist.all_reduce(tensor)",
    "gives nothing of it": "out = tensor.clone()\ndist.all_reduce(out)",
    "no padding": NODES + "whole = tensor[: tensor.numel() // 4 * 4]\nshard = whole.new_empty(whole.numel() // 4)\n"
    "dist.reduce_scatter_single(shard, whole, group=node)\ndist.all_reduce(shard, group=rail)\n"
    "dist.all_gather_single(whole, shard, group=node)",
    "a ring that adds too early": "rank, ranks = dist.get_rank(), dist.get_world_size()\ntotal, out = tensor.clone(), "
    "tensor.clone()\nfor _ in range(ranks - 1):\n    came = torch.zeros_like(tensor)\n"
    "    works = [dist.isend(out, (rank + 1) % ranks), dist.irecv(came, (rank - 1) % ranks)]\n    total += came\n"
    "    for work in works:\n        work.wait()\n    out = came\nreturn total",
    "a ring that overwrites what it sends": "rank, ranks = dist.get_rank(), dist.get_world_size()\n"
    "total, out = tensor.clone(), tensor.clone()\nfor _ in range(ranks - 1):\n    came = torch.empty_like(tensor)\n"
    "    sent = dist.isend(out, (rank + 1) % ranks)\n    out.mul_(2)\n    dist.recv(came, (rank - 1) % ranks)\n"
    "    sent.wait()\n    total += came\n    out = came\nreturn total",
    "a ring that waits for its last message": "rank, ranks = dist.get_rank(), dist.get_world_size()\n"
    "total, out = tensor.clone(), tensor.clone()\nfor _ in range(ranks - 1):\n"
    "    sent = dist.isend(out, (rank + 1) % ranks)\n    came = torch.empty_like(tensor)\n"
    "    dist.recv(came, (rank - 1) % ranks)\n    total += came\n    out = came\nsent.wait()\nreturn total",
    "everybody sends first": "rank, ranks = dist.get_rank(), dist.get_world_size()\ncame = torch.empty_like(tensor)\n"
    "dist.send(tensor, (rank + 1) % ranks)\ndist.recv(came, (rank - 1) % ranks)\ntensor += came",
    "waits for the other bucket": "first, second = tensor.tensor_split([tensor.numel() // 8])\n"
    "one = dist.all_reduce(first, async_op=True)\n"
    "two = dist.all_reduce(second, async_op=True)\nout = torch.zeros_like(tensor)\none.wait()\n"
    "out[first.numel() :] = second\nout[: first.numel()] = first\ntwo.wait()\nreturn out",
    "the last bucket stays": "works = [dist.all_reduce(part, async_op=True) for part in tensor.chunk(4)]\n"
    "for work in works[:-1]:\n    work.wait()\nreturn tensor",
}
