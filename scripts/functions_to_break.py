"""Random functions that every rank runs, each with a program for one device that may or may not be what it computes.

A function is straight-line code on a rank's columns of a matrix: writes in place, on lists, through views, `.data` and
`out=`, optimizers, asynchronous collectives, DTensor, messages and branches by rank. Every statement is written down
with what it does to blocks of memory, so that the program is `w1 * a + b` of blocks. To half of the functions a program
is given in which one write has not happened, as if it had not been seen. What is true is not decided here, but by real
ranks.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

RANKS = 2
ROWS, COLUMNS = 8, 6
_RARE = ("storages", "chance", "together")
"""Which end in "not proved" whatever else there is."""
_KEYS = tuple((rank, part) for rank in range(RANKS) for part in "tb")
Pair = tuple[float, float]
Cells = Mapping[tuple[int, str], Pair]
HEADER = """import torch
import torch.distributed as dist
from torch.distributed._functional_collectives import all_gather_tensor
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.optim.swa_utils import get_ema_multi_avg_fn

"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """Code, the program that it is compared with, and what keeps it from being right or from being run at all."""

    name: str
    code: str
    single: str
    kinds: tuple[str, ...]
    races: bool
    hangs: bool


@dataclass(slots=True)
class _Memory:
    """What lies in every storage, as factor and summand of each block; `skipped` is the write that is not seen."""

    skipped: int = -1
    writes: int = 0
    cells: dict[int, dict[tuple[int, str], Pair]] = field(default_factory=dict)

    def write(self, storage: int, cells: Cells) -> None:
        """New values, unless this is the write that is not seen."""
        self.writes += 1
        if self.writes - 1 != self.skipped:
            self.cells[storage] |= cells


Effect = Callable[[_Memory], None]


@dataclass(frozen=True, slots=True)
class _Variable:
    """A name for a part of a storage; what is wide has the columns of all ranks."""

    name: str
    storage: int
    parts: str = "tb"
    wide: bool = False

    def cells(self, memory: _Memory) -> dict[tuple[int, str], Pair]:
        """What lies in the blocks that it looks at."""
        return {key: pair for key, pair in memory.cells[self.storage].items() if key[1] in self.parts}


class Writer:
    """Code, and the effects of its statements on memory."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.effects: list[Effect] = []
        self.kinds: list[str] = []
        self.races = self.hangs = False
        self.variables: list[_Variable] = []
        self.last: _Variable | None = None
        self._count = 0

    def number(self) -> float:
        """A number that binary fractions are not rounded by."""
        return self.random.choice((0.5, 2.0, -1.0, 0.25, 4.0, -0.5, 1.5))

    def any(self, wide: bool | None = None, whole: bool = True) -> _Variable:
        """A variable, whole or not."""
        fitting = [each for each in self.variables if wide in (None, each.wide) and (not whole or each.parts == "tb")]
        return self.random.choice(fitting)

    def like(self, other: _Variable, apart: bool = True) -> _Variable:
        """One of the same shape, in memory of its own if there is such."""
        fitting = [each for each in self.variables if (each.wide, len(each.parts)) == (other.wide, len(other.parts))]
        others = [each for each in fitting if each.storage != other.storage]
        return self.random.choice(others) if others and apart else self.copy(other)

    def say(self, line: str, effect: Effect | None = None) -> None:
        """One more statement."""
        self.lines.append(line)
        if effect is not None:
            self.effects.append(effect)

    def fresh(self, line: str, like: _Variable, cells: Callable[[_Memory], Cells], parts: str = "tb") -> _Variable:
        """A variable with memory of its own; the line has {} where its name stands."""
        self._count += 1
        made = _Variable(f"x{self._count}", self._count, parts, like.wide)
        self.say(line.format(made.name), lambda memory: memory.cells.__setitem__(made.storage, dict(cells(memory))))
        self.variables.append(made)
        return made

    def alias(self, line: str, of: _Variable, parts: str = "") -> _Variable:
        """A variable that looks at the memory of another, or at a part of it."""
        self._count += 1
        made = _Variable(f"x{self._count}", of.storage, parts or of.parts, of.wide)
        self.say(line.format(made.name))
        self.variables.append(made)
        return made

    def copy(self, of: _Variable) -> _Variable:
        """A variable with the same values in memory of its own."""
        return self.fresh(f"{{}} = {of.name}.clone()", of, of.cells, of.parts)

    def writes(self, line: str, to: _Variable, new: Callable[[_Memory, tuple[int, str], Pair], Pair]) -> None:
        """A statement that changes what a variable looks at."""
        self.last = to
        self.say(
            line,
            lambda memory: memory.write(
                to.storage, {key: new(memory, key, pair) for key, pair in to.cells(memory).items()}
            ),
        )


def combined(memory: _Memory, key: tuple[int, str], one: Pair, other: _Variable, by: float) -> Pair:
    """One plus a multiple of another, whose parts line up."""
    mine = other.cells(memory)
    pair = mine[key] if key in mine else mine[key[0], other.parts]
    return one[0] + by * pair[0], one[1] + by * pair[1]


def scaled(pair: Pair, by: float) -> Pair:
    """A pair times a number."""
    return pair[0] * by, pair[1] * by


def function(name: str, random: Random, statements: Mapping[str, Callable[[Writer], None]]) -> Function:
    """A random function of these kinds of statements."""
    writer = Writer(random)
    begun = _Variable("w1", 0)
    writer.fresh(f"{{}} = w1.detach() * {random.choice((0.5, 2.0, 1.0))}", begun, lambda _: {})
    factor = float(writer.lines[-1].rpartition("* ")[2])
    writer.effects[0] = lambda memory: memory.cells.__setitem__(1, dict.fromkeys(_KEYS, (factor, 0.0)))
    for _ in range(random.randint(1, 4)):
        kind = random.choice([each for each in statements if each not in _RARE or random.random() < 0.2])
        statements[kind](writer)
        writer.kinds.append(kind)
    written = [each for each in writer.variables if writer.last is not None and each.storage == writer.last.storage]
    result = random.choice(written if written and random.random() < 0.6 else writer.variables[-3:])
    if result.parts != "tb":
        result = writer.any()
    lines = [*writer.lines, f"return {result.name}"]
    code = f'def {name}(w1: "sliced(1)"):\n' + "".join(f"    {line}\n" for line in lines)
    single = _program(result.cells(_run(writer.effects)))
    if random.random() < 0.5 and (count := _run(writer.effects).writes):
        single = _program(result.cells(_run(writer.effects, random.randrange(count))))
    return Function(
        name=name, code=code, single=single, kinds=tuple(writer.kinds), races=writer.races, hangs=writer.hangs
    )


def _run(effects: list[Effect], skipped: int = -1) -> _Memory:
    memory = _Memory(skipped)
    for effect in effects:
        effect(memory)
    return memory


def _program(cells: Cells) -> str:
    lines = ["program single", f"parameter w1 : f64[{ROWS}, {COLUMNS}]"]
    if len(set(cells.values())) == 1:
        return "\n".join([*lines, f"y = w1 * {cells[0, 't'][0]} + {cells[0, 't'][1]}", "output y", ""])
    half, wide = ROWS // 2, COLUMNS // RANKS
    for rank in range(RANKS):
        lines.append(f"c{rank} = slice(w1, dim=1, start={rank * wide}, stop={(rank + 1) * wide})")
        for position, part in enumerate("tb"):
            a, b = cells[rank, part]
            start = position * half
            lines.append(f"{part}{rank} = slice(c{rank}, dim=0, start={start}, stop={start + half}) * {a} + {b}")
        lines.append(f"y{rank} = cat(t{rank}, b{rank}, dim=0)")
    return "\n".join([*lines, "y = cat(y0, y1, dim=1)", "output y", ""])
