"""Read `[[job]]` tables of sweep files into `JobGrid` values."""

from collections.abc import Callable, Iterable
from itertools import product
from math import prod
from typing import Annotated, TypeVar

import msgspec

from p2smt.cost.network.backend import BACKENDS, Nccl, backend_named, check_backend
from p2smt.errors import StudyError
from p2smt.problem.model import Search
from p2smt.problem.quantity import parse_memory
from p2smt.problem.system.network import System
from p2smt.problem.text import parse_sizes
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.splits import SplitChoice
from p2smt.sweep.job_grid import EverySplit, GivenSplit, JobGrid, Split
from p2smt.wording import did_you_mean

MOST_COMBINATIONS = 100_000
"""Maximum number of combinations in one grid of jobs, where `auto` counts as one."""

_PARTS = ("tp", "pp", "dp", "cp", "ep", "chunks")
_AUTO = "auto"

_Value = TypeVar("_Value")
_Read = TypeVar("_Read")
_Some = Annotated[tuple[_Value, ...], msgspec.Meta(min_length=1, max_length=1000)]
_Count = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
_Backends = Annotated[_Some[str], msgspec.Meta(extra_json_schema={"items": {"enum": [*map(str, BACKENDS)]}})]


class JobEntry(msgspec.Struct, frozen=True):
    """One `[[job]]` table, whose lists are combined with each other; `memory` is the memory per device."""

    models: _Some[str]
    systems: _Some[str]
    splits: str | _Some[str] = _AUTO
    zero: _Some[Annotated[int, msgspec.Meta(ge=0, le=3)]] = (int(SplitChoice().zero),)
    recompute: _Some[bool] = (False,)
    batches: _Some[_Count] | None = None
    micro_batches: _Some[_Count] = (1,)
    sequences: _Some[_Count] | None = None
    memory: str | int | None = None
    algorithms: _Backends = (str(Nccl()),)
    limits: _Some[int] = (Search().limit,)


def job_grid(entry: JobEntry, system: Callable[[str], System]) -> JobGrid:
    """Return the grid of a table; `system` parses the name of a system. Raises P2Error for malformed entries."""
    texts = (entry.splits,) if isinstance(entry.splits, str) else entry.splits
    lists = (
        entry.models,
        entry.systems,
        texts,
        entry.zero,
        entry.recompute,
        entry.batches or (1,),
        entry.micro_batches,
        entry.sequences or (1,),
        entry.algorithms,
        entry.limits,
    )
    if (count := prod(map(len, lists))) > MOST_COMBINATIONS:
        raise StudyError(
            f"the table has {count} combinations; the limit is {MOST_COMBINATIONS}, so split it into several"
        )
    for model in entry.models:
        named_model(model, 1)
    memory = parse_memory(entry.memory) if isinstance(entry.memory, str) else entry.memory
    systems, backends = _once(entry.systems, system), _once(entry.algorithms, backend_named)
    for one, backend in product(systems, backends):
        check_backend(one, backend)
    return JobGrid(
        models=_once(entry.models, str),
        systems=systems,
        splits=tuple({text: parse_split(text) for text in texts}.items()),
        zeros=_once(entry.zero, Zero),
        recompute=_once(entry.recompute, bool),
        batches=(None,) if entry.batches is None else _once(entry.batches, int),
        micro_batches=_once(entry.micro_batches, int),
        sequences=(None,) if entry.sequences is None else _once(entry.sequences, int),
        memory=memory,
        searches=_once(entry.limits, Search),
        backends=backends,
    )


def parse_split(text: str) -> Split:
    """Parse a split; `auto` means every split, or every split with some degrees fixed.

    >>> parse_split("tp:8,pp:4").choice.pp, parse_split("auto tp:8").choice.tp
    (4, 8)
    """
    word, _, parts = text.strip().partition(" ")
    if word == _AUTO:
        return EverySplit(_choice(parts) if parts.strip() else SplitChoice())
    return GivenSplit(_choice(text))


def _choice(text: str) -> SplitChoice:
    sizes: dict[str, int] = {}
    for name, size in parse_sizes(text, "part"):
        if name not in _PARTS:
            raise StudyError(
                f"split {text[:80]!r}: {name[:40]!r} is not a form of parallelism; write auto, or some of "
                f"{', '.join(_PARTS)} with sizes, such as tp:8,pp:4{did_you_mean(name, _PARTS)}"
            )
        if name in sizes or size < 1:
            raise StudyError(f"split {text[:80]!r}: give {name} once, and a size of at least 1")
        sizes[name] = size
    return SplitChoice(
        tp=sizes.get("tp"),
        pp=sizes.get("pp"),
        dp=sizes.get("dp"),
        cp=sizes.get("cp", 1),
        ep=sizes.get("ep", 1),
        chunks=sizes.get("chunks", 1),
    )


def _once(values: Iterable[_Value], read: Callable[[_Value], _Read]) -> tuple[_Read, ...]:
    """Return the parsed values without duplicates, in order."""
    return tuple(dict.fromkeys(map(read, values)))
