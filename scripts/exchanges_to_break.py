"""Kinds of statements of random functions in which ranks differ or exchange blocks, and identities over fields.

Some are wrong on purpose: what they do to blocks is then not what is written down, which real ranks show.
"""

from collections.abc import Callable, Mapping

from functions_to_break import COLUMNS, RANKS, ROWS, Writer, scaled

WIDTH = COLUMNS // RANKS


def messages(w: Writer) -> None:
    """A block that the other rank scales and sends back, by calls that meet or not."""
    x, mine, theirs = w.any(wide=False), w.number(), w.number()
    y = w.fresh(
        f"{{}} = torch.empty({ROWS}, {WIDTH}, dtype=torch.float64)",
        x,
        lambda m: {k: scaled(p, (theirs, mine)[k[0]]) for k, p in x.cells(m).items()},
    )
    w.variables.remove(y)
    w.say(f"a, other = {x.name}.clone().contiguous(), 1 - dist.get_rank()")
    how = w.random.choice(("batch", "order", "both receive", "not waited", "tags"))
    back = f"b = {y.name} * ({mine} if dist.get_rank() == 0 else {theirs})"
    if how == "batch":
        w.say(
            f"for r in dist.batch_isend_irecv([dist.P2POp(dist.isend, a, other), dist.P2POp(dist.irecv, {y.name}, "
            "other)]): r.wait()"
        )
    elif how == "order":
        w.say(f"if dist.get_rank() == 0: dist.send(a, 1); dist.recv({y.name}, 1)")
        w.say(f"else: dist.recv({y.name}, 0); dist.send(a, 0)")
    elif how == "tags":
        w.say(f"r = dist.isend(a, other, tag=3); dist.recv({y.name}, other, tag=3); r.wait()")
    elif how == "both receive":
        w.hangs = True
        w.say(f"dist.recv({y.name}, other); dist.send(a, other)")
    else:
        w.races = True
        w.say(f"r = dist.irecv({y.name}, other); s = dist.isend(a, other); {y.name} *= 1.0; r.wait(); s.wait()")
    w.say(back)
    w.say(f"r = dist.isend(b, other); dist.recv({y.name}, other); r.wait()")
    w.variables.append(y)


def rooted(w: Writer) -> None:
    """Blocks that one rank collects and hands out again, in order or not; sums that one rank has."""
    x, root = w.any(wide=False), w.random.randrange(RANKS)
    turned = w.random.choice(("", "", "[::-1]"))
    if w.random.random() < 0.5:
        w.say(f"a = {x.name}.clone().contiguous(); l = [torch.empty_like(a) for _ in range({RANKS})]")
        w.say(f"dist.gather(a, l if dist.get_rank() == {root} else None, dst={root}); b = torch.empty_like(a)")
        w.say(f"dist.scatter(b, l{turned} if dist.get_rank() == {root} else None, src={root})")
        w.fresh("{} = b * 1.0", x, x.cells)
        return
    other = root if not turned else 1 - root
    w.say(f"z = torch.zeros({ROWS}, {COLUMNS}, dtype=torch.float64)")
    w.say(f"z[:, dist.get_rank() * {WIDTH}:(dist.get_rank() + 1) * {WIDTH}] = {x.name}")
    w.say(f"dist.reduce(z, {root}); dist.broadcast(z, {other})")
    whole = w.fresh("{} = z * 1.0", x, x.cells)
    w.variables[-1] = type(whole)(whole.name, whole.storage, "tb", True)


def lists(w: Writer) -> None:
    """Columns that go to their ranks, in equal or unequal blocks, and come back."""
    x = w.any(wide=True) if any(each.wide and each.parts == "tb" for each in w.variables) else None
    if x is None:
        rooted(w)
        return
    w.say(f"l = [each.contiguous() for each in {x.name}.chunk({RANKS}, 1)]; o = [torch.empty_like(l[0]) for _ in l]")
    w.say("dist.all_to_all(o, l)")
    w.fresh(f"{{}} = torch.stack(o).mean(0) * {w.random.choice(('1.0', '1.0', '2.0'))}", x, x.cells)
    made = w.variables[-1]
    w.variables[-1] = type(made)(made.name, made.storage, "tb", False)


def branches(w: Writer) -> None:
    """Ranks that do other things to their block."""
    x, c, d = w.any(wide=False, whole=False), w.number(), w.number()
    line, new = w.random.choice(
        (
            (
                f"{x.name}.mul_({c}) if dist.get_rank() == 0 else {x.name}.mul_({d})",
                lambda m, k, p: scaled(p, (c, d)[k[0]]),
            ),
            (
                f"{x.name}.mul_({c}) if dist.get_rank() == 1 else {x.name}.add_({d})",
                lambda m, k, p: scaled(p, c) if k[0] else (p[0], p[1] + d),
            ),
            (f"{x.name}.add_(dist.get_rank())", lambda m, k, p: (p[0], p[1] + k[0])),
            (f"{x.name}.mul_(1 - dist.get_rank())", lambda m, k, p: scaled(p, 1 - k[0])),
            (
                f"{x.name} += {x.name}.neg() * dist.get_rank() + {x.name} * (dist.get_rank() == 0)",
                lambda m, k, p: scaled(p, 0 if k[0] else 2),
            ),
        )
    )
    w.writes(line, x, new)


def flat(w: Writer) -> None:
    """Two views of one buffer, which is written as a whole."""
    x, c = w.any(wide=False), w.number()
    half = ROWS * WIDTH
    w.say(f"f = torch.zeros({2 * half}, dtype=torch.float64)")
    cleared = lambda m: dict.fromkeys(x.cells(m), (0.0, 0.0))  # noqa: E731
    made = [w.fresh(f"{{}} = f[{start}:{start + half}].view({ROWS}, {WIDTH})", x, cleared) for start in (0, half)]
    one, other = made
    w.writes(f"{one.name}.copy_({x.name})", one, lambda m, k, p: x.cells(m)[k])
    w.writes(f"f.mul_({c}); f[{half}:].add_({c})", other, lambda m, k, p: (p[0] * c, p[1] * c + c))
    w.effects.append(lambda m: m.write(one.storage, {k: scaled(p, c) for k, p in one.cells(m).items()}))


def masks(w: Writer) -> None:
    """The upper half, by a mask, a bound or every other row; now and then a row too many."""
    x, c = w.any(wide=False), w.number()
    half = ROWS // 2
    bound = w.random.choice((half, half, half + 1))
    line, new = w.random.choice(
        (
            (
                f"{x.name}.copy_(torch.where(torch.arange({ROWS})[:, None] < {bound}, {x.name} * {c}, {x.name}))",
                lambda m, k, p: scaled(p, c) if k[1] == "t" else p,
            ),
            (f"{x.name}[torch.arange({ROWS}) < {bound}] = {c}", lambda m, k, p: (0.0, c) if k[1] == "t" else p),
            (
                f"{x.name}.mul_((torch.arange({ROWS}) >= {bound})[:, None])",
                lambda m, k, p: scaled(p, 0) if k[1] == "t" else p,
            ),
            (f"{x.name}[::2] *= {c}; {x.name}[{w.random.choice((1, 1, 3))}::2] *= {c}", lambda m, k, p: scaled(p, c)),
        )
    )
    w.writes(line, x, new)


def identities(w: Writer) -> None:
    """Exponentials, roots and maxima that cancel each other, or nearly."""
    x, c = w.any(wide=False), abs(w.number())
    factor = w.random.choice(
        (
            "torch.softmax({0}, 1).sum(1, keepdim=True)",
            "torch.softmax({0}, 1) / torch.softmax({0} - {0}.amax(1, keepdim=True), 1)",
            "torch.exp({0} - {1}) * torch.exp({1} - {0})",
            "torch.exp(torch.log_softmax({0}, 1)) / torch.softmax({0} * 1.0, 1)",
            "torch.softmax({0}, 1) / torch.softmax({0} * {1}, 1)",
            "torch.sqrt({0} * {0} + {1}) ** 2 / ({0} * {0} + {1})",
            "(torch.maximum({0}, {0} * 1.0) - {0} + 1.0)",
            "((torch.relu({0}) - torch.relu(-{0}) - {0}) + 1.0)",
            "(torch.exp({0}) * torch.exp({0}) / torch.exp({0} + {0} * {1}))",
        )
    ).format(x.name, c)
    w.fresh(f"{{}} = {x.name} * ({factor})", x, x.cells)


EXCHANGES: Mapping[str, Callable[[Writer], None]] = {
    "messages": messages,
    "rooted": rooted,
    "lists": lists,
    "branches": branches,
    "flat": flat,
    "masks": masks,
    "identities": identities,
}
