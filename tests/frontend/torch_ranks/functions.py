# ruff: noqa: F821 (annotations are layouts)
"""SPMD functions, right ones and wrong ones; each is run by every rank. The file is given to p2smt, and to gloo."""

import torch
import torch.distributed as dist
from torch.distributed._functional_collectives import (
    all_gather_tensor,
    all_reduce,
    all_to_all_single,
    broadcast,
    reduce_scatter_tensor,
    wait_tensor,
)
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard
from torch.nn import functional


def rows(first, last):
    """Groups of ranks that both halves of four have: neighbours, and those that are two apart."""
    made = [dist.new_group(ranks) for ranks in (first, last)]
    return made[0] if dist.get_rank() in first else made[1]


def mlp(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y)
    return y + b2


def mlp_without_all_reduce(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    return functional.gelu(x @ w1 + b1) @ w2 + b2


def mlp_reduced_twice(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y)
    dist.all_reduce(y)
    return y + b2


def mlp_bias_too_early(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2 + b2
    dist.all_reduce(y)
    return y


def mlp_in_pairs(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    group = rows([0, 1], [2, 3])
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y, group=group)
    return y + b2


def mlp_own_slices(x, w1, b1, w2, b2):
    rank, count = dist.get_rank(), dist.get_world_size()
    hidden = w1.shape[1] // count
    own = slice(rank * hidden, (rank + 1) * hidden)
    y = functional.gelu(x @ w1[:, own] + b1[own]) @ w2[own]
    dist.all_reduce(y)
    return y + b2


def mlp_same_slices(x, w1, b1, w2, b2):
    hidden = w1.shape[1] // dist.get_world_size()
    own = slice(0, hidden)
    y = functional.gelu(x @ w1[:, own] + b1[own]) @ w2[own]
    dist.all_reduce(y)
    return y + b2


def mlp_other_slices(x, w1, b1, w2, b2):
    rank, count = dist.get_rank(), dist.get_world_size()
    hidden = w1.shape[1] // count
    own = slice(rank * hidden, (rank + 1) * hidden)
    next_ = slice((rank + 1) % count * hidden, ((rank + 1) % count + 1) * hidden)
    y = functional.gelu(x @ w1[:, own] + b1[own]) @ w2[next_]
    dist.all_reduce(y)
    return y + b2


def mlp_scattered(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    part = torch.empty(y.shape[0] // dist.get_world_size(), y.shape[1], dtype=y.dtype)
    dist.reduce_scatter_tensor(part, y)
    part = part + b2
    whole = torch.empty_like(y)
    dist.all_gather_into_tensor(whole, part)
    return whole


def mlp_gathered(x: "sliced(0)", w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    y = functional.gelu(torch.cat(parts) @ w1 + b1) @ w2
    work = dist.all_reduce(y, async_op=True)
    work.wait()
    return (y + b2).chunk(dist.get_world_size())[dist.get_rank()]


def mlp_not_waited_for(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y, async_op=True)
    return y + b2


def sgd(x: "sliced(0)", y: "sliced(0)", w):
    loss = functional.mse_loss(x @ w, y)
    loss.backward()
    dist.all_reduce(w.grad)
    dist.all_reduce(loss)
    with torch.no_grad():
        w.grad /= dist.get_world_size()
        w -= 0.1 * w.grad
    return loss.detach() / dist.get_world_size()


def sgd_by_sum(x: "sliced(0)", y: "sliced(0)", w):
    loss = functional.mse_loss(x @ w, y)
    loss.backward()
    dist.all_reduce(w.grad)
    dist.all_reduce(loss)
    with torch.no_grad():
        w -= 0.1 * w.grad
    return loss.detach() / dist.get_world_size()


def sgd_alone(x: "sliced(0)", y: "sliced(0)", w):
    loss = functional.mse_loss(x @ w, y)
    loss.backward()
    total = loss.detach().clone()
    dist.all_reduce(total, op=dist.ReduceOp.AVG)
    torch.optim.SGD([w], lr=0.1).step()
    return total


def zero(x: "sliced(0)", y: "sliced(0)", w: "sliced(0)"):
    whole = torch.empty(w.shape[0] * dist.get_world_size(), w.shape[1], dtype=w.dtype)
    dist.all_gather_into_tensor(whole, w.detach())
    whole.requires_grad_()
    loss = functional.mse_loss(x @ whole, y)
    loss.backward()
    mine = torch.empty_like(w)
    dist.reduce_scatter_tensor(mine, whole.grad, op=dist.ReduceOp.AVG)
    dist.all_reduce(loss, op=dist.ReduceOp.AVG)
    with torch.no_grad():
        w.sub_(mine, alpha=0.1)
    return loss.detach()


def mlp_functional(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    world = dist.group.WORLD
    h = functional.gelu(x @ w1 + b1)
    y = reduce_scatter_tensor(h @ w2, "sum", 1, world)
    return all_gather_tensor(y, 1, world) + b2


def mlp_broadcast_functional(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    """All get what rank 0 has, and keep what they have themselves."""
    y = functional.gelu(x @ w1 + b1) @ w2
    first = broadcast(y, 0, dist.group.WORLD)
    wait_tensor(first)
    dist.all_reduce(y)
    return y + b2


def in_blocks(x, got, sent):
    made = torch.empty(sum(got), *x.shape[1:], dtype=x.dtype)
    dist.all_to_all_single(made, x, got, sent)
    return made


def mlp_blocks_got(x, w1, b1, w2, b2):
    return functional.gelu(in_blocks(x, [1, 2, 2, 3], [2, 2, 2, 2]) @ w1 + b1) @ w2 + b2


def mlp_blocks_sent(x, w1, b1, w2, b2):
    return functional.gelu(in_blocks(x, [2, 2, 2, 2], [1, 2, 2, 3]) @ w1 + b1) @ w2 + b2


def mlp_blocks_got_functional(x, w1, b1, w2, b2):
    mixed = all_to_all_single(x, [1, 2, 2, 3], [2, 2, 2, 2], dist.group.WORLD)
    return functional.gelu(mixed @ w1 + b1) @ w2 + b2


def mlp_blocks_sent_functional(x, w1, b1, w2, b2):
    mixed = all_to_all_single(x, [2, 2, 2, 2], [1, 2, 2, 3], dist.group.WORLD)
    return functional.gelu(mixed @ w1 + b1) @ w2 + b2


def mlp_blocks_too_small(x, w1, b1, w2, b2):
    return functional.gelu(in_blocks(x, [2, 2, 2, 2], [1, 1, 1, 1]) @ w1 + b1) @ w2 + b2


def mlp_blocks_too_few(x, w1, b1, w2, b2):
    return functional.gelu(in_blocks(x, [4, 4], [4, 4]) @ w1 + b1) @ w2 + b2


def mlp_too_few_gathered(x: "sliced(0)", w1, b1, w2, b2):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size() - 1)]
    dist.all_gather(parts, x)
    return functional.gelu(torch.cat(parts) @ w1 + b1) @ w2 + b2


def mlp_too_many_gathered(x: "sliced(0)", w1, b1, w2, b2):
    parts = [torch.empty_like(x) for _ in range(dist.get_world_size() + 1)]
    dist.all_gather(parts, x)
    return functional.gelu(torch.cat(parts[:-1]) @ w1 + b1) @ w2 + b2


def mlp_blocks_too_small_functional(x, w1, b1, w2, b2):
    mixed = all_to_all_single(x, [1, 1, 1, 1], [2, 2, 2, 2], dist.group.WORLD)
    return functional.gelu(mixed @ w1 + b1) @ w2 + b2


def mlp_blocks_too_few_functional(x, w1, b1, w2, b2):
    mixed = all_to_all_single(x, [4, 4], [4, 4], dist.group.WORLD)
    return functional.gelu(mixed @ w1 + b1) @ w2 + b2


def mlp_of_everything(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    world = dist.group.WORLD
    h = functional.gelu(x @ all_gather_tensor(w1, 1, world) + all_gather_tensor(b1, 0, world))
    return all_reduce(h @ all_gather_tensor(w2, 0, world), "avg", world) + b2


def cut(mesh, tensor, *placements):
    return DTensor.from_local(tensor, mesh, placements, run_check=False)


def mlp_dtensor(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    h = functional.gelu(cut(mesh, x, Replicate()) @ cut(mesh, w1, Shard(1)) + cut(mesh, b1, Shard(0)))
    y = (h @ cut(mesh, w2, Shard(0))).redistribute(mesh, [Replicate()])
    return y + cut(mesh, b2, Replicate())


def mlp_dtensor_to_rows(x: "sliced(0)", w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    whole = cut(mesh, x, Shard(0)).redistribute(mesh, [Replicate()])
    h = functional.gelu(whole @ cut(mesh, w1, Shard(1)) + cut(mesh, b1, Shard(0)))
    y = (h @ cut(mesh, w2, Shard(0))).redistribute(mesh, [Shard(1)])
    return y.redistribute(mesh, [Shard(0)]) + cut(mesh, b2, Replicate())


def mlp_dtensor_that_lies(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    """It says of summands that they are the sum."""
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    h = functional.gelu(cut(mesh, x, Replicate()) @ cut(mesh, w1, Shard(1)) + cut(mesh, b1, Shard(0)))
    y = (h @ cut(mesh, w2, Shard(0))).to_local()
    return cut(mesh, y, Replicate()) + cut(mesh, b2, Replicate())


def mlp_dtensor_left_partial(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    h = functional.gelu(cut(mesh, x, Replicate()) @ cut(mesh, w1, Shard(1)) + cut(mesh, b1, Shard(0)))
    y = (h @ cut(mesh, w2, Shard(0)) + cut(mesh, b2 / dist.get_world_size(), Partial())).to_local()
    dist.all_reduce(y)
    return y


def mlp_both(x: "sliced(0, data)", w1: "sliced(1, model)", b1: "sliced(0, model)", w2: "sliced(0, model)", b2):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y, group=mesh.get_group("model"))
    return y + b2


def mlp_both_wrong(x: "sliced(0, data)", w1: "sliced(1, model)", b1: "sliced(0, model)", w2: "sliced(0, model)", b2):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y, group=mesh.get_group("data"))
    return y + b2


def sgd_both(x: "sliced(0, data)", y: "sliced(0, data)", w: "sliced(1, model)"):
    mesh = init_device_mesh("cpu", (2, 2), mesh_dim_names=("data", "model"))
    gathered = torch.empty(2 * w.shape[1], w.shape[0], dtype=w.dtype)
    dist.all_gather_into_tensor(gathered, w.detach().t().contiguous(), group=mesh.get_group("model"))
    whole = gathered.t().requires_grad_()
    loss = functional.mse_loss(x @ whole, y)
    (gradient,) = torch.autograd.grad(loss, whole)
    dist.all_reduce(gradient, op=dist.ReduceOp.AVG, group=mesh.get_group("data"))
    dist.all_reduce(loss, op=dist.ReduceOp.AVG, group=mesh.get_group("data"))
    rank = mesh.get_local_rank("model")
    with torch.no_grad():
        w -= 0.1 * gradient.chunk(2, 1)[rank]
    return loss.detach()


def mlp_of_chance(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.dropout(functional.gelu(x @ w1 + b1), 0.5) @ w2
    dist.all_reduce(y)
    return y + b2


def mlp_of_values(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    if y.sum() > 0:
        dist.all_reduce(y)
    return y + b2


def mlp_unknown(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = torch.special.i0(x @ w1 + b1) @ w2
    dist.all_reduce(y)
    return y + b2


def mlp_on_some(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    if dist.get_rank():
        dist.all_reduce(y)
    return y + b2


def mlp_reduced_otherwise(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.all_reduce(y, dist.ReduceOp.MAX if dist.get_rank() == 2 else dist.ReduceOp.SUM)
    return y + b2


def mlp_averaged_by_one(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y, first, operations = functional.gelu(x @ w1 + b1) @ w2, dist.get_rank() == 0, dist.ReduceOp
    y = (dist.all_reduce(y, operations.AVG if first else operations.SUM), y if first else y / 4)[1]
    return y * 4 + b2


def mlp_scattered_by_one(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y, first, world = functional.gelu(x @ w1 + b1) @ w2, dist.get_rank() == 0, dist.group.WORLD
    part = reduce_scatter_tensor(y, "sum", 0, world) / 4 if first else reduce_scatter_tensor(y, "avg", 0, world)
    return all_gather_tensor(part * 4, 0, world) + b2


def mlp_of_other_types(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = (functional.gelu(x @ w1 + b1) @ w2).to(torch.float16 if dist.get_rank() == 3 else torch.float32)
    dist.all_reduce(y)
    return y.to(torch.float64) + b2


def mlp_of_other_lengths(x, w1, b1, w2, b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.broadcast(y[: 4 if dist.get_rank() == 3 else 8].clone(), 0)
    return y + b2


def mlp_from_other_roots(x, w1, b1, w2, b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.broadcast(y, int(dist.get_rank() == 3))
    return y + b2


def mlp_rooted(x, w1: "sliced(1)", b1: "sliced(0)", w2: "sliced(0)", b2):
    y = functional.gelu(x @ w1 + b1) @ w2
    dist.reduce(y, 0)
    dist.broadcast(y, 0)
    return y + b2


def relu(x: "sliced(1)", w: "sliced(0)"):
    y = x @ w
    seen = y.view(-1)
    dist.all_reduce(y)
    return torch.relu(seen).view(y.shape)


def relu_of_summands(x: "sliced(1)", w: "sliced(0)"):
    """Positive numbers do not show it."""
    y = torch.relu(x @ w)
    dist.all_reduce(y)
    return y


def relu_stacked(x: "sliced(0)", w):
    y = torch.relu(x @ w)
    whole = torch.empty(dist.get_world_size(), *y.shape, dtype=y.dtype)
    dist.all_gather_into_tensor(whole, y)
    return whole.flatten(0, 1)


def relu_transposed(x: "sliced(0)", w):
    y = torch.relu(x @ w).t().contiguous()
    parts = [torch.empty_like(y) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, y)
    return torch.cat(parts, 1).t().contiguous()


def relu_in_columns(x: "sliced(0)", w):
    """As many blocks of the other dimension as there are ranks, which are no rank's own."""
    y = torch.relu(x @ w)
    whole = torch.empty(dist.get_world_size() * y.shape[0], *y.shape[1:], dtype=y.dtype)
    dist.all_gather_into_tensor(whole, y)
    return torch.cat(whole.chunk(dist.get_world_size(), 1), 1)


def relu_in_another_order(x: "sliced(0)", w):
    y = torch.relu(x @ w)
    parts = [torch.empty_like(y) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, y)
    return torch.cat(parts[::-1])


def relu_written_in_parts(x: "sliced(1)", w: "sliced(0)"):
    y = x @ w
    dist.all_reduce(y)
    y[:4].relu_()
    y[4:].relu_()
    return y


def relu_written_above(x: "sliced(1)", w: "sliced(0)"):
    y = x @ w
    dist.all_reduce(y)
    above, below = y[:4], y[4:]
    with torch.no_grad():
        above.relu_()
        return torch.cat([above, below.relu()])


def attention(x, q: "sliced(1)", k: "sliced(1)", v: "sliced(1)", o: "sliced(0)"):
    heads = q.shape[1] // 2
    qs, ks, vs = ((x @ each).view(2, 5, heads, 2).transpose(1, 2) for each in (q, k, v))
    weights = (qs @ ks.transpose(2, 3) / 2).softmax(-1)
    y = (weights @ vs).transpose(1, 2).reshape(2, 5, heads * 2) @ o
    dist.all_reduce(y)
    return y


def table_in_parts(i, table: "sliced(0)"):
    """What is looked up counts from the first row of all, and each rank has rows of its own."""
    y = functional.embedding(i, table)
    dist.all_reduce(y)
    return y
