"""What every rank of `break_functions.py` does; loaded in the rank's own process."""

import runpy
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.distributed.tensor

from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run as interpreted
from p2smt.tensor.meaning import Part
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

sys.path.insert(0, str(Path(__file__).parent))  # a rank loads this file by its path, not as a script

from functions_to_break import COLUMNS, RANKS, ROWS
from operators_to_break import Watching


def agreements(
    path: str, programs: Sequence[tuple[str, str]]
) -> tuple[dict[str, tuple[list[str], str]], dict[str, object], float]:
    """How functions of a file agree with programs, with the operators that were dispatched, and CPU seconds.

    A function agrees in ways, `whole` or cut along a dimension, and may end in an error instead.
    """
    began = time.process_time()
    warnings.simplefilter("ignore")
    functions, watching = runpy.run_path(path), Watching()
    found = {name: _agreement(functions[name], program, watching) for name, program in programs}
    return found, watching.table(), time.process_time() - began


def _agreement(
    function: Callable[[torch.Tensor], torch.Tensor], program: str, watching: Watching
) -> tuple[list[str], str]:
    try:
        return _fits(function, program, watching), ""
    except Exception as cause:
        return [], f"on real ranks {type(cause).__name__}: {str(cause)[:200]}"


def _fits(function: Callable[[torch.Tensor], torch.Tensor], program: str, watching: Watching) -> list[str]:
    """The ways in which this rank's result is a part of the program's value: whole, or cut along a dimension."""
    array, rank = np.random.default_rng(5).normal(size=(ROWS, COLUMNS)), dist.get_rank()
    wanted = interpreted(parse_program(program), {"w1": (Part(array, whole(array.shape)),)}, Reals(0), 1)
    value = wanted["y"][0].array
    width = COLUMNS // RANKS
    mine = torch.tensor(array[:, rank * width : (rank + 1) * width].copy()).requires_grad_()
    with watching:
        result = function(mine)
    ours = result.detach().numpy()
    found = ["whole"] if _close(ours, value) else []
    for dim in range(2):
        if value.shape[dim] % RANKS == 0 and _close(ours, np.split(value, RANKS, dim)[rank]):
            found.append(f"cut along {dim}")
    return found


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=1e-9, atol=1e-12))
