"""On which line of the model torch's operations are called."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from traceback import extract_tb
from types import CodeType, FrameType

import torch
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError

_DATA = torch.Tensor.data
_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parent)
_EXAMPLES = str(Path(__file__).parent / "examples")


class Lines(TorchFunctionMode):
    """Keeps the line of the user's on which an operation was called last."""

    def __init__(self) -> None:
        super().__init__()
        self.last = ""
        self._own: dict[CodeType, bool] = {}

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
            raise CaptureError(f"{self.last}: the data of a tensor is replaced there, which is not followed; write "
                               "into the tensor, as with copy_")  # fmt: skip
        return func(*args, **(kwargs or {}))

    def _line(self, frame: FrameType | None) -> str:
        """The innermost line that is neither torch's nor ours."""
        while frame is not None:
            code = frame.f_code
            own = self._own.get(code)
            if own is None:
                own = self._own[code] = _is_users(code.co_filename)
            if own:
                return f"{code.co_filename}:{frame.f_lineno}"
            frame = frame.f_back
        return ""


def line_of(cause: BaseException) -> str:
    """The innermost line of the user's that led to an error."""
    lines = [each for each in extract_tb(cause.__traceback__) if _is_users(each.filename)]
    return f"{lines[-1].filename}:{lines[-1].lineno}" if lines else ""


def _is_users(path: str) -> bool:
    return path.startswith(_EXAMPLES) or not path.startswith((_TORCH, _HERE, "<"))
