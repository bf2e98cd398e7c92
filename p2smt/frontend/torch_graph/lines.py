"""On which line of the model torch's operations are called."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType

import torch
from torch.overrides import TorchFunctionMode

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
        if getattr(func, "__name__", "") != "__get__":
            self.last = self._line(sys._getframe(1)) or self.last
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


def _is_users(path: str) -> bool:
    return path.startswith(_EXAMPLES) or not path.startswith((_TORCH, _HERE, "<"))
