"""Dispatch modes that stay active in the backward pass of a step."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch.overrides import TorchFunctionMode

_RUN = "_engine_run_backward"


@contextmanager
def seen_by(mode: TorchFunctionMode) -> Iterator[None]:
    """A context in which the mode intercepts all calls, including calls in the backward pass.

    torch runs a backward pass outside of modes. The mode is re-entered there, because checkpointed code is
    recomputed in the backward pass and has to save the same tensors.
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
