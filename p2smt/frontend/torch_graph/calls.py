"""Function modes that stay active in the backward pass of a step."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch
from torch.overrides import TorchFunctionMode

_RUN = "_engine_run_backward"
_MODES = "_p2smt_modes"


@contextmanager
def seen_by(mode: TorchFunctionMode) -> Iterator[None]:
    """A context in which the mode intercepts all calls, including calls in the backward pass.

    torch runs a backward pass outside of modes. The modes are re-entered there, in the same order, because
    checkpointed code is recomputed in the backward pass and has to save the same tensors.
    """
    autograd = vars(torch.autograd)
    before = autograd[_RUN]
    modes: tuple[TorchFunctionMode, ...] = (*getattr(before, _MODES, ()), mode)
    run = getattr(before, "__wrapped__", before)

    def seen(*args: object, **kwargs: object) -> object:
        with ExitStack() as stack:
            for each in modes:
                stack.enter_context(each)
            return run(*args, **kwargs)

    vars(seen).update({_MODES: modes, "__wrapped__": run})
    autograd[_RUN] = seen
    try:
        with mode:
            yield
    finally:
        autograd[_RUN] = before
