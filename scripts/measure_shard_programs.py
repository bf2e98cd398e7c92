"""Measure what reduction programs gain inside sharded training steps, by turns, in laboratories of several hosts.

For every setting of lab_shards.py whose hosts have several ranks: data parallelism, the same with everything sliced
(ZeRO-3), and the fastest with programs, each emitted with the library's collectives and with reduction programs where
these are predicted to be faster; all are run in an order drawn at random for every round. Prices are of systems that
were fitted to small programs (scripts/results/shard_probes.csv). Rows go to scripts/results/shard_programs.csv; what is
there is left out. Printed is what they say. Needs root, iproute2, cgroups and torch. Takes ten minutes.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from lab_shards import SETTINGS, Setting
from measure_shard import COUNTED, ROUNDS, WARM, fitted
from result_table import read, write
from shard_models import program_of
from shard_table import RESULTS, Probing

from p2smt.cost.network.backend import Gloo
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error
from p2smt.problem.system.network import System
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.probing import laboratory_calls, of_all_ranks, ranks_patience, written
from p2smt.run.lab.shape import lab_shape
from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.account.ways import carried
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.program import Program

MODELS = ("vit", "bert")
TAKEN = ("data parallel, even", "data parallel, all sliced (ZeRO-3), even")
RANK = str(Path(__file__).with_name("ddp_rank.py"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A program: seconds of a step, predicted and measured (median), with the library's collectives and by programs.

    `programs` of the `calls` statements that are collectives are reduction programs; `loss` is that of the first step.
    """

    setting: str
    model: str
    candidate: str
    calls: int
    programs: int
    library_predicted: float
    predicted: float
    library_seconds: float
    seconds: float
    loss: float
    library_loss: float


def candidates(program: Program, cluster: Cluster) -> dict[str, Program]:
    """The fastest with even shares, and what others take."""
    found = shard(program, cluster, (even(len(cluster.devices)),))
    taken = [("fastest", found.program), *((name, each.program) for name, each in found.baselines if name in TAKEN)]
    return {name: with_whole_outputs(each) for name, each in taken}


def measured(setting: Setting, model: str, system: System) -> Iterator[Row]:
    """The rows of a model on a setting's laboratory."""
    library, both = (cluster_of(system, Gloo(), programs=each) for each in (False, True))
    many = candidates(program_of(model), both)
    told, sources = [], []
    for name, program in many.items():
        plain, how = carried(program, library), carried(program, both)
        sources.append(emit_program(program, plain.ways, buckets=plain.buckets))
        sources.append(emit_program(program, how.ways, buckets=how.buckets, programs=how.programs, library=how.library))
        seconds = [
            in_buckets(program, cluster, of.buckets).time / 1e12 for cluster, of in ((library, plain), (both, how))
        ]
        told.append((name, len(how.ways), len(how.programs), seconds))
    with Laboratory(lab_shape(setting.system)) as laboratory, laboratory_calls(laboratory) as ranks:
        paths = [written(ranks.folder, f"step{number}", source) for number, source in enumerate(sources)]
        patience = ranks_patience(len(paths))
        timed = of_all_ranks(
            ranks.call(RANK, "ends_by_turns", paths, model, [], ROUNDS, COUNTED, WARM, timeout_s=patience)
        )
    for number, (name, calls, programs, (library_predicted, predicted)) in enumerate(told):
        own, mine = timed[2 * number : 2 * number + 2]
        yield Row(
            setting=str(setting),
            model=model,
            candidate=name,
            calls=calls,
            programs=programs,
            library_predicted=_digits(library_predicted),
            predicted=_digits(predicted),
            library_seconds=_digits(median(own.seconds)),
            seconds=_digits(median(mine.seconds)),
            loss=mine.outputs[0][1],
            library_loss=own.outputs[0][1],
        )


def _digits(seconds: float) -> float:
    return float(f"{seconds:.6g}")


def report(rows: Sequence[Row]) -> str:
    """What the rows say."""
    lines = [
        "step of the library's collectives over that by reduction programs, predicted and",
        "measured",
        "",
        f"  {'model':5} {'program':42} {'by program':>10} {'predict':>7} {'measure':>7}",
    ]
    setting = ""
    for row in rows:
        if row.setting != setting:
            lines += ["", row.setting]
            setting = row.setting
        predicted, seconds = row.library_predicted / row.predicted, row.library_seconds / row.seconds
        part = f"{row.programs} of {row.calls}"
        lines.append(f"  {row.model:5} {row.candidate:42} {part:>10} {predicted:6.2f}x {seconds:6.2f}x")
    some = [row for row in rows if row.programs]
    gains = [row.library_seconds / row.seconds for row in some]
    off = [log(row.library_predicted / row.predicted / gain) for row, gain in zip(some, gains, strict=True)]
    lines += [
        "",
        f"{len(some)} programs: faster {exp(fmean(map(log, gains))):.2f} times (geometric mean), at least "
        f"{min(gains):.2f}, at most {max(gains):.2f};",
        f"|ln(predicted / measured)| of the gain "
        f"{fmean(map(abs, off)):.3f}; losses of first steps agree: "
        f"{'yes' if all(abs(row.loss / row.library_loss - 1) < 1e-5 for row in rows) else 'no'}",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure what is missing, and print what all of it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS / "shard_programs.csv")
    parser.add_argument("--probes", type=Path, default=RESULTS / "shard_probes.csv")
    given = parser.parse_args()
    try:
        with ended_by_signals():
            rows, probings = read(given.out, Row), read(given.probes, Probing)
            for setting in (each for each in SETTINGS if each.ranks > 1):
                system = fitted(setting, probings)
                for model in MODELS:
                    if not any((row.setting, row.model) == (str(setting), model) for row in rows):
                        rows += measured(setting, model, system)
                        write(given.out, rows, Row)
                        print(f"{setting}, {model}", file=sys.stderr)
    except (P2Error, OSError) as error:
        print(f"measure_shard_programs: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_shard_programs: interrupted; the same command goes on", file=sys.stderr)
        return 130
    print(report(rows), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
