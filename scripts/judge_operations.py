"""Fit a device to a table of operations, and judge the fit on operations that it has not seen.

    .venv/bin/python scripts/judge_operations.py [TABLE.csv] [--folds 8]

Held out are all operations of some shapes (a shape is in one part only), and single operations whose shape other kinds
or data types have. The table of both is kept in scripts/results/operations.md.
"""

import argparse
import random
from collections.abc import Callable, Hashable, Sequence
from math import log
from pathlib import Path
from statistics import fmean

from p2smt.cost.calibration.judgement import predicted
from p2smt.cost.calibration.operation_table import ELEMENTWISE, OperationRow, TimedPart, read_operations
from p2smt.cost.calibration.operations import fit_operations

TABLE = Path(__file__).with_name("h100_operations.csv")
CONTRACTIONS = ("matmul", "bmm", "bmm_nt")


def errors(rows: Sequence[OperationRow], key: Callable[[OperationRow], Hashable], folds: int) -> dict[str, list[float]]:
    """|ln(predicted / measured)| of every operation by the fit that has not seen its key, by kind."""
    device = [row for row in rows if row.timing is TimedPart.KERNEL]
    keys = sorted({key(row) for row in device}, key=str)
    random.Random(1).shuffle(keys)
    found: dict[str, list[float]] = {}
    for fold in range(folds):
        held = set(keys[fold::folds])
        seen = [row for row in rows if row.timing is TimedPart.LAUNCH or (row in device and key(row) not in held)]
        model = fit_operations(seen, "judged", "a part of the rows").model
        for row in device:
            if key(row) in held:
                found.setdefault(row.kind, []).append(abs(log(predicted(model, row) / row.seconds)))
    return found


def by_shape(row: OperationRow) -> Hashable:
    """A shape is held out for all kinds and data types."""
    return row.shape


def by_row(row: OperationRow) -> Hashable:
    """An operation is held out alone."""
    return row.kind, row.work.dtype, row.shape


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path, nargs="?", default=TABLE)
    parser.add_argument("--folds", type=int, default=8)
    given = parser.parse_args()
    rows = read_operations(given.table)
    judged = [errors(rows, key, given.folds) for key in (by_shape, by_row)]
    print("| kind | rows | shape held out | operation held out |\n|---|---|---|---|")
    groups: dict[str, Sequence[str]] = {
        "all": tuple(judged[0]),
        "contractions": CONTRACTIONS,
        "element-wise": ELEMENTWISE,
        **{kind: (kind,) for kind in judged[0]},
    }
    for name, kinds in groups.items():
        each = [[error for kind in kinds for error in found.get(kind, ())] for found in judged]
        if each[0]:
            print(f"| {name} | {len(each[0])} | {fmean(each[0]):.3f} | {fmean(each[1]):.3f} |")


if __name__ == "__main__":
    main()
