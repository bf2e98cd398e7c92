"""A function call in a forked process."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from traceback import print_exc
from typing import NoReturn, TypeVar

import msgspec

Result = TypeVar("Result")


def in_a_process(function: Callable[[], Result], kind: type[Result]) -> Result:
    """Return the function's result, computed in a forked process; the function must not raise.

    RuntimeError if the process ends without an answer.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _answer(function, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code or not answer:
        raise RuntimeError(f"the process that traces a rank ended with exit code {code}")
    return msgspec.msgpack.decode(answer, type=kind)


def _answer(function: Callable[[], object], writing: int) -> NoReturn:
    code = 1
    try:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(msgspec.msgpack.encode(function()))
        code = 0
    except BaseException:
        print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def load(modules: list[str]) -> None:
    """Import the modules that torch loaded on the first rank, so that the other ranks inherit them when forked."""
    for name in modules:
        with suppress(Exception):
            import_module(name)
