"""Measurement of schedules, and of the unscheduled program, on processes of this machine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from p2smt.errors import ProgramError
from p2smt.run.local.calls import CallRanks
from p2smt.run.local.cluster import refuse_many
from p2smt.run.rank.message import Seat
from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.tuner.result import PricedSchedule
from p2smt.tensor.placing import world

REPEATS = 7
LIMIT_S = 300.0
_RANK = "p2smt.run.rank.scheduled"


@dataclass(frozen=True, slots=True)
class MeasuredSchedule:
    """A schedule and its measured time: the median over repeats of the slowest rank's seconds.

    None if it was not run, for the reason `why`. `differing` counts tensors that differ from the unscheduled
    program.
    """

    priced: PricedSchedule
    seconds: float | None
    differing: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredSchedules:
    """Measured schedules and the unscheduled program; every rank was a process of this machine, with gloo."""

    untouched: MeasuredSchedule
    schedules: tuple[MeasuredSchedule, ...]
    ranks: int
    repeats: int
    torch_version: str

    @property
    def fastest(self) -> MeasuredSchedule:
        """The fastest schedule whose results equal those of the unscheduled program."""
        ran = [each for each in self.schedules if each.seconds is not None and not each.differing]
        return min([self.untouched, *ran], key=lambda each: each.seconds or 0.0)


def measured(
    untouched: PricedSchedule,
    schedules: Sequence[PricedSchedule],
    machine: Machine,
    repeats: int = REPEATS,
    limit_s: float = LIMIT_S,
    on_progress: Callable[[str], None] = lambda _: None,
) -> MeasuredSchedules:
    """Run schedules of a program, and the program itself, on one process per rank.

    Each is first compared with the unscheduled program. RunError if processes fail or exceed `limit_s`, if
    torch is missing, or if there are more ranks than this machine supports.
    """
    ranks = world(untouched.scheduled.program.mesh)
    refuse_many(ranks)
    texts = [_emitted(each, untouched, machine) for each in schedules]
    reference = emit_schedule(check_schedule(untouched.scheduled.program, ()), machine)
    kept = [text for text, why in texts if not why]
    on_progress(f"running {len(kept)} schedules on {ranks} processes")
    with CallRanks([Seat()] * ranks, timeout_s=limit_s) as running:
        paths = [_written(running.folder, number, text) for number, text in enumerate([reference, *kept])]
        apart = running.call(rank_file(), "differing", paths[1:], timeout_s=limit_s)
        runs = [(path, bool(number)) for number, path in enumerate(paths)]
        times = running.call(rank_file(), "seconds", runs, repeats, timeout_s=limit_s)
        version = running.torch_version
    slowest = [median(map(max, zip(*each, strict=True))) for each in zip(*times, strict=True)]
    found = iter(zip(slowest[1:], map(max, zip(*apart, strict=True)), strict=True))
    return MeasuredSchedules(
        untouched=MeasuredSchedule(untouched, slowest[0]),
        schedules=tuple(
            MeasuredSchedule(each, None, why=why) if why else MeasuredSchedule(each, *next(found))
            for each, (_, why) in zip(schedules, texts, strict=True)
        ),
        ranks=ranks,
        repeats=repeats,
        torch_version=version,
    )


def _emitted(priced: PricedSchedule, untouched: PricedSchedule, machine: Machine) -> tuple[str, str]:
    """Return the emitted file of a schedule, or the reason why there is none."""
    try:
        return emit_schedule(check_schedule(untouched.scheduled.program, priced.schedule), machine), ""
    except ProgramError as cause:
        return "", str(cause)


def _written(folder: Path, number: int, text: str) -> str:
    path = folder / f"schedule{number}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def rank_file() -> str:
    """Return the path of the module that ranks run; it imports torch, so it is not imported here."""
    spec = find_spec(_RANK)
    assert spec is not None
    assert spec.origin is not None
    return spec.origin
