"""Kinds of statements of random functions: what each writes, and through what."""

from collections.abc import Callable, Mapping

from functions_to_break import COLUMNS, RANKS, ROWS, Writer, combined, scaled

SHAPE = {False: (ROWS, COLUMNS // RANKS), True: (ROWS, COLUMNS)}


def in_place(w: Writer) -> None:
    x, c = w.any(whole=False), w.number()
    y = w.like(x)
    line, new = w.random.choice(
        (
            (f"{x.name}.mul_({c})", lambda m, k, p: scaled(p, c)),
            (f"{x.name} *= {c}", lambda m, k, p: scaled(p, c)),
            (f"{x.name}.add_({c})", lambda m, k, p: (p[0], p[1] + c)),
            (f"{x.name}.neg_()", lambda m, k, p: scaled(p, -1)),
            (f"{x.name}.zero_()", lambda m, k, p: (0.0, 0.0)),
            (f"{x.name}.fill_({c})", lambda m, k, p: (0.0, c)),
            (f"{x.name}[...] = {c}", lambda m, k, p: (0.0, c)),
            (f"{x.name}.copy_({y.name})", lambda m, k, p: combined(m, k, (0.0, 0.0), y, 1)),
            (f"{x.name}.add_({y.name}, alpha={c})", lambda m, k, p: combined(m, k, p, y, c)),
            (f"{x.name}.sub_({y.name})", lambda m, k, p: combined(m, k, p, y, -1)),
            (f"{x.name}.lerp_({y.name}, 0.5)", lambda m, k, p: combined(m, k, scaled(p, 0.5), y, 0.5)),
        )
    )
    w.writes(line, x, new)


def foreach(w: Writer) -> None:
    x, c = w.any(whole=False), w.number()
    y = w.like(x)
    line, new = w.random.choice(
        (
            (f"torch._foreach_mul_([{x.name}], {c})", lambda m, k, p: scaled(p, c)),
            (f"torch._foreach_mul_([{x.name}], [{c}])", lambda m, k, p: scaled(p, c)),
            (f"torch._foreach_div_([{x.name}], 2.0)", lambda m, k, p: scaled(p, 0.5)),
            (f"torch._foreach_add_([{x.name}], {c})", lambda m, k, p: (p[0], p[1] + c)),
            (f"torch._foreach_add_([{x.name}], [{y.name}], alpha={c})", lambda m, k, p: combined(m, k, p, y, c)),
            (f"torch._foreach_sub_([{x.name}], [{y.name}])", lambda m, k, p: combined(m, k, p, y, -1)),
            (f"torch._foreach_zero_([{x.name}])", lambda m, k, p: (0.0, 0.0)),
            (f"torch._foreach_neg_([{x.name}])", lambda m, k, p: scaled(p, -1)),
            (f"torch._foreach_copy_([{x.name}], [{y.name}])", lambda m, k, p: combined(m, k, (0.0, 0.0), y, 1)),
            (
                f"torch._foreach_lerp_([{x.name}], [{y.name}], 0.5)",
                lambda m, k, p: combined(m, k, scaled(p, 0.5), y, 0.5),
            ),
            (
                f"torch._foreach_addcmul_([{x.name}], [{y.name}], [torch.ones_like({y.name})], value={c})",
                lambda m, k, p: combined(m, k, p, y, c),
            ),
            (
                f"get_ema_multi_avg_fn(0.5)([{x.name}], [{y.name}], 0)",
                lambda m, k, p: combined(m, k, scaled(p, 0.5), y, 0.5),
            ),
            (
                f"torch._amp_foreach_non_finite_check_and_unscale_([{x.name}], torch.zeros(1), torch.full((1,), {c}))",
                lambda m, k, p: scaled(p, c),
            ),
        )
    )
    w.writes(line, x, new)


def foreach_new(w: Writer) -> None:
    x, c = w.any(), w.number()
    y = w.like(x)
    if w.random.random() < 0.5:
        w.fresh(
            f"({{}},) = torch._foreach_mul([{x.name}], {c})",
            x,
            lambda m: {k: scaled(p, c) for k, p in x.cells(m).items()},
        )
    else:
        w.fresh(
            f"({{}},) = torch._foreach_add([{x.name}], [{y.name}], alpha={c})",
            x,
            lambda m: {k: combined(m, k, p, y, c) for k, p in x.cells(m).items()},
        )


def new(w: Writer) -> None:
    x, c = w.any(), w.number()
    w.fresh(f"{{}} = {x.name} * {c} + 1.0", x, lambda m: {k: (p[0] * c, p[1] * c + 1.0) for k, p in x.cells(m).items()})


def view(w: Writer) -> None:
    x = w.any()
    rows, columns = SHAPE[x.wide]
    part = w.random.choice(("", "", "t", "b"))
    if part:
        place = "tb".index(part)
        how = w.random.choice(
            (
                f"[{4 * place}:{4 * place + 4}]",
                f".chunk(2)[{place}]",
                f".split(4)[{place}]",
                f".narrow(0, {4 * place}, 4)",
                f".unflatten(0, (2, 4)).unbind()[{place}]",
            )
        )
        w.alias(f"{{}} = {x.name}{how}", x, part)
        return
    how = w.random.choice(
        (
            f"view({rows}, {columns})",
            "detach()",
            "data",
            "t().t()",
            "view_as(w1)",
            "alias()",
            f"reshape(-1).view({rows}, {columns})",
            "unsqueeze(0).squeeze(0)",
            "chunk(1)[0]",
        )
    )
    if how == "alias()":
        w.alias(f"{{}} = torch.ops.aten.alias({x.name})", x)
    else:
        w.alias(f"{{}} = {x.name}.{how}" if how != "view_as(w1)" or not x.wide else f"{{}} = {x.name}.detach()", x)


def moved(w: Writer) -> None:
    """A tensor that is made to look at the memory of another."""
    x = w.any()
    y = w.like(x)
    p = w.copy(y)
    w.variables.remove(p)
    w.random.choice(
        (
            lambda: w.say(f"{p.name}.data = {x.name}"),
            lambda: w.say(f"{p.name}.set_({x.name})"),
            lambda: (w.say(f"{p.name} = torch.nn.Parameter({p.name})"), w.say(f"{p.name}.data = {x.name}.detach()")),
            lambda: (
                w.say(f"{p.name} = torch.nn.Parameter({p.name})"),
                w.say(f"torch.nn.utils.vector_to_parameters({x.name}.reshape(-1), [{p.name}])"),
            ),
        )
    )()
    w.alias(f"{{}} = {p.name}.detach()", x)


def out(w: Writer) -> None:
    x, c = w.any(), w.number()
    y = w.like(x)
    z = w.copy(x)
    line, new_ = w.random.choice(
        (
            (f"torch.mul({x.name}, {c}, out={z.name})", lambda m, k, p: scaled(x.cells(m)[k], c)),
            (
                f"torch.add({x.name}, {y.name}, alpha={c}, out={z.name})",
                lambda m, k, p: combined(m, k, x.cells(m)[k], y, c),
            ),
            (
                f"torch.split_with_sizes_copy(torch.cat([{y.name}, {x.name}]), [8, 8], out=[{z.name}, torch.empty_like("
                f"{x.name})])",
                lambda m, k, p: combined(m, k, (0.0, 0.0), y, 1),
            ),
            (
                f"torch.cat([{y.name}[:4], {y.name}[4:]], out={z.name})",
                lambda m, k, p: combined(m, k, (0.0, 0.0), y, 1),
            ),
            (f"torch.neg({y.name}, out={z.name})", lambda m, k, p: combined(m, k, (0.0, 0.0), y, -1)),
        )
    )
    w.writes(line, z, new_)


def optimizer(w: Writer) -> None:
    x, c = w.any(), abs(w.number())
    y = w.like(x)
    p = w.copy(x)
    w.say(f"p = torch.nn.Parameter({p.name})")
    how = w.random.choice(
        ("foreach=True", "foreach=False", "fused=True", "foreach=True, momentum=0.5", "maximize=True")
    )
    w.say(f"o = torch.optim.SGD([p], {c}, {how})")
    w.say(f"p.grad = {y.name}.clone()")
    cleared = w.random.random() < 0.3
    if cleared:
        w.say("o.zero_grad(set_to_none=False)")
        w.say("(p * 0.5).sum().backward()")
    by = c if how == "maximize=True" else -c
    w.writes("o.step()", p, lambda m, k, old: (old[0], old[1] + by * 0.5) if cleared else combined(m, k, old, y, by))


def on_one_rank(w: Writer) -> None:
    x, c = w.any(wide=False, whole=False), w.number()
    w.writes(f"if dist.get_rank() == 1: {x.name}.mul_({c})", x, lambda m, k, p: scaled(p, c) if k[0] else p)


def gathered(w: Writer) -> None:
    """Whole rows, by a call that is waited for in time, too late or never."""
    x = w.any(wide=False)
    b = w.fresh(f"{{}} = {x.name}.t().contiguous()", x, x.cells)
    w.variables.remove(b)
    w.say(f"g = torch.empty({COLUMNS}, {ROWS}, dtype=torch.float64)")
    how = w.random.random()
    if how < 0.3:
        w.say(f"dist.all_gather_into_tensor(g, {b.name})")
    else:
        w.say(f"h = dist.all_gather_into_tensor(g, {b.name}, async_op=True)")
        meddling = w.random.choice(
            (
                "",
                "",
                f"{b.name}.zero_()",
                f"torch._foreach_zero_([{b.name}])",
                "g.mul_(1.0)",
                f"torch.neg({b.name}, out=g[:3])",
                "g = g.clone()",
                f"{x.name}.mul_(1.0)",
                f"{b.name}.data.zero_()",
                "keep = g[:3] * 1.0",
            )
        )
        if meddling:
            w.say(meddling)
            w.races |= not meddling.startswith(x.name)
        if w.random.random() < 0.9:
            w.say("h.wait()")
        else:
            w.races = True
    whole = w.fresh("{} = g.t()", x, x.cells)
    w.variables[-1] = type(whole)(whole.name, whole.storage, "tb", True)


def functional(w: Writer) -> None:
    x = w.any(wide=False)
    whole = w.fresh(f"{{}} = all_gather_tensor({x.name}, 1, dist.group.WORLD) * 1.0", x, x.cells)
    w.variables[-1] = type(whole)(whole.name, whole.storage, "tb", True)


def together(w: Writer) -> None:
    line = w.random.choice(
        (
            "dist.barrier()",
            "dist.new_group([0])",
            "h = dist.barrier(async_op=True); h.wait()",
            "if dist.get_rank() == 0: dist.barrier()",
            "if dist.get_rank() == 0: dist.new_group([0])",
            "s = torch.ones(3); dist.all_reduce(s)",
            "s = torch.ones(3); dist.broadcast(s, 1)",
            "if dist.get_rank() == 1: dist.all_reduce(torch.ones(3))",
        )
    )
    w.hangs |= line.startswith("if")
    w.say(line)


def dtensor(w: Writer) -> None:
    x, c = w.any(wide=False), w.number()
    w.say("m = init_device_mesh('cpu', (dist.get_world_size(),))")
    w.say(f"d = DTensor.from_local({x.name}, m, [Shard(1)], run_check=False)")
    which = w.random.choice(("new", "in place", "foreach", "cut", "whole"))
    if which == "in place":
        w.writes(f"d.mul_({c})", x, lambda m, k, p: scaled(p, c))
    elif which == "foreach":
        w.writes(f"torch._foreach_mul_([d], {c})", x, lambda m, k, p: scaled(p, c))
    elif which == "new":
        w.fresh(f"{{}} = (d * {c} + d).to_local()", x, lambda m: {k: scaled(p, c + 1) for k, p in x.cells(m).items()})
    elif which == "cut":
        w.say(f"d = d.redistribute(placements=[Replicate()]) * {c}")
        w.fresh(
            "{} = d.redistribute(placements=[Shard(1)]).to_local().clone()",
            x,
            lambda m: {k: scaled(p, c) for k, p in x.cells(m).items()},
        )
    else:
        whole = w.fresh(
            f"{{}} = (d * {c}).redistribute(placements=[Replicate()]).to_local().clone()",
            x,
            lambda m: {k: scaled(p, c) for k, p in x.cells(m).items()},
        )
        w.variables[-1] = type(whole)(whole.name, whole.storage, "tb", True)


def chance(w: Writer) -> None:
    x = w.any()
    w.say(w.random.choice(("torch.rand(3)", f"torch.nn.functional.dropout({x.name}, 0.5)", "torch.randn(2).mul_(2)")))


def storages(w: Writer) -> None:
    x = w.copy(w.any())
    w.writes(f"{x.name}.untyped_storage().fill_(0)", x, lambda m, k, p: (0.0, 0.0))


STATEMENTS: Mapping[str, Callable[[Writer], None]] = {
    "in place": in_place,
    "foreach": foreach,
    "foreach, new": foreach_new,
    "new": new,
    "view": view,
    "moved": moved,
    "out": out,
    "optimizer": optimizer,
    "on one rank": on_one_rank,
    "gathered": gathered,
    "functional": functional,
    "together": together,
    "dtensor": dtensor,
    "chance": chance,
    "storages": storages,
}
