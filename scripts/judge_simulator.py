"""Judge the simulator by what was measured in laboratories: scripts/results/lab.csv, or the files named.

An experiment is a placement and a reduction. The figures of the network are fitted to one half of the experiments
and judged on the other, both ways round; experiments with racks are predicted by the fits to hosts without, their
uplinks taken for network cards. `--system` judges what measure_p2.py measured on a cluster. Printed: how often the
fastest program is among the first k predicted (the paper's Table 5), errors, the rank correlation, the regret (time of
the predicted best over that of the measured best), and the paper's findings beside those here. `--json`,
`--report FILE.md` with figures beside it (needs matplotlib).
"""

import argparse
import json
import sys
from functools import partial
from pathlib import Path

from judge_cases import Case, cases_of, predicted
from judge_report import report, summary, text
from lab_experiments import lab_system

from p2smt.errors import P2Error
from p2smt.problem.system.file import resized
from p2smt.problem.system.text import find_system

RESULTS = Path(__file__).parent / "results" / "lab.csv"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, default=[RESULTS])
    parser.add_argument("--system", help="the cluster that measure_p2.py measured [laboratories]")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    try:
        system_of = lab_system if given.system is None else partial(resized, find_system(given.system))
        every = [case for path in given.files for case in cases_of(path, system_of)]
        cases: list[Case] = predicted(every, system_of)
        found = summary(cases)
    except P2Error as error:
        print(f"judge_simulator: {error}", file=sys.stderr)
        return 2
    print(json.dumps(found, indent=2) if given.json else text(found))
    if given.report is not None:
        report(given.report, cases, found, given.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
