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
from shard_table import DDP, RESULTS, Probing, Row

from p2smt.cost.calibration.probes import STEPS, Measured, calls, exchanges, probes
from p2smt.cost.calibration.ranks import fit_ranks
from p2smt.cost.network.backend import Gloo
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error
from p2smt.problem.system.devices import SEND
from p2smt.problem.system.network import System
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.probing import laboratory_calls, of_all_ranks, probe, ranks_patience, written
from p2smt.run.lab.shape import lab_shape
from p2smt.spmd.as_emitted import as_emitted
from p2smt.spmd.in_buckets import in_buckets
from p2smt.spmd.observation import observed
from p2smt.spmd.sharding import shard
from p2smt.spmd.shares import even, proportional, vertices
from p2smt.spmd.system import cluster_of
from p2smt.spmd.ways import carried
from p2smt.tensor.program import Program, SourceKind
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program

CHOICE = "choice"
RANK = str(Path(__file__).with_name("ddp_rank.py"))
WARM, ROUNDS, COUNTED = 2, 8, 2
MOST = 7
"""Candidates of a model on a cluster."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is measured: a program under a name, and the shares of its devices."""

    name: str
    shares: str
    program: Program


def probed_rows(setting: Setting, probed: Measured) -> Iterator[Probing]:
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
    measured = Measured(
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
    emitted = as_emitted(found)
    many = [
        (CHOICE, emitted.shares.name, emitted.answer),
        (f"fastest without buckets, {found.shares.name}", found.shares.name, found),
    ]
    many += [(name, each.shares.name, each) for name, each in (*emitted.baselines, *emitted.spare)]
    many += [(f"best with {each.shares.name}", each.shares.name, each) for each in emitted.candidates]
    different = {print_program(each.program): (name, shares, each) for name, shares, each in reversed(many)}
    kept = sorted(different.values(), key=lambda one: (not _always(one[0]), in_buckets(one[2].program, cluster).time))
    return [Candidate(name, shares, each.program) for name, shares, each in kept[:MOST]]


def _always(name: str) -> bool:
    plain = name in ("data parallel", "data parallel, even", "data parallel, proportional")
    return plain or name == CHOICE or name.startswith("expert")


def predicted(program: Program, system: System, buckets: int) -> tuple[float, float]:
    """Seconds of a step that gives whole outputs, and what of them collectives take."""
    cluster = cluster_of(system, Gloo())
    made, total = in_buckets(program, cluster, buckets), observed(program, cluster, buckets)
    return _digits(total / 1e12), _digits((total - made.time + made.communication) / 1e12)


def slowed(system: System, slowdown: float) -> System:
    """The system whose devices compute more slowly, and send as they did when it was calibrated."""
    kinds, effort = tuple(replace(kind, speed=kind.speed / slowdown) for kind in system.kinds), system.effort
    if effort is not None:
        weights = tuple((name, weight / slowdown if name == SEND else weight) for name, weight in effort.weights)
        effort = replace(effort, weights=weights)
    return replace(system, kinds=kinds, effort=effort)


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


def measured(setting: Setting, model: str, probings: Sequence[Probing], programs: Path) -> Iterator[Row]:
    """The rows of a model on a setting's laboratory; small training steps take their turns beside them."""
    system = fitted(setting, probings)
    many, cluster = prepared(setting, model, system, programs), cluster_of(system, Gloo())
    rows = cuts(many[0].program, system)
    beside = [each for each in probes(system.devices) if each.name in STEPS]
    expected = [max(row.seconds for row in probings if (row.setting, row.program) == (str(setting), each.name))
                for each in beside]  # fmt: skip
    sources = [emit_program(each.program) for each in beside]
    carrying = [(each.program, carried(each.program, cluster)) for each in many]
    sources += [emit_program(program, how.ways, buckets=how.buckets) for program, how in carrying]
    with Laboratory(lab_shape(setting.system)) as laboratory, laboratory_calls(laboratory) as ranks:
        paths = [written(ranks.folder, f"step{number}", source) for number, source in enumerate(sources)]
        parts = [each for *_, each in rows]
        patience = ranks_patience(len(paths) + len(parts))
        timed = of_all_ranks(
            ranks.call(RANK, "ends_by_turns", paths, model, parts, ROUNDS, COUNTED, WARM, timeout_s=patience)
        )
    ratios = [median(each.seconds) / mine for each, mine in zip(timed, expected, strict=False)]
    slowdown = _digits(exp(fmean(map(log, ratios))))
    slower = slowed(system, slowdown)
    names = [(each.name, each.shares, how.buckets, *predicted(each.program, slower, how.buckets))
             for each, (_, how) in zip(many, carrying, strict=True)]  # fmt: skip
    names += [(name, shares, 0, 0.0, 0.0) for name, shares, _ in rows]
    for (name, shares, buckets, total, sending), mine in zip(names, timed[len(beside) :], strict=True):
        yield Row(
            setting=str(setting), model=model, candidate=name, shares=shares, predicted=total,
            communication=sending, seconds=_digits(median(mine.seconds)), least=_digits(min(mine.seconds)),
            most=_digits(max(mine.seconds)), loss=mine.outputs[0][1], slowdown=slowdown,
            buckets=buckets,
        )  # fmt: skip


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
            total, sending = predicted(next(found).program, slowed(system, row.slowdown), row.buckets)
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
