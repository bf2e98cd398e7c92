"""Try to make `p2smt verify` claim something false, with changed tensor programs and with PyTorch functions on ranks.

`--programs N` runs `break_programs.py`, `--functions N` runs `break_functions.py`; both run by default. Prints JSON.
Needs torch. Exit code 1 if a verdict is false.
"""

import argparse
import json
import sys
from importlib import import_module

KINDS = {"functions": "break_functions", "programs": "break_programs"}
DEFAULTS = {"functions": 2000, "programs": 3000}


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for kind, module in KINDS.items():
        parser.add_argument(f"--{kind}", type=int, help=f"how many; see {module}.py")
    parser.add_argument("--seed", type=int, default=0)
    asked = vars(parser.parse_args(arguments))
    counts = {kind: asked[kind] for kind in KINDS if asked[kind] is not None} or DEFAULTS
    found = {kind: import_module(KINDS[kind]).run(count, asked["seed"]) for kind, count in counts.items() if count}
    print(json.dumps(found, indent=1))
    return 1 if any(each["false"] for each in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
