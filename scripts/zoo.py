"""Captures tiny models of public libraries as their users train them; exit code 1 if fewer than 9 of 10 are captured.

    pip install -e '.[zoo]'
    python scripts/zoo.py                     # all
    python scripts/zoo.py timm gpt2 --compare # a family and a model, each compared with PyTorch on three steps

Nothing is downloaded. A comparison is of losses, gradients, new parameters and buffers, of the captured step as it is
emitted for one device (`zoo_comparison.py`), in float32. Where that is further apart than 1e-5 the same is done in
float64, and the row says how far PyTorch's own float32 is from its float64: so far rounding alone takes this model, and
further where it moves a ReLU or a pool to its other side. Whole numbers, such as counters, have to be equal. A model
that differs in float64, too, is marked, and the exit code is 1. One that is refused has the reason in its row.

With --report FILE the rows are kept in a table, in which a later run replaces its own: all models are long in one run.
"""

import argparse
import gc
import logging
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from zoo_models import (
    coordinates,
    decisions,
    densities,
    forecasts,
    hugging_face,
    others,
    pictures,
    recommendations,
    recurrences,
    sentences,
    sounds,
    tutorials,
)
from zoo_models.training import Step

from p2smt.errors import P2Error

if TYPE_CHECKING:
    from zoo_comparison import Captured

_HEAD = (
    "# Models of the zoo",
    "",
    "| family | model | CPU s | statements, and how far three steps are from PyTorch's |",
    "|---|---|---:|---|",
)
SHARE, CLOSE = 0.9, 1e-5
MILD = 1e-3
"""The optimizer's eps: a gradient that is 0 but for rounding would count, divided by its own size."""
IN_32_BITS = "experts"
_LIBRARIES = (hugging_face, pictures, others)
_PLAIN = (recommendations, forecasts, recurrences, sounds, tutorials, decisions, coordinates, densities, sentences)
_MODULES = (*_LIBRARIES, *_PLAIN)


def models(wanted: list[str]) -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Return the models of these families or names; all where there are none."""
    for each in _MODULES:
        for family, name, make in each.models():
            if not wanted or family in wanted or name in wanted:
                yield family, name, make


def mild(make: Callable[[], Step]) -> Callable[[], Step]:
    """The same step each time, with an optimizer that is compared."""

    def function() -> Step:
        torch.manual_seed(0)
        step = make()
        for group in step[3].param_groups:
            if isinstance(group.get("eps"), float):
                group["eps"] = MILD
        return step

    return function


def row(make: Callable[[], Step], family: str, *, compare: bool) -> tuple[bool, bool, str]:
    """Return whether a model is captured, whether it is found to differ, and what is said of it."""
    from zoo_comparison import captured

    try:
        made = captured(mild(make))
        is_other, apart = compared(mild(make), made, in_64=family != IN_32_BITS) if compare else (False, "")
    except P2Error as cause:
        return False, False, f"refused: {' '.join(str(cause).split())}"
    except Exception as cause:
        return False, False, f"{type(cause).__name__}: {' '.join(str(cause).split())[:300]}"
    return True, is_other, f"{len(made.program.statements)} statements{apart}"


def compared(make: Callable[[], Step], made: "Captured", *, in_64: bool) -> tuple[bool, str]:
    """Return whether a captured step differs from PyTorch, and how far it is apart."""
    from checked_models import numbers_of
    from zoo_comparison import as_emitted, captured, furthest, in_pytorch

    ours, theirs = as_emitted(made, make), in_pytorch(make)
    apart, what = furthest(ours, theirs)
    said = f", float32 apart {apart:.0e}"
    if apart <= CLOSE or not in_64:
        return apart > CLOSE, said
    first, _ = furthest(ours[:1], theirs[:1])
    with numbers_of(torch.float64):
        exact = in_pytorch(make)
        other, where = furthest(as_emitted(captured(make), make), exact)
    rounded, _ = furthest(theirs, exact)
    said += (
        f" ({what}), in the first step {first:.0e}; PyTorch's own float32 from float64 {rounded:.0e}; float64 "
        f"apart {other:.0e}"
    )
    return other > CLOSE, said + (f" ({where}), DIFFERS" if other > CLOSE else "")


def keep(report: Path, name: str, row: str) -> None:
    """Write a model's row into a table, in the order of the models, in the place of the one before."""
    lines = report.read_text(encoding="utf-8").splitlines()[len(_HEAD) :] if report.exists() else []
    rows = {line.split(" | ")[1]: line for line in lines}
    rows[name] = re.sub(r"/[^ ]*/(?=[^ /]+:\d+:)", "", row)
    order = {name: number for number, (_, name, _) in enumerate(models([]))}
    kept = sorted((each for each in rows if each in order), key=order.__getitem__)
    report.write_text("\n".join([*_HEAD, *(rows[each] for each in kept), ""]), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="families or names")
    parser.add_argument("--compare", action="store_true", help="compare each with PyTorch on three steps")
    parser.add_argument("--report", type=Path, help="keep the rows in this table in Markdown, beside those there")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)
    captured, total, differing = Counter[str](), Counter[str](), 0
    for family, name, make in models(options.models):
        began = time.process_time()
        right, is_other, said = row(make, family, compare=options.compare)
        captured[family] += right
        differing += is_other
        total[family] += 1
        seconds = time.process_time() - began
        print(f"{family:16} {name:34} {seconds:5.1f} CPU s  {said}", flush=True)
        if options.report is not None:
            keep(options.report, name, f"| {family} | {name} | {seconds:.1f} | {said} |")
        gc.collect()
    for family, count in total.items():
        print(f"{family}: {captured[family]} of {count} captured")
    print(f"all: {captured.total()} of {total.total()} captured")
    if options.compare:
        print(f"all: {differing} differ from PyTorch")
    return int(captured.total() < SHARE * total.total() or differing > 0)


if __name__ == "__main__":
    sys.exit(main())
