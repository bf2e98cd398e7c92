"""Grids of jobs (models, systems and splits), and their expansion into jobs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import assert_never

from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError, StudyError
from p2smt.problem.model import Search
from p2smt.problem.system.network import System
from p2smt.problem.transformer.check import check_transformer
from p2smt.problem.transformer.memory import device_memory, fits
from p2smt.problem.transformer.model import Parallelism, Transformer, Zero
from p2smt.problem.transformer.named import named_model, usual_batch
from p2smt.problem.transformer.splits import SplitChoice, every_split, the_split
from p2smt.sweep.training_job import TrainingJob
from p2smt.wording import counted


@dataclass(frozen=True, slots=True)
class GivenSplit:
    """One split; a free dp takes the remaining devices of the system."""

    choice: SplitChoice


@dataclass(frozen=True, slots=True)
class EverySplit:
    """Every split of a choice that fits into memory by the formula."""

    choice: SplitChoice


Split = GivenSplit | EverySplit


@dataclass(frozen=True, slots=True, kw_only=True)
class JobGrid:
    """The product of models, systems, splits and all other options.

    If `batches` or `sequences` is None, the defaults of `p2smt advise` apply. If `memory` is None, the system's
    is used.
    """

    models: tuple[str, ...]
    systems: tuple[System, ...]
    splits: tuple[tuple[str, Split], ...]
    zeros: tuple[Zero, ...]
    recompute: tuple[bool, ...]
    batches: tuple[int | None, ...]
    micro_batches: tuple[int, ...]
    sequences: tuple[int | None, ...]
    memory: int | None
    searches: tuple[Search, ...]
    backends: tuple[Backend, ...]


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs of a grid.

    `left_out` counts incompatible combinations, and `too_large` splits that exceed the memory.
    """

    jobs: tuple[TrainingJob, ...]
    left_out: int
    too_large: int


def jobs_of(grid: JobGrid, place: str) -> JobList:
    """Return all jobs of a grid, skipping given splits that a system's devices or a model's sizes do not allow.

    Raises StudyError for a split that is never allowed and for a grid without jobs, and ProblemError for an
    unknown model. `place` is for messages.
    """
    jobs: list[TrainingJob] = []
    left_out = too_large = 0
    refused: dict[str, str] = {}
    allowed = set()
    for asked, zero, (text, split) in product(list(_trainings(grid)), grid.zeros, grid.splits):
        devices = asked.system.devices
        try:
            found = _parallelisms(split, asked.transformer, zero, devices)
        except ProblemError as cause:
            left_out += 1
            refused.setdefault(text, f"{asked.model} on {devices} devices: {cause}")
            continue
        allowed.add(text)
        fitting = [one for one in found if isinstance(split, GivenSplit) or _fits(asked, one)]
        too_large += len(found) - len(fitting)
        jobs += (replace(asked, parallelism=one) for one in fitting)
    if nowhere := [text for text, _ in grid.splits if text not in allowed]:
        raise StudyError(f"{place}: split {nowhere[0]!r} does not fit any system; {refused[nowhere[0]]}")
    if not jobs:
        raise StudyError(
            f"{place} has no job, because {counted(too_large, 'split')} need more memory than a device "
            "has; try recompute = [true], zero = [3], or more devices"
        )
    return JobList(tuple(jobs), left_out, too_large)


def _trainings(grid: JobGrid) -> Iterator[TrainingJob]:
    """Yield models on systems with all other options, not yet split."""
    for model, system, batch, micro_batch, sequence, recompute, search in product(
        grid.models, grid.systems, grid.batches, grid.micro_batches, grid.sequences, grid.recompute, grid.searches
    ):
        sequences = usual_batch(system.devices, micro_batch) if batch is None else batch
        yield TrainingJob(
            model=model,
            system=system,
            transformer=named_model(model, sequences, sequence, micro_batch),
            parallelism=Parallelism(),
            search=search,
            memory=system.network.memory if grid.memory is None else grid.memory,
            recompute=recompute,
        )


def _parallelisms(split: Split, transformer: Transformer, zero: Zero, devices: int) -> list[Parallelism]:
    """Return the splits denoted by `split` on `devices` devices. Raises ProblemError if there are none."""
    choice = replace(split.choice, zero=zero)
    match split:
        case GivenSplit():
            one = the_split(choice, devices)
            check_transformer(transformer, one)
            if one.dp * one.tp * one.cp == 1:
                raise ProblemError(
                    "with pipeline stages alone there is nothing to reduce; make dp, tp or cp larger than 1"
                )
            return [one]
        case EverySplit():
            if not (found := list(every_split(transformer, choice, devices))):
                raise ProblemError(
                    "no split is possible, because tp must divide the heads, pp the layers and dp the batch; "
                    "choose other sizes"
                )
            return found
        case _:
            assert_never(split)


def _fits(asked: TrainingJob, split: Parallelism) -> bool:
    needed = device_memory(asked.transformer, split, recompute=asked.recompute)
    return asked.memory is None or fits(needed, asked.memory)
