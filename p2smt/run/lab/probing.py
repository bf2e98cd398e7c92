"""Measure how fast the ranks of a laboratory compute and communicate, with small programs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path
from statistics import median

from p2smt.cost.calibration.probes import ProbeTimes, calls, exchanges, number_summed, probes
from p2smt.emit.torch.program.source import emit_program
from p2smt.problem.system.network import System
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.names import part_name
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import lab_shape
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank import stepping
from p2smt.run.rank.message import Ends

OnProgress = Callable[[int, int, str], None]

_LONG_S, _ROUNDS = 0.15, 3
"""Seconds for which a computing program is repeated (many quota periods), and the number of rounds.

All programs run in every round, because a core's speed may halve within a minute, which would penalise later
programs.
"""

_TURNS, _PER_TURN, _WARM = 6, 8, 2
"""Rounds, repeats per round, and warm-ups for small collectives.

They are many because a rank that waits for its CPU quota can triple the time of a single collective.
"""

_LARGE = 250_000
"""Elements from which on a collective's time hardly depends on waiting for quotas, so fewer repeats suffice."""
_LARGE_TURNS, _PER_LARGE_TURN = 2, 4


def laboratory_calls(laboratory: Laboratory, timeout_s: float = 60.0) -> CallRanks:
    """Return ranks in a running laboratory that execute function calls."""
    return CallRanks(lab_seats(laboratory), timeout_s=timeout_s, prefix=part_name(laboratory.lab, "run-"))


def probe(system: System, lab: str | None = None, on_progress: OnProgress | None = None) -> ProbeTimes:
    """Bring up a laboratory of a system and time all probe programs on its ranks, with all ranks active."""
    computing, sending = probes(system.devices), tuple(calls(system.devices))
    direct = tuple(exchanges(system.devices))
    total = _ROUNDS * len(computing) + 1
    tell = on_progress or (lambda done, of, what: None)
    with Laboratory(lab_shape(system), lab) as laboratory, laboratory_calls(laboratory) as ranks:
        steps = [written(ranks.folder, f"probe{at}", emit_program(each.program)) for at, each in enumerate(computing)]
        rounds = []
        for done, (each, path) in enumerate(_ROUNDS * list(zip(computing, steps, strict=True))):
            tell(done, total, each.name)
            rounds.append(ranks.call(stepping.__file__, "own_seconds", path, _LONG_S, timeout_s=ranks_patience(1)))
        alone = [
            (each, tuple(map(median, zip(*rounds[at :: len(computing)], strict=True))))
            for at, each in enumerate(computing)
        ]
        sources = [emit_program(number_summed(system.devices))]
        sources += [emit_program(each.program) for each in sending]
        sources += [emit_program(each.program, each.ways) for each in direct]
        paths = [written(ranks.folder, f"call{place}", source) for place, source in enumerate(sources)]
        programs = [*(each.program for each in sending), *(each.program for each in direct)]
        large = [False, *(prod(each.sources[0].shape) >= _LARGE for each in programs)]
        tell(total - 1, total, "collectives")
        number, *medians = _medians(ranks, paths, large)
    return ProbeTimes(
        tuple(alone),
        tuple(zip(sending, medians, strict=False)),
        tuple(zip(direct, medians[len(sending) :], strict=True)),
        number,
    )


def _medians(ranks: CallRanks, paths: Sequence[str], large: Sequence[bool]) -> list[float]:
    """Return the median seconds of collectives; the small ones are timed in interleaved rounds, then the large ones."""
    found: dict[str, float] = {}
    for is_large, rounds, counted in ((False, _TURNS, _PER_TURN), (True, _LARGE_TURNS, _PER_LARGE_TURN)):
        mine = [path for path, each in zip(paths, large, strict=True) if each is is_large]
        timed = turns(ranks, mine, rounds, counted, _WARM)
        found |= {path: each.median_s for path, each in zip(mine, timed, strict=True)}
    return [found[path] for path in paths]


def ranks_patience(programs: int) -> float:
    """Return the seconds after which ranks that have not answered are considered hung."""
    return 120.0 + 60.0 * programs


def written(folder: Path, name: str, source: str) -> str:
    """Write a step to a file and return its path."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return str(path)


@dataclass(frozen=True, slots=True)
class TimedStep:
    """A repeated step: the seconds of each counted repeat, and the sums of its outputs after the first repeat."""

    seconds: tuple[float, ...]
    outputs: tuple[tuple[str, float], ...]

    @property
    def median_s(self) -> float:
        """The median of the times in seconds."""
        return float(median(self.seconds))


def turns(ranks: CallRanks, paths: Sequence[str], rounds: int, counted: int, warmups: int) -> list[TimedStep]:
    """Return the times of steps in files, measured in interleaved rounds."""
    answers = ranks.call(
        stepping.__file__, "ends_by_turns", tuple(paths), rounds, counted, warmups, timeout_s=ranks_patience(len(paths))
    )
    return of_all_ranks(answers)


def of_all_ranks(answers: Sequence[Sequence[Ends]]) -> list[TimedStep]:
    """Combine the times of all ranks; a step ends when the last rank has finished it."""
    found = []
    for number, first in enumerate(answers[0]):
        times: list[float] = []
        for turn in range(len(first.ends)):
            last = [max(ends) for ends in zip(*(answer[number].ends[turn] for answer in answers), strict=True)]
            times += [after - before for before, after in pairwise(last)]
        found.append(TimedStep(tuple(times), first.outputs))
    return found
