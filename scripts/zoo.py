"""Captures tiny models of public libraries as their users train them; exit code 1 if fewer than 9 of 10 are captured.

    pip install -e '.[zoo]'
    python scripts/zoo.py                     # all
    python scripts/zoo.py timm gpt2 --compare # a family and a model, each compared with PyTorch on a training step

Nothing is downloaded. Differences are those of loss, gradients and new parameters, relative to the largest element,
computed in 64 bits, but for mixtures of experts, whose grouped products PyTorch has in 32. A model that is refused
has the reason in its row.
"""

import argparse
import gc
import logging
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import torch
from zoo_models import hugging_face, others, pictures
from zoo_models.training import Step

from p2smt.errors import P2Error

SHARE = 0.9
MILD = 1e-3
"""The optimizer's eps: a gradient that is 0 but for rounding would count, divided by its own size."""
IN_32_BITS = "experts"


def models(wanted: list[str]) -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Return the models of these families or names; all where there are none."""
    for family, name, make in (*hugging_face.models(), *pictures.models(), *others.models()):
        if not wanted or family in wanted or name in wanted:
            yield family, name, make


def mild(make: Callable[[], Step]) -> Callable[[], Step]:
    """The same step each time, with an optimizer that is compared."""

    def function() -> Step:
        torch.manual_seed(0)
        step = make()
        for group in step[3].param_groups:
            group["eps"] = MILD
        return step

    return function


def row(make: Callable[[], Step], name: str, compare: bool) -> tuple[bool, str]:
    """Return whether a model is captured, and what is said of it."""
    from frontend.torch_graph import eager

    try:
        program = eager.captured(mild(make), name)
        apart = f", apart {eager.compared(mild(make), program, 1):.0e}" if compare else ""
    except P2Error as cause:
        return False, f"refused: {' '.join(str(cause).split())}"
    except Exception as cause:
        return False, f"{type(cause).__name__}: {' '.join(str(cause).split())[:300]}"
    return True, f"{len(program.statements)} statements{apart}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="families or names")
    parser.add_argument("--compare", action="store_true", help="compare each with PyTorch")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)
    captured, total = Counter[str](), Counter[str]()
    for family, name, make in models(options.models):
        torch.set_default_dtype(torch.float64 if options.compare and family != IN_32_BITS else torch.float32)
        began = time.process_time()
        right, said = row(make, name, options.compare)
        captured[family] += right
        total[family] += 1
        print(f"{family:16} {name:34} {time.process_time() - began:5.1f} CPU s  {said}", flush=True)
        gc.collect()
    for family, count in total.items():
        print(f"{family}: {captured[family]} of {count} captured")
    print(f"all: {captured.total()} of {total.total()} captured")
    return int(captured.total() < SHARE * total.total())


if __name__ == "__main__":
    sys.exit(main())
