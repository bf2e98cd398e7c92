"""Measure operations of PyTorch on the device at hand, and keep them as a table for `p2smt calibrate --operations`.

    python scripts/measure_operations.py --out operations.csv [--device cuda] [--seconds 60]

It needs torch alone, so that it runs where p2smt is not installed; CUDA if there is one, else the CPU.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from p2smt.run.measure.operations import OperationTimer, table_text


def main() -> None:
    """Measure, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seconds", type=float, default=60.0)
    given = parser.parse_args()
    rows = OperationTimer(given.device, given.seconds).run(
        lambda done, total: print(f"\r{done} of {total}", end="", file=sys.stderr, flush=True)
    )
    given.out.write_text(table_text(rows) + "\n", encoding="utf-8")
    name = torch.cuda.get_device_name() if given.device == "cuda" else "the CPU"
    print(f"\n{given.out}: {len(rows)} rows measured on {name}, torch {torch.__version__}", file=sys.stderr)


if __name__ == "__main__":
    main()
