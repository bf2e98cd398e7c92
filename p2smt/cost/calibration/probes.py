"""Small tensor programs whose times on all ranks measure the speed of devices and of collectives.

In compute probes, every device runs the whole program, and one kind of operation dominates. The other probes have one
collective each, and the operations needed to complete its result.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from math import prod

from p2smt.collective import Collective
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Call, Program
from p2smt.tensor.shapes import flops, signature
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.typed_walk import shapes_of, typed_walk
from p2smt.tensor.way import Way

APART = ("conv2d", "conv2d_input_backward", "conv2d_weight_backward", "layernorm", "layernorm_backward", "max_pool2d",
         "max_pool2d_backward")  # fmt: skip
"""Operations with a cost weight of their own, because libraries implement them unlike others of their kind."""

STEPS = ("perceptron", "attention", "words", "convolutions")
"""Whole training steps of small models (`steps/`), with a realistic mix of operations."""

COUNTS = (256, 16_384, 131_072, 262_144, 524_288, 1_572_864)
"""Numbers of elements of the tensors in collective probes."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A compute probe. `work` counts the work by name or kind, `begun` the operations launched.

    Work is counted in floating-point operations, or in elements moved. `contractions` lists the contractions without a
    name in `work`: the floating-point operations of each, and the elements that it reads and writes.
    """

    name: str
    program: Program
    work: tuple[tuple[str, int], ...]
    contractions: tuple[tuple[int, int], ...]
    begun: int


@dataclass(frozen=True, slots=True)
class CollectiveProbe:
    """A probe with a collective whose root holds `held` bytes before, and `small` all-reduces of one number each."""

    program: Program
    collective: Collective
    held: float
    small: int


@dataclass(frozen=True, slots=True)
class ExchangeProbe:
    """A probe with a collective that devices implement by sends to each other; `timing` is its name in timings.

    `held`: bytes on every device before and after an all-to-all; for other collectives, bytes of the whole tensor.
    `small`: the number of all-reduces of one number after it.
    """

    program: Program
    timing: str
    held: float
    small: int

    @property
    def ways(self) -> dict[str, Way]:
        """The implementation of each collective."""
        return dict.fromkeys(["y"], Way.EXCHANGE)


@dataclass(frozen=True, slots=True)
class ProbeTimes:
    """Seconds of every compute probe on each rank, and of each collective over all ranks.

    `number` is the time of an all-reduce of one number, alone or after other calls.
    """

    computing: tuple[tuple[Probe, tuple[float, ...]], ...]
    calls: tuple[tuple[CollectiveProbe, float], ...]
    exchanges: tuple[tuple[ExchangeProbe, float], ...]
    number: float


def named(operation: str) -> str:
    """Return the name for an operation's cost weight: its own name, or its kind."""
    return operation if operation in APART else OPERATIONS[operation].kind.value


def probes(ranks: int) -> tuple[Probe, ...]:
    """Return all compute probes for `ranks` ranks."""
    folder = resources.files("p2smt.cost.calibration").joinpath("steps")
    steps = [(name, folder.joinpath(f"{name}.tp").read_text(encoding="utf-8")) for name in STEPS]
    alone = [(name, _text(name, ranks, *lines, "output loss")) for name, lines in _COMPUTING]
    meshed = [(name, text.replace("\n", f"\nmesh device={ranks}\n", 1)) for name, text in steps]
    return tuple(_probe(name, text) for name, text in (*alone, *meshed))


def calls(ranks: int) -> Iterator[CollectiveProbe]:
    """Yield probes for each collective that tensor programs have, with tensors of several sizes."""
    for most in COUNTS:
        count = most // ranks * ranks
        whole = count * 4.0
        for collective, given, statement, held, made in (
            (Collective.ALL_REDUCE, "partial(+)", "AllReduce(x)", whole, ""),
            (Collective.ALL_GATHER, "sliced(0)", "AllGather(x, 0)", whole / ranks, ""),
            (Collective.REDUCE_SCATTER, "partial(+)", "ReduceScatter(x, 0)", whole, " partial(+)"),
        ):
            lines = (f"input x : f32[{count}] {given}", f"y = {statement}", "loss = sum(y, 0)", f"output loss{made}")
            program = parse_program(_text(collective.value, ranks, *lines))
            yield CollectiveProbe(program, collective, held, int(bool(made)))


def number_summed(ranks: int) -> Program:
    """Return a program that only all-reduces one number over all ranks."""
    lines = ("input x : f32[1] partial(+)", "y = AllReduce(x)", "loss = sum(y, 0)", "output loss")
    return parse_program(_text("number", ranks, *lines))


def exchanges(ranks: int) -> Iterator[ExchangeProbe]:
    """Yield probes for each collective that devices implement by sends to each other, with tensors of several sizes."""
    for most in COUNTS:
        rows = most // ranks**2
        # A multiple of ranks^2, so that every rank's blocks have equal sizes.
        whole = rows * ranks**2
        for timing, given, statement, held, dims, made in (
            ("all_to_all", f"{ranks}, {rows * ranks}] sliced(0)", "AllToAll(x, 0, 1)", whole // ranks, "0, 1", True),
            ("all_gather_exchanged", f"{whole}] sliced(0)", "AllGather(x, 0)", whole, "0", False),
            ("reduce_scatter_exchanged", f"{whole}] partial(+)", "ReduceScatter(x, 0)", whole, "0", True),
        ):
            output = "output loss partial(+)" if made else "output loss"
            lines = (f"input x : f32[{given}", f"y = {statement}", f"loss = sum(y, {dims})", output)
            yield ExchangeProbe(parse_program(_text(timing, ranks, *lines)), timing, held * 4.0, int(made))


def _text(name: str, ranks: int, *lines: str) -> str:
    return "\n".join([f"program {name}", f"mesh device={ranks}", *lines, ""])


def _probe(name: str, text: str) -> Probe:
    program = parse_program(text)
    walk, work, contractions, begun = typed_walk(program), dict[str, int](), list[tuple[int, int]](), 0
    for each in walk:
        match expression := each.expression:
            case Call(operation) if operation != "update":
                shapes = shapes_of(walk, each)
                signed, count = signature(expression, shapes), flops(expression, shapes)
                kind, what, begun = OPERATIONS[operation].kind, named(operation), begun + 1
                if what == Kind.CONTRACT.value:
                    contractions.append((count, signed.elements))
                    continue
                if kind.moves and kind is not Kind.VIEW:  # only: a view moves nothing
                    count = prod(signed.shape)
                if count:
                    work[what] = work.get(what, 0) + count
            case _:
                pass
    return Probe(name, program, tuple(work.items()), tuple(contractions), begun)


def _chain(count: int, first: str, step: str, last: str) -> tuple[str, ...]:
    """Return a chain of statements, each reading the previous result ({0}), reduced to a number at the end."""
    names = [first, *(f"a{number}" for number in range(count))]
    lines = [f"{after} = {step.format(before)}" for before, after in pairwise(names)]
    return (*lines, f"loss = {last.format(names[-1])}")


_SUM = "sum({0}, 0, 1)"
_FIRST = "sum(slice({0}, dim=0, start=0, stop=1), 0, 1)"
_FIRST4 = "sum(slice({0}, dim=0, start=0, stop=1), 0, 1, 2, 3)"
"""A scalar from a tensor: the sum of its first slice, because summing all of it would take time of its own."""

_COMPUTING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("begin_map", ("input x : f32[8, 8]", "input y : f32[8, 8]", *_chain(64, "x", "{0} * y", _SUM))),
    ("begin_matmul", ("input x : f32[8, 8]", "input w : f32[8, 8]", *_chain(64, "x", "matmul({0}, w)", _SUM))),
    ("begin_row", ("input x : f32[8, 8]", *_chain(32, "x", "softmax({0}, dim=1)", _SUM))),
    ("matmul", ("input x : f32[512, 128]", "input w : f32[128, 512]", "input v : f32[512, 128]",
                "a = matmul(x, w)", "b = matmul(a, v)", "c = matmul(b, w)", "d = matmul(c, v)",
                "loss = sum(d, 0, 1)")),
    ("linear", ("input x : f32[64, 512]", "input w : f32[512, 512]", *_chain(6, "x", "linear({0}, w)", _SUM))),
    ("einsum", ("input x : f32[512, 128]", "input y : f32[512, 384]", 'g = einsum("b a, b c -> a c", x, y)',
                'h = einsum("b a, b c -> c a", x, y)', "p = sum(g, 0, 1)", "q = sum(h, 0, 1)", "loss = p + q")),
    ("matmul_square", ("input x : f32[512, 512]", "input w : f32[512, 512]", "y = matmul(x, w)",
                       f"loss = {_FIRST.format('y')}")),
    ("products", ("input x : f32[32, 32, 8, 8]", *_chain(2, "x", 'einsum("a b c d, a b d e -> a b c e", {0}, x)',
                                                        _FIRST4))),
    ("heads", ("input q : f32[16, 64, 4, 32]", "input k : f32[16, 64, 4, 32]",
               'a = einsum("a c b d, a e b d -> a b c e", q, k)', 'b = einsum("a b c e, a e b d -> a b c d", a, k)',
               'c = einsum("a b c d, a e b d -> a b c e", b, q)', 'd = einsum("a b c e, a b c d -> a b e d", c, b)',
               f"loss = {_FIRST4.format('d')}")),
    ("map", ("input x : f32[512, 256]", "input y : f32[512, 256]", *_chain(16, "x", "{0} * y", _FIRST))),
    ("map_large", ("input x : f32[1024, 512]", "input y : f32[1024, 512]", *_chain(6, "x", "{0} + y", _FIRST))),
    ("reduce", ("input x : f32[512, 256]", "input y : f32[4, 16, 4, 32, 16]", "input z : f32[16, 4, 64, 32]",
                "r0 = sum(x, 0)", "r1 = sum(x, 1)", "r2 = sum(y, 1, 3)", "r3 = max(z, 3)", "s0 = sum(r0, 0)",
                "s1 = sum(r1, 0)", "s2 = sum(r2, 0, 1, 2)", "s3 = sum(r3, 0, 1, 2)", "t0 = s0 + s1", "t1 = s2 + s3",
                "loss = t0 + t1")),
    ("transpose", ("input x : f32[32, 64, 4, 32]",
                   *_chain(4, "x", "reshape(transpose({0}, 0, 2, 1, 3), 32, 64, 4, 32)", _FIRST4))),
    ("cat", ("input x : f32[256, 256]", "a = cat(x, x, dim=0)", "b = cat(a, a, dim=1)", "c = cat(b, b, dim=0)",
             f"loss = {_FIRST.format('c')}")),
    ("softmax", ("input x : f32[512, 128]", *_chain(6, "x", "softmax({0}, dim=1)", _FIRST))),
    ("softmax_short", ("input x : f32[32, 4, 64, 32]",
                       *_chain(2, "x", "softmax({0}, dim=3)", _FIRST4))),
    ("layernorm", ("input x : f32[512, 128]", *_chain(6, "x", "layernorm({0}, dim=1)", _FIRST))),
    ("layernorm_backward", ("input x : f32[512, 128]", "input g : f32[512, 128]",
                            *_chain(4, "x", "layernorm_backward(g, {0}, dim=1)", _FIRST))),
    ("conv2d", ("input x : f32[16, 16, 16, 16]", "input w : f32[16, 16, 3, 3]",
                *_chain(4, "x", "conv2d({0}, w, padding=1)", _FIRST4))),
    ("conv2d_input", ("input x : f32[16, 16, 16, 16]", "input w : f32[16, 16, 3, 3]",
                      *_chain(4, "x", "conv2d_input_backward({0}, w, height=16, width=16, padding=1)",
                              _FIRST4))),
    ("conv2d_weight", ("input x : f32[16, 16, 16, 16]", "input y : f32[16, 16, 16, 16]",
                       "g = conv2d_weight_backward(x, y, height=3, width=3, padding=1)",
                       "loss = sum(g, 0, 1, 2, 3)")),
    ("max_pool2d", ("input x : f32[64, 16, 16, 16]", "p = max_pool2d(x, kernel=2, stride=2)",
                    f"loss = {_FIRST4.format('p')}")),
    ("max_pool2d_backward", ("input x : f32[64, 16, 16, 16]", "input g : f32[64, 16, 8, 8]",
                             "p = max_pool2d_backward(g, x, kernel=2, stride=2)",
                             f"loss = {_FIRST4.format('p')}")),
    ("embedding", ("input x : i64[2048]", "input w : f32[1000, 64]", "e = embedding(w, x)",
                   f"loss = {_FIRST.format('e')}")),
    ("embedding_backward", ("input x : i64[2048]", "input g : f32[2048, 64]",
                            "e = embedding_backward(g, x, classes=1000)", f"loss = {_FIRST.format('e')}")),
    ("one_hot", ("input x : i64[1024]", "e = one_hot(x, classes=256)", f"loss = {_FIRST.format('e')}")),
    ("dropout", ("input x : f32[128, 128]", *_chain(4, "x", "dropout({0}, share=0.1, seed=1)", _SUM))),
)  # fmt: skip
