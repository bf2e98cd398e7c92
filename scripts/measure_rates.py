"""Measure what calls of torch and collectives take on ranks in laboratories, and write rates that explain it.

For 2 to 8 ranks (lab_rates.py): collectives by each implementation on cards of two rates, computation by its size.
Rows go to scripts/results/schedule_probes.csv, what was fitted to them to schedule_rates.json; numbers of ranks that
are in the table as often as `--starts` asks are left out. The same messages take more in some processes than in others:
of several starts the median counts. Needs root, iproute2 and torch. Takes a few minutes a start. Beside other work give
it real-time priority, with slices as short as others have: `sysctl kernel.sched_rr_timeslice_ms=1`, and `chrt -r 1`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from lab_rates import LATE, Probed, probed, rates_of
from result_table import read, write

from p2smt.errors import P2Error
from p2smt.run.lab.laboratory import ended_by_signals
from p2smt.schedule.cost.rates_file import rates_text

RESULTS = Path(__file__).parent / "results"
PROBES, RATES = RESULTS / "schedule_probes.csv", RESULTS / "schedule_rates.json"
RANKS = (2, 3, 4, 5, 6, 7, 8)


def keep(rows: Sequence[Probed], probes: Path, rates: Path) -> None:
    """Write the table, and what explains it."""
    write(probes, rows, Probed)
    rates.write_text(rates_text(rates_of(rows)), encoding="utf-8")


def main() -> int:
    """Measure what is missing, and fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probes", type=Path, default=PROBES)
    parser.add_argument("--rates", type=Path, default=RATES)
    parser.add_argument("--ranks", type=int, nargs="*", default=RANKS)
    parser.add_argument("--starts", type=int, default=1, help="how often all is measured, in processes of its own")
    given = parser.parse_args()
    try:
        rows = read(given.probes, Probed)
        with ended_by_signals():
            for ranks in given.ranks:
                while sum((row.ranks, row.name) == (ranks, LATE) for row in rows) < given.starts:
                    rows += probed(ranks)
                    print(f"{ranks} ranks: done", file=sys.stderr)
                keep(rows, given.probes, given.rates)
    except (P2Error, OSError) as error:
        print(f"measure_rates: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_rates: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
