"""Measure sharded training steps, by turns, in laboratories whose ranks get parts of a core.

For every setting of lab_shards.py small programs are timed first (shard_probes.csv), and the system's figures fitted to
them. Then for every model p2smt's choice, data and expert parallelism with even and proportional shares, other ways of
the trade and the next best programs: emitted, and run on all ranks, in an order drawn at random for every round; beside
them torch's DistributedDataParallel with even and with proportional rows of the batch. Rows go to
scripts/results/shard.csv with what the model of cost says (nothing of DDP); what is there is left out. `--programs DIR`
keeps the programs: `--prepare` only finds them, and `--again` works out anew what the model says of them. Needs root,
iproute2, cgroups, torch and scipy. Takes an hour; --seconds stops sooner, `--probe` behind small programs.
"""

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from lab_shards import SETTINGS, Setting
from result_table import read, write
from shard_models import program_of
from shard_rounds import contending, in_rounds, levelled
from shard_table import DDP, RESULTS, Probing, Row

from p2smt.cost.calibration.probes import COUNTS, STEPS, ProbeTimes, calls, exchanges, probes
from p2smt.cost.calibration.ranks import fit_ranks
from p2smt.cost.network.backend import Gloo
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error
from p2smt.problem.system.devices import SEND
from p2smt.problem.system.network import System
from p2smt.problem.system.timings import COLLECTIVES, Timing, Timings, never_less, seconds_of
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.probing import TimedStep, laboratory_calls, of_all_ranks, probe, ranks_patience, written
from p2smt.run.lab.shape import lab_shape
from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.account.ways import carried
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import even, proportional, vertices
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program

CHOICE = "choice"
RANK = str(Path(__file__).with_name("ddp_rank.py"))
WARM, COUNTED = 2, 2
ROUNDS, MORE = 4, 12
"""Rounds in which all take their turns, and those of what is, or is predicted to be, near the fastest."""
FEW, MANY = 4 * COUNTS[0], 4 * COUNTS[2]
"""Bytes of collectives that take turns beside the programs: what begins them, and what sends them."""
MOST_FASTER = 4.0
"""No collective is taken to have become faster than so."""
CALLS = 3
"""Collectives of each size."""
MOST = 7
"""Candidates of a model on a cluster."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is measured: a program under a name, and the shares of its devices."""

    name: str
    shares: str
    program: Program


@dataclass(frozen=True, slots=True)
class Times:
    """Of what took turns: seconds of a step by round, their middle, and the first step's loss."""

    rounds: list[tuple[float, ...]]
    middles: list[float]
    losses: list[float]


@dataclass(frozen=True, slots=True)
class Slower:
    """How many times as long small programs take as when a system was calibrated: steps, and collectives by bytes."""

    computing: float
    beginning: float
    sending: float


def beside_of(ranks: int) -> list[tuple[str, Program]]:
    """The small programs that take turns beside others, by their names in probes: training steps, and collectives."""
    steps = [(each.name, each.program) for each in probes(ranks) if each.name in STEPS]
    return steps + [
        (f"call {number}", each.program) for number, each in enumerate(calls(ranks)) if number // CALLS in (0, 2)
    ]


def _longer(ratios: Sequence[float]) -> Iterator[float]:
    """Geometric means over the steps, the collectives of few bytes and those of many, as `beside_of` has them."""
    steps, others = ratios[: len(STEPS)], ratios[len(STEPS) :]
    half = len(others) // 2
    for each in (steps, others[:half], others[half:]):
        yield _digits(exp(fmean(map(log, each))))


def probed_rows(setting: Setting, probed: ProbeTimes) -> Iterator[Probing]:
    """What small programs took, as rows."""
    for each, seconds in probed.computing:
        for rank, mine in enumerate(seconds):
            yield Probing(setting=str(setting), program=each.name, rank=rank, seconds=_digits(mine))
    yield Probing(setting=str(setting), program="number", rank=-1, seconds=_digits(probed.number))
    for number, (_, mine) in enumerate(probed.calls):
        yield Probing(setting=str(setting), program=f"call {number}", rank=-1, seconds=_digits(mine))
    for number, (_, mine) in enumerate(probed.exchanges):
        yield Probing(setting=str(setting), program=f"exchange {number}", rank=-1, seconds=_digits(mine))


def fitted(setting: Setting, rows: Sequence[Probing]) -> System:
    """The setting's system, with figures fitted to the times of small programs."""
    ranks = setting.system.devices
    of = {(row.program, row.rank): row.seconds for row in rows if row.setting == str(setting)}
    measured = ProbeTimes(
        tuple((each, tuple(of[each.name, rank] for rank in range(ranks))) for each in probes(ranks)),
        tuple((call, of[f"call {place}", -1]) for place, call in enumerate(calls(ranks))),
        tuple((each, of[f"exchange {place}", -1]) for place, each in enumerate(exchanges(ranks))),
        of["number", -1],
    )
    return fit_ranks(setting.system, Gloo(), measured)[0].system


def candidates(program: Program, system: System) -> list[Candidate]:
    """The choice, and others beside it: all of the trade with shares even and proportional, the next best."""
    cluster = cluster_of(system, Gloo())
    found = shard(program, cluster, vertices(cluster.speeds), more=2)
    emitted, apart = as_emitted(found), replace(found.answer, program=with_whole_outputs(found.program))
    many = [
        (CHOICE, emitted.shares.name, emitted.answer),
        (f"fastest without buckets, {found.shares.name}", found.shares.name, apart),
    ]
    many += [(name, each.shares.name, each) for name, each in (*emitted.baselines, *emitted.spare)]
    many += [(f"best with {each.shares.name}", each.shares.name, each) for each in emitted.candidates]
    different = {print_program(each.program): (name, shares, each) for name, shares, each in reversed(many)}
    kept = sorted(different.values(), key=lambda one: (not _always(one[0]), in_buckets(one[2].program, cluster).time))
    found: dict[tuple[str, str, int], Candidate] = {}
    for name, shares, each in kept:
        found.setdefault(_done(each.program, cluster), Candidate(name, shares, each.program))
    return list(found.values())[:MOST]


def _done(program: Program, cluster: Cluster) -> tuple[str, str, int]:
    """What programs have in common that do the same under two names: of these one is enough."""
    account = in_buckets(program, cluster)
    sent = [each for each in account.instructions if each.way is not None]
    return f"{account.time:.3e}", f"{account.communication:.3e}", len(sent)


def _always(name: str) -> bool:
    plain = name in ("data parallel", "data parallel, even", "data parallel, proportional")
    return plain or name == CHOICE or name.startswith("expert")


def predicted(program: Program, system: System, buckets: int) -> tuple[float, float]:
    """Seconds of a step, and what of them collectives take."""
    made = in_buckets(program, cluster_of(system, Gloo()), buckets)
    return _digits(made.time / 1e12), _digits(made.communication / 1e12)


def slowed(system: System, slower: Slower) -> System:
    """The system on which computing and collectives take as much longer as small programs did."""
    kinds, effort, timings = system.kinds, system.effort, system.timings
    kinds = tuple(replace(kind, speed=kind.speed / slower.computing) for kind in kinds)
    if effort is not None:
        weights = tuple((name, each / slower.computing if name == SEND else each) for name, each in effort.weights)
        effort = replace(effort, weights=weights)
    if timings is not None:
        timings = Timings(**{name: _slowed(getattr(timings, name), slower) for name in COLLECTIVES})
    return replace(system, kinds=kinds, effort=effort, timings=timings)


def _slowed(timing: Timing, slower: Slower) -> Timing:
    """A few bytes take so many times as long; many, as many seconds more as MANY do, for links carry what they did."""
    few, many = (
        (factor - 1) * seconds_of(timing, count) for factor, count in ((slower.beginning, FEW), (slower.sending, MANY))
    )
    seconds = []
    for count, each in timing:
        part = min(1.0, max(0.0, (count - FEW) / (MANY - FEW)))
        more = few + part * (many - few) if count >= FEW else (slower.beginning - 1) * each
        seconds.append(max(each / MOST_FASTER, each + more))
    return tuple(zip((count for count, _ in timing), never_less(seconds), strict=True))


def cuts(program: Program, system: System) -> list[tuple[str, str, tuple[int, ...]]]:
    """Names, shares and rows of a batch for DDP: even, and proportional where devices are unlike."""
    batch = next(source.shape[0] for source in program.sources if source.kind is SourceKind.INPUT)
    speeds = cluster_of(system, Gloo()).speeds
    shares = (even(len(speeds)), *([proportional(speeds)] if len(set(speeds)) > 1 else []))
    found = [(f"{DDP}, {each.name}", each.name, each.atoms(batch)) for each in shares]
    return [each for each in found if min(each[2]) > 0]


def prepared(setting: Setting, model: str, system: System, programs: Path) -> list[Candidate]:
    """What was found for a model on a setting and kept in a folder, or is now."""
    path = programs / f"{hashlib.sha256(f'{setting} {model}'.encode()).hexdigest()[:16]}.json"
    if not path.exists():
        found = [
            (each.name, each.shares, print_program(each.program)) for each in candidates(program_of(model), system)
        ]
        path.write_text(json.dumps(found), encoding="utf-8")
    kept = json.loads(path.read_text(encoding="utf-8"))
    return [Candidate(name, shares, parse_program(text)) for name, shares, text in kept]


def by_turns(
    system: System, sources: Sequence[str], model: str, rows: Sequence[Sequence[int]], predicted: Sequence[float]
) -> Times:
    """Times of files' steps and of DDP with these rows: all in some rounds, in more what may be fastest.

    `predicted` is of the last files. The first ones have all rounds, and are no programs that can win; nor is DDP.
    """
    first = len(sources) - len(predicted)
    with Laboratory(lab_shape(system)) as laboratory, laboratory_calls(laboratory) as ranks:
        paths = [written(ranks.folder, f"step{number}", source) for number, source in enumerate(sources)]

        def timed(numbers: Sequence[int], rounds: int) -> list[TimedStep]:
            files = [paths[number] for number in numbers if number < len(paths)]
            cut = [rows[number - len(paths)] for number in numbers if number >= len(paths)]
            patience = ranks_patience(len(numbers))
            return of_all_ranks(
                ranks.call(RANK, "ends_by_turns", files, model, cut, rounds, COUNTED, WARM, timeout_s=patience)
            )

        begun = timed(range(len(paths) + len(rows)), ROUNDS)
        times = [in_rounds(each.seconds, COUNTED) for each in begun]
        near = contending(times, [*[None] * first, *predicted, *[None] * len(rows)])
        near = sorted({*range(first), *near})
        for number, each in zip(near, timed(near, MORE), strict=True):
            times[number] += in_rounds(each.seconds, COUNTED)
    even_out = dict(zip(near, levelled([times[number] for number in near]), strict=True))
    middles = [even_out.get(number, median(mine)) for number, mine in enumerate(times)]
    return Times(times, middles, [each.outputs[0][1] for each in begun])


def measured(setting: Setting, model: str, probings: Sequence[Probing], programs: Path) -> Iterator[Row]:
    """The rows of a model on a setting's laboratory; small programs that were timed before take turns beside them."""
    system = fitted(setting, probings)
    many, cluster = prepared(setting, model, system, programs), cluster_of(system, Gloo())
    rows = cuts(many[0].program, system)
    beside = beside_of(system.devices)
    expected = [
        max(row.seconds for row in probings if (row.setting, row.program) == (str(setting), name)) for name, _ in beside
    ]
    sources = [emit_program(each) for _, each in beside]
    carrying = [(each.program, carried(each.program, cluster)) for each in many]
    sources += [emit_program(program, how.ways, buckets=how.buckets) for program, how in carrying]
    before = [predicted(program, system, how.buckets)[0] for program, how in carrying]
    taken = by_turns(setting.system, sources, model, [each for *_, each in rows], before)
    slower = Slower(*_longer([median(mine) / each for mine, each in zip(taken.rounds, expected, strict=False)]))
    now = slowed(system, slower)
    named = [
        (each.name, each.shares, how.buckets, *predicted(each.program, now, how.buckets))
        for each, (_, how) in zip(many, carrying, strict=True)
    ]
    named += [(name, shares, 0, 0.0, 0.0) for name, shares, _ in rows]
    for number, (name, shares, buckets, total, sending) in enumerate(named, start=len(beside)):
        rounds = taken.rounds[number]
        yield Row(
            setting=str(setting),
            model=model,
            candidate=name,
            shares=shares,
            predicted=total,
            communication=sending,
            seconds=_digits(taken.middles[number]),
            least=_digits(min(rounds)),
            most=_digits(max(rounds)),
            loss=taken.losses[number],
            slowdown=slower.computing,
            beginning=slower.beginning,
            sending=slower.sending,
            buckets=buckets,
            rounds=" ".join(f"{each:.4g}" for each in rounds),
        )


def again(rows: Sequence[Row], probings: Sequence[Probing], programs: Path) -> Iterator[Row]:
    """The rows with what the model of cost says now of the programs that were kept."""
    settings = {str(setting): setting for setting in SETTINGS}
    for (name, model), group in groupby(rows, key=lambda row: (row.setting, row.model)):
        system = fitted(settings[name], probings)
        found = iter(prepared(settings[name], model, system, programs))
        for row in group:
            if row.is_ddp:
                yield row
                continue
            slower = Slower(row.slowdown, row.beginning, row.sending)
            total, sending = predicted(next(found).program, slowed(system, slower), row.buckets)
            yield replace(row, predicted=total, communication=sending)


def missing(setting: Setting, rows: Sequence[Row]) -> list[str]:
    """The models of a setting of which a table has no rows."""
    there = {row.model for row in rows if row.setting == str(setting)}
    return [each for each in setting.models if each not in there]


def measure(given: argparse.Namespace, programs: Path) -> None:
    """Measure what is missing, and keep it model by model; small programs of a setting right before its models."""
    until = time.monotonic() + given.seconds
    probings, rows = read(given.probes, Probing), read(given.out, Row)
    for setting in SETTINGS:
        if time.monotonic() <= until and not any(row.setting == str(setting) for row in probings):
            probings += probed_rows(setting, probe(setting.system))
            write(given.probes, probings, Probing)
            print(f"{setting}: small programs", file=sys.stderr)
        models = [] if given.probe else missing(setting, rows)
        for model in models:
            if time.monotonic() <= until:
                prepared(setting, model, fitted(setting, probings), programs)
        for model in [] if given.prepare else models:
            if time.monotonic() > until:
                return
            found = list(measured(setting, model, probings, programs))
            rows = sorted([*rows, *found], key=_order)
            write(given.out, rows, Row)
            print(f"{setting}, {model}: {len(found)}", file=sys.stderr)


def main() -> int:
    """Measure what is missing, or predict again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS / "shard.csv")
    parser.add_argument("--probes", type=Path, default=RESULTS / "shard_probes.csv")
    parser.add_argument("--programs", type=Path, help="a folder that keeps the programs")
    parser.add_argument("--seconds", type=float, default=7200.0, help="begin nothing after so many")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--probe", action="store_true", help="time small programs, and nothing else")
    only.add_argument("--prepare", action="store_true", help="find the programs and run none, but small ones")
    only.add_argument("--again", action="store_true", help="measure nothing, predict the programs kept anew")
    given = parser.parse_args()
    try:
        with ended_by_signals(), tempfile.TemporaryDirectory() as temporary:
            programs = given.programs or Path(temporary)
            programs.mkdir(exist_ok=True)
            if given.again:
                rows = [*again(read(given.out, Row), read(given.probes, Probing), programs)]
                write(given.out, rows, Row)
            else:
                measure(given, programs)
    except (P2Error, OSError) as error:
        print(f"measure_shard: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_shard: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


def _order(row: Row) -> tuple[int, int]:
    """As the settings and their models are listed."""
    names = [str(setting) for setting in SETTINGS]
    return names.index(row.setting), SETTINGS[names.index(row.setting)].models.index(row.model)


def _digits(seconds: float) -> float:
    return float(f"{seconds:.6g}")


if __name__ == "__main__":
    sys.exit(main())
