"""A function of the user's, sent to the process that runs it: by value, so that nothing has to find or import it.

A function of a script, a notebook, `python -c`, an inner one and a lambda stand in no module that another process could
import. cloudpickle writes down their code and what they use of their own module; other modules are imported there.
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
"""The variable of the environment that is set where a user's function is run to be traced."""


def by_value(function: Callable[..., object]) -> bytes:
    """A function or class with all that it uses of its module, for `pickle.loads`. VerifyError where that fails."""
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
    """Cloudpickle's pickler, which forgets the names of files, with code that keeps them: lines are named by them."""
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
    """VerifyError in a process that runs a user's file to trace a function in it: the call would begin it again."""
    if TRACING in os.environ:
        raise VerifyError(
            f"{caller} is called by the file that it looks at, while the file is run for that; "
            'put the call below if __name__ == "__main__":, or into a test'
        )


def require_function(function: object) -> None:
    """ArgumentTypeError for what cannot be called."""
    require(function, Callable, "function", "it takes tensors and uses torch.distributed")  # type: ignore[arg-type]


def _has_to_be_sent(module: ModuleType, sent: Container[str]) -> bool:
    """True for modules of the user's: cloudpickle sends `__main__` anyway, and installed ones are found by all."""
    file = getattr(module, "__file__", None)
    if file is None or module.__name__ == "__main__" or module.__name__ in sent:
        return False
    return "site-packages" not in Path(file).parts and not Path(file).is_relative_to(Path(os.__file__).parent)
