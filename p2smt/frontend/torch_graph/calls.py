"""Modes that see every call of torch in a step, those of its backward pass too."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

_RUN = "_engine_run_backward"


@contextmanager
def seen_by(mode: TorchFunctionMode) -> Iterator[None]:
    """While this is entered, the mode sees the calls of whomever.

    torch runs a backward pass outside of modes. This one is entered there too, for what is checkpointed is computed
    again in a backward pass, and has to save the same tensors.
    """
    autograd = vars(torch.autograd)
    run = autograd[_RUN]

    def seen(*args: object, **kwargs: object) -> object:
        with mode:
            return run(*args, **kwargs)

    autograd[_RUN] = seen
    try:
        with mode:
            yield
    finally:
        autograd[_RUN] = run
