"""Measure what calls of torch and collectives take on ranks in laboratories, and write rates that explain it.

For 2 to 8 ranks (lab_rates.py): collectives by each implementation on cards of two rates, computation by its size.
Rows go to scripts/results/schedule_probes.csv, what was fitted to them to schedule_rates.json; numbers of ranks that
are in the table are left out. Needs root, iproute2 and torch. Takes a few minutes.
"""

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from lab_rates import Probed, probed, rates_of

from p2smt.errors import P2Error
from p2smt.run.lab.laboratory import ended_by_signals
from p2smt.schedule.cost.rates_file import rates_text

RESULTS = Path(__file__).parent / "results"
PROBES, RATES = RESULTS / "schedule_probes.csv", RESULTS / "schedule_rates.json"
RANKS = (2, 3, 4, 5, 6, 7, 8)


def known(path: Path) -> list[Probed]:
    """The rows of a table; none where there is no table."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Probed(int(row["ranks"]), int(row["rate"]), row["name"], int(row["count"]), int(row["size"]),
                   float(row["seconds"]))
            for row in csv.DictReader(file)
        ]  # fmt: skip


def write(rows: Sequence[Probed], probes: Path, rates: Path) -> None:
    """Write the table, and what explains it."""
    with probes.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, [field.name for field in fields(Probed)], lineterminator="\n")
        table.writeheader()
        table.writerows(map(asdict, rows))
    rates.write_text(rates_text(rates_of(rows)), encoding="utf-8")


def main() -> int:
    """Measure what is missing, and fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probes", type=Path, default=PROBES)
    parser.add_argument("--rates", type=Path, default=RATES)
    parser.add_argument("--ranks", type=int, nargs="*", default=RANKS)
    given = parser.parse_args()
    try:
        rows = known(given.probes)
        with ended_by_signals():
            for ranks in given.ranks:
                if ranks not in {row.ranks for row in rows}:
                    rows += probed(ranks)
                    print(f"{ranks} ranks: done", file=sys.stderr)
                write(rows, given.probes, given.rates)
    except (P2Error, OSError) as error:
        print(f"measure_rates: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_rates: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
