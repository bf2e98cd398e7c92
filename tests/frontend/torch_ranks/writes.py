# ruff: noqa: F821 (annotations are layouts)
"""Functions that write through lists, views, `.data`, `out=` and calls in flight: each is compared with w * 0.5."""

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.nn import functional
from torch.optim.swa_utils import get_ema_multi_avg_fn


def half(w):
    return w.detach() * 0.5


def written_in_a_list(w: "sliced(1)"):
    d = half(w)
    torch._foreach_mul_([d], 0.5)
    return d


def halved_in_a_list(w: "sliced(1)"):
    d = w.detach().clone()
    torch._foreach_mul_([d], 0.5)
    return d


def averaged_in_a_list(w: "sliced(1)"):
    d, zero = w.detach().clone(), torch.zeros_like(w)
    get_ema_multi_avg_fn(0.5)([d], [zero], 0)
    return d


def copied_into_a_list(w: "sliced(1)"):
    d = half(w)
    torch._foreach_copy_([d], [d * 2])
    return d


def with_numbers_for_each(w: "sliced(1)"):
    one, two = w.detach().clone(), w.detach().clone()
    torch._foreach_addcmul_([one, two], [two, one], [torch.ones_like(w)] * 2, [-0.5, 1.0])
    return one


def unscaled(w: "sliced(1)"):
    d = w.detach().clone()
    torch._amp_foreach_non_finite_check_and_unscale_([d], torch.zeros(1), torch.full((1,), 0.5))
    return d


def gradients_cleared(w: "sliced(1)"):
    p = w.detach().clone().requires_grad_()
    o = torch.optim.SGD([p], 0.1, foreach=True)
    (p * 0.25).sum().backward()
    o.zero_grad(set_to_none=False)
    (p * 0.25).sum().backward()
    return p.grad * w.detach()


def stepped_foreach(w: "sliced(1)"):
    p = torch.nn.Parameter(half(w))
    p.grad = torch.ones_like(p)
    torch.optim.AdamW([p], lr=0.5, foreach=True).step()
    return p.detach()


def stepped_by_half(w: "sliced(1)"):
    p = torch.nn.Parameter(w.detach().clone())
    p.grad = w.detach().clone()
    torch.optim.SGD([p], lr=0.5, foreach=True).step()
    return p.detach()


def stepped_fused(w: "sliced(1)"):
    p = torch.nn.Parameter(half(w))
    p.grad = torch.ones_like(p)
    torch.optim.AdamW([p], lr=0.5, fused=True).step()
    return p.detach()


def split_into(w: "sliced(1)"):
    d = half(w)
    torch.split_with_sizes_copy(torch.zeros(16, d.shape[1], dtype=w.dtype), [8, 8], out=[d, torch.empty_like(d)])
    return d


def data_assigned(w: "sliced(1)"):
    p = torch.nn.Parameter(half(w))
    p.data = p.data * 2
    return p.detach()


def data_assigned_right(w: "sliced(1)"):
    p = torch.nn.Parameter(w.detach().clone())
    p.data = half(w)
    return p.detach()


def data_shared(w: "sliced(1)"):
    """What is written through one is seen through the other."""
    p, d = torch.nn.Parameter(w.detach().clone()), w.detach().clone()
    p.data = d
    d.mul_(0.5)
    return p.detach()


def from_a_vector(w: "sliced(1)"):
    p = torch.nn.Parameter(w.detach().clone())
    torch.nn.utils.vector_to_parameters(half(w).reshape(-1), [p])
    return p.detach()


def second_part_written_then_all(w: "sliced(1)"):
    """The part is the second result of a split, and what was written there the first of a product."""
    d = w.detach().clone()
    first, second = d.chunk(2)
    second.mul_(3.0)
    d.copy_(half(w))
    return torch.cat([first, second])


def set_to_other_memory(w: "sliced(1)"):
    d = half(w)
    d.set_(w.detach() * 0.25)
    return d


def running_mean(w: "sliced(1)"):
    mean = torch.zeros(w.shape[1], dtype=w.dtype)
    functional.batch_norm(w.detach(), mean, torch.ones(w.shape[1], dtype=w.dtype), training=True, momentum=1.0)
    return half(w) + mean


def running_mean_that_is_not_read(w: "sliced(1)"):
    mean = torch.zeros(w.shape[1], dtype=w.dtype)
    functional.batch_norm(w.detach(), mean, torch.ones(w.shape[1], dtype=w.dtype), training=True)
    return half(w)


def storage_filled(w: "sliced(1)"):
    d = half(w)
    d.untyped_storage().fill_(0)
    return d


def overlapping(w: "sliced(1)"):
    d = torch.cat([half(w), half(w)], 1)
    torch.mul(d[:, 1:4], 1.0, out=d[:, :3])
    return d[:, :3]


def constant_that_is_reduced(w: "sliced(1)"):
    """`item` must not give what torch knows of the elements from before."""
    t = torch.tensor([0.25])
    dist.all_reduce(t)
    return w.detach() * t.item()


def with_the_error_caught(w: "sliced(1)"):
    try:
        if w.sum() > 0:
            return half(w) * 2
    except RuntimeError:
        pass
    return half(w)


def drawn(w: "sliced(1)"):
    return half(w) + functional.dropout(torch.ones_like(w), 0.5)


def drawn_and_not_used(w: "sliced(1)"):
    layer = torch.nn.Linear(3, 3)
    with torch.no_grad():
        layer.weight.copy_(torch.full((3, 3), 0.25))
    return w.detach() * 2 * layer.weight[0, 0].detach()


def custom(w: "sliced(1)"):
    d = half(w)
    torch.ops.mylib.zero_it(d)
    return d


@torch.library.custom_op("mylib::zero_it", mutates_args=("x",))
def _zero_it(x: torch.Tensor) -> None:
    x.zero_()


@_zero_it.register_fake
def _(x):
    return None


def cut_result(w):
    m = init_device_mesh("cpu", (dist.get_world_size(),))
    d = DTensor.from_local(w.detach(), m, [Replicate()], run_check=False)
    return (d * 0.5).redistribute(placements=[Shard(1)]).to_local()


def whole_and_cut(w: "sliced(1)"):
    m = init_device_mesh("cpu", (dist.get_world_size(),))
    d = DTensor.from_local(w.detach(), m, [Shard(1)], run_check=False)
    z = d.redistribute(placements=[Replicate()])
    return (z * 0.25 + d * 0.25).to_local()


def gathering(w, meddle=lambda buffer, out: None, wait=True):
    buffer = half(w).t().contiguous()
    out = torch.empty(dist.get_world_size() * buffer.shape[0], buffer.shape[1], dtype=w.dtype)
    handle = dist.all_gather_into_tensor(out, buffer, async_op=True)
    meddle(buffer, out)
    if wait:
        handle.wait()
    return out.t()


def gathered(w: "sliced(1)"):
    return gathering(w)


def gathered_beside_other_work(w: "sliced(1)"):
    return gathering(w, lambda buffer, out: buffer.sum())


def input_in_flight(w: "sliced(1)"):
    return gathering(w, lambda buffer, out: buffer.zero_())


def input_in_flight_in_a_list(w: "sliced(1)"):
    return gathering(w, lambda buffer, out: torch._foreach_zero_([buffer]))


def output_in_flight(w: "sliced(1)"):
    return gathering(w, lambda buffer, out: torch.neg(out, out=out))


def not_waited_for(w: "sliced(1)"):
    return gathering(w, wait=False)


def left_alone(w: "sliced(1)"):
    dist.all_reduce(torch.ones(3), async_op=True)
    return half(w)


def asked_whether_done(w: "sliced(1)"):
    handle = dist.all_reduce(torch.ones(3), async_op=True)
    d = half(w) if handle.is_completed() else w.detach() * 0.5
    handle.wait()
    return d


def barriers(w: "sliced(1)"):
    dist.barrier()
    dist.barrier(async_op=True).wait()
    return half(w)


def barrier_on_one_rank(w: "sliced(1)"):
    if dist.get_rank() == 0:
        dist.barrier()
    return half(w)


def group_on_one_rank(w: "sliced(1)"):
    if dist.get_rank() == 0:
        dist.new_group([0])
    return half(w)


def objects_exchanged(w: "sliced(1)"):
    found = [None] * dist.get_world_size()
    dist.all_gather_object(found, 1)
    return half(w)
