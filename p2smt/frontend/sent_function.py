"""Serialization of a user's function by value, for the process that runs it.

Functions of a script, a notebook or `python -c`, nested functions and lambdas are in no module that another
process could import. cloudpickle serializes their code and what they use of their own module; other modules are
imported there.
"""

import marshal
import os
import sys
from collections.abc import Callable, Container
from io import BytesIO
from pathlib import Path
from pickle import Pickler
from types import CodeType, ModuleType

from p2smt.argument_types import require
from p2smt.errors import VerifyError

TRACING = "P2SMT_TRACING"
"""The environment variable that is set in a process that traces a user's function."""


def by_value(function: Callable[..., object]) -> bytes:
    """Serialize a function or class with all that it uses of its module, for `pickle.loads`; or VerifyError."""
    try:
        import cloudpickle
    except ImportError as cause:
        raise VerifyError(
            f"{name_of(function)} is sent to another process, which needs cloudpickle; pip install cloudpickle"
        ) from cause
    module = sys.modules.get(getattr(function, "__module__", None) or "")
    is_new = module is not None and _has_to_be_sent(module, cloudpickle.list_registry_pickle_by_value())
    if is_new:
        cloudpickle.register_pickle_by_value(module)
    try:
        written = BytesIO()
        _pickler(cloudpickle.Pickler)(written).dump(function)
    except Exception as cause:
        raise VerifyError(
            f"{name_of(function)} cannot be sent to the process that runs it: {' '.join(str(cause).split())[:200]}; "
            "make what it uses inside of it"
        ) from cause
    finally:
        if is_new:
            cloudpickle.unregister_pickle_by_value(module)
    return written.getvalue()


def _pickler(plain: type[Pickler]) -> type[Pickler]:
    """Return a cloudpickle pickler that keeps the file names of code, which messages need to name lines."""
    return type("CodePickler", (plain,), {"dispatch_table": {**plain.dispatch_table, CodeType: _code}})


def _code(code: CodeType) -> tuple[Callable[[bytes], CodeType], tuple[bytes]]:
    return marshal.loads, (marshal.dumps(code),)


def file_of(function: Callable[..., object]) -> Path:
    """The file of a function's lines, as messages name it; `<stdin>` and the like where there is none.

    >>> file_of(file_of).name
    'sent_function.py'
    """
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(getattr(function, "__call__", None), "__code__", None)  # noqa: B004
    if code is None:
        code = next((each.__code__ for each in vars(function).values() if hasattr(each, "__code__")), None)
    return Path(code.co_filename) if isinstance(code, CodeType) else Path(f"<{name_of(function)}>")


def name_of(function: Callable[..., object]) -> str:
    """The name of a function as messages say it.

    >>> name_of(name_of), name_of(lambda: None)
    ('name_of', '<lambda>')
    """
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return str(name).rpartition("<locals>.")[2]


def refuse_while_tracing(caller: str) -> None:
    """Raise VerifyError if the user's file calls `caller` while that file is being traced, which would recurse."""
    if TRACING in os.environ:
        raise VerifyError(
            f"{caller} is called by the file that it looks at, while the file is run for that; "
            'put the call below if __name__ == "__main__":, or into a test'
        )


def require_function(function: object) -> None:
    """Raise ArgumentTypeError if `function` is not callable."""
    require(function, Callable, "function", "it takes tensors and uses torch.distributed")  # type: ignore[arg-type]


def _has_to_be_sent(module: ModuleType, sent: Container[str]) -> bool:
    """Return True for a user's module; cloudpickle sends `__main__` anyway, and installed packages can be imported."""
    file = getattr(module, "__file__", None)
    if file is None or module.__name__ == "__main__" or module.__name__ in sent:
        return False
    return "site-packages" not in Path(file).parts and not Path(file).is_relative_to(Path(os.__file__).parent)
