"""Small tensor programs whose times on all ranks measure the speed of devices and of collectives.

In compute probes, every device runs the whole program, and one kind of operation dominates. The other probes have one
collective each, and the operations needed to complete its result.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from math import prod

import msgspec

from p2smt.collective import Collective
from p2smt.tensor.expression import Call
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import flops, signature
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.typed_walk import shapes_of, typed_walk
from p2smt.tensor.way import Way

APART = (
    "conv2d",
    "conv2d_input_backward",
    "conv2d_weight_backward",
    "layernorm",
    "layernorm_backward",
    "max_pool2d",
    "max_pool2d_backward",
)
"""Operations with a cost weight of their own, because libraries implement them unlike others of their kind."""

_FOLDER = resources.files("p2smt.cost.calibration")

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
    steps = [(name, _FOLDER.joinpath("steps", f"{name}.tp").read_text(encoding="utf-8")) for name in STEPS]
    alone = [(each.name, _text(each.name, ranks, *each.lines(), "output loss")) for each in _compute_probes()]
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


class _ComputeProbe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of `compute_probes.toml`: statements, and a chain of `times` equal steps after them."""

    name: str
    text: str
    times: int = 0
    step: str = ""
    loss: str = ""

    def lines(self) -> tuple[str, ...]:
        """Return the statements; each step of the chain reads the result before it."""
        names = ["x", *(f"a{number}" for number in range(self.times))]
        chain = [f"{after} = {self.step.format(before)}" for before, after in pairwise(names)]
        end = [f"loss = {self.loss.format(names[-1])}"] if self.times else []
        return (*self.text.splitlines(), *chain, *end)


class _ComputeProbes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    probes: tuple[_ComputeProbe, ...]


def _compute_probes() -> tuple[_ComputeProbe, ...]:
    text = _FOLDER.joinpath("compute_probes.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), _ComputeProbes).probes
