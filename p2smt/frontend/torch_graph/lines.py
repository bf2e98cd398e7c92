"""Source lines of calls to torch's operations, and refusal of calls on tensors that a step must not use."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from types import CodeType, FrameType

import torch
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.refusals import depends_on_values

_DATA = torch.Tensor.data
_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parent)
_EXAMPLES = str(Path(__file__).parent / "examples")


_METADATA = frozenset(
    (
        "shape",
        "dtype",
        "device",
        "ndim",
        "layout",
        "size",
        "dim",
        "numel",
        "is_floating_point",
        "requires_grad",
        "is_leaf",
        "__len__",
        "__hash__",
    )
)
"""Attributes that may be read from any tensor: they reveal neither values nor gradients."""
_LEAVING = ("numpy", "__array__")
"""Calls that give the elements of a tensor to numpy."""


class Lines(TorchFunctionMode):
    """A mode that tracks the user's line of the most recent operation.

    `foreign` tensors are replaced by stand-ins while a step runs; code that reaches an original, for example by a
    closure over the module, would bypass the recording and is refused. `first` is the first refusal; it is raised
    at the end even if user code catches the error.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last = ""
        self.first: CaptureError | None = None
        self._own: dict[CodeType, bool] = {}
        self._foreign: Mapping[int, str] = {}

    @contextmanager
    def without(self, foreign: Mapping[int, str]) -> Iterator[None]:
        """A context in which these tensors, by id with their names, must not be used."""
        self._foreign = foreign
        try:
            yield
        finally:
            self._foreign = {}
        if self.first is not None:
            raise self.first

    def refused(self, error: CaptureError) -> CaptureError:
        """Record the error, after which nothing is captured, and return it."""
        self.first = self.first or error
        return error

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        name = getattr(func, "__name__", "")
        if name != "__get__":
            self.last = self._line(sys._getframe(1)) or self.last
        if name == "__set__" and getattr(func, "__self__", None) is _DATA:
            raise self.refused(
                CaptureError(
                    f"{self.last}: the data of a tensor is replaced there, which is not supported; write into "
                    "the tensor, for example with copy_, and into a parameter in a step hook of its optimizer alone"
                )
            )
        if self._foreign:
            self._check(func, name, (*args, *(kwargs or {}).values()))
        try:
            return func(*args, **(kwargs or {}))
        except RuntimeError as cause:
            if name not in _LEAVING:
                raise
            reason = f"Tensor.numpy is called there: {depends_on_values('Tensor.numpy')}"
            raise self.refused(CaptureError(f"{self.last}: {reason}")) from cause

    def _check(self, func: Callable[..., object], name: str, given: Sequence[object]) -> None:
        """Raise CaptureError if more than metadata of a foreign tensor is used."""
        asked = getattr(getattr(func, "__self__", None), "__name__", "") if name == "__get__" else name
        if asked in _METADATA:
            return
        for each in given:
            for one in each if isinstance(each, list | tuple) else (each,):
                if (found := self._foreign.get(id(one))) is not None:
                    line = self._line(sys._getframe(2)) or self.last
                    raise self.refused(
                        CaptureError(
                            f"{line}: {found} is used there ({asked}) without being an argument of the step, "
                            "for example by a closure over the module; pass it as an argument"
                        )
                    )

    def _line(self, frame: FrameType | None) -> str:
        """The innermost line outside of torch and p2smt."""
        found = self.users(frame)
        return "" if found is None else f"{found.f_code.co_filename}:{found.f_lineno}"

    def users(self, frame: FrameType | None) -> FrameType | None:
        """The innermost frame outside of torch and p2smt."""
        while frame is not None:
            code = frame.f_code
            own = self._own.get(code)
            if own is None:
                own = self._own[code] = is_users(code.co_filename)
            if own:
                return frame
            frame = frame.f_back
        return None


def line_of(cause: BaseException) -> str:
    """The innermost line of the user's code in a traceback."""
    lines = [each for each in extract_tb(cause.__traceback__) if is_users(each.filename)]
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else ""


def is_users(path: str) -> bool:
    """Return True for a file that is neither torch's nor p2smt's; p2smt's examples count as a user's."""
    return path.startswith(_EXAMPLES) or not path.startswith((_TORCH, _HERE, "<"))
