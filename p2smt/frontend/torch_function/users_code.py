"""Loading of the function to trace from a user's file or module, repeated for every rank."""

import pickle
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from types import CodeType, FunctionType, ModuleType

from p2smt.frontend.torch_function.events import FunctionRequest
from p2smt.frontend.torch_function.recorder import RefusedError
from p2smt.frontend.user_imports import import_beside, source_of

RUN_AS = "plan"
_INSTALLED = tuple(sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def function_of(request: FunctionRequest) -> Callable[[object], object]:
    """Return the named function, or the file's only one, or `reduce`, or an instance of its only callable class."""
    if request.code:
        sys.path[:] = request.paths
        return _called(pickle.loads(request.code), request.function or "")
    names = _names(request)
    own = [
        (name, value)
        for name, value in names.items()
        if getattr(value, "__module__", None) == RUN_AS and not name.startswith("_")
    ]
    functions = [name for name, value in own if isinstance(value, FunctionType)]
    classes = [name for name, value in own if isinstance(value, type) and "__call__" in vars(value)]
    name = request.function or (functions[0] if len(functions) == 1 else "reduce")
    if request.function is None and name not in names and len(classes) == 1:
        name = classes[0]
    first, *rest = name.split(".")
    found = names.get(first)
    for word in rest:
        found = getattr(found, word, None)
    if not callable(found):
        others = ", ".join(functions + classes) or "none found"
        raise RefusedError(f"there is no function {name!r}; name one with --function: {others}")
    return _called(found, name)


def _called(found: Callable[..., object], name: str) -> Callable[[object], object]:
    """The function, or an object of the class."""
    called = found() if isinstance(found, type) else found
    if not callable(called):
        raise RefusedError(f"objects of class {name} cannot be called; name a function, or a class with __call__")
    return called


def _names(request: FunctionRequest) -> Mapping[str, object]:
    if request.module:
        sys.path[:] = request.paths
        try:
            return vars(import_module(request.module))
        except ModuleNotFoundError as missing:
            if missing.name is None or not f"{request.module}.".startswith(f"{missing.name}."):
                raise
    import_beside(request.path)
    module = sys.modules[RUN_AS] = ModuleType(RUN_AS)
    module.__file__ = sys.argv[0] = request.path
    try:
        exec(_compiled(source_of(request.path), request.path), vars(module))
    finally:
        del sys.modules[RUN_AS]  # a module of that name may be the user's own
    return vars(module)


@lru_cache(maxsize=1)
def _compiled(text: bytes, path: str) -> CodeType:
    """Compile a file, with a cache: compiling once instead of per rank saves most of the time."""
    return compile(text, path, "exec", dont_inherit=True)


@contextmanager
def forgotten_afterwards() -> Iterator[None]:
    """A context after which the user's modules are unloaded, so that the next rank imports them again."""
    before, paths = set(sys.modules), sys.path[:]
    try:
        yield
    finally:
        sys.path[:] = paths
        for name in set(sys.modules) - before:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if file.endswith(".py") and not file.startswith(_INSTALLED) and name.partition(".")[0] != "p2smt":
                del sys.modules[name]
