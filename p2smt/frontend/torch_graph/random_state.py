"""The random generator's state during capture, represented by the number of draws."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.lines import Lines
from p2smt.frontend.torch_graph.recording import RecordingMode


@contextmanager
def counted_draws(lines: Lines, mode: RecordingMode) -> Iterator[None]:
    """A context in which only checkpointing may reset the random state, for recomputation.

    Recomputed operations draw the same random numbers as the original ones, because the draw count is reset.
    """
    before = torch.get_rng_state, torch.set_rng_state

    def state() -> int:
        return 0 if mode.tape is None else mode.tape.drawn

    def set_back(drawn: int) -> None:
        if torch._C._current_autograd_node() is None:
            raise CaptureError(
                f"{lines.last}: the state of the random number generator is set there, which a "
                "program cannot do; set it outside the step"
            )
        if mode.tape is not None:
            mode.tape.drawn = drawn

    torch.get_rng_state, torch.set_rng_state = state, set_back  # type: ignore[assignment]
    try:
        yield
    finally:
        torch.get_rng_state, torch.set_rng_state = before
