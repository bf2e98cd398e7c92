"""Deferral of torch's compiler, which torch imports (about a second) only to keep it out of dispatch modes."""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

from torch.utils._python_dispatch import TorchDispatchMode

_COMPILER = "torch._dynamo"
_KEPT_OUT = "__dynamo_disable"
"""The attribute with which torch marks functions that its compiler must not trace."""


class _DeferredCompiler(MetaPathFinder):
    """An import hook that leaves functions unwrapped until the compiler is imported, and wraps them then."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._notes = vars(function)
        if _COMPILER not in sys.modules:
            self._notes[_KEPT_OUT] = function
            sys.meta_path.insert(0, self)

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Find nothing, but note which modules are imported."""
        if fullname == _COMPILER:
            self._notes.pop(_KEPT_OUT, None)


def load_no_compiler_for(mode: type[TorchDispatchMode]) -> None:
    """Let a mode intercept operations without loading the compiler.

    If a version of torch does not use the attribute above, the compiler is loaded as usual.
    """
    _DeferredCompiler(getattr(mode.__torch_dispatch__, "__wrapped__", mode.__torch_dispatch__))
