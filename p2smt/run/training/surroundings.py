"""Numbers and tensors that a loss reads from its environment, whose values a captured step has fixed."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import CodeType, FunctionType, MethodType

import torch


@dataclass(frozen=True, slots=True)
class WriteCount:
    """A tensor's identity, and torch's version counter of writes into it."""

    identity: int
    version: int


def numbers_around(function: Callable[..., object]) -> dict[str, object]:
    """Return the numbers and tensors that a function reads from its closure, globals and defaults.

    Objects and mappings found there, such as a configuration or a method's `self`, are searched for names that
    occur in the function's code. Functions that it calls are not examined.

    >>> rate, options = 0.5, {"share": 0.1, "other": 3}
    >>> numbers_around(lambda x, scale=2: x * rate * options["share"])
    {'rate': 0.5, 'options.share': 0.1, 'scale': 2}
    """
    match function:
        case partial():
            given = {f"argument {number}": each for number, each in enumerate(function.args)} | function.keywords
            return numbers_around(function.func) | _kept(given, None)
        case MethodType():
            inside = {"self": function.__self__}
            return numbers_around(function.__func__) | _kept(inside, function.__func__.__code__)
        case FunctionType():
            # Globals and closure cells that the code reads, since a number changed there changes
            # the loss.
            around = inspect.getclosurevars(function)
            defaults = {name: each.default for name, each in inspect.signature(function).parameters.items()}
            return _kept({**around.nonlocals, **around.globals, **defaults}, function.__code__)
        case _:
            return {}


def _kept(named: Mapping[str, object], code: CodeType | None) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, each in named.items():
        if (value := _value(each)) is not None:
            found[name] = value
        elif code is not None:
            found |= {f"{name}.{key}": value for key, value in _inside(each, code)}
    return found


def _inside(holder: object, code: CodeType) -> Iterator[tuple[str, object]]:
    """Yield the numbers and tensors in an object or mapping whose names occur in the code.

    For a module, yield its attributes of type float instead.
    """
    if isinstance(holder, torch.nn.Module):
        yield from ((key, each) for key, each in vars(holder).items() if isinstance(each, float))
    if callable(holder):
        return
    said = code.co_consts if isinstance(holder, Mapping) else code.co_names
    for key, each in (holder if isinstance(holder, Mapping) else _attributes(holder)).items():
        if isinstance(key, str) and key in said and (value := _value(each)) is not None:
            yield key, value


def _attributes(holder: object) -> dict[str, object]:
    """Return the attributes of an object, including class attributes that it does not override."""
    found: dict[str, object] = {}
    for each in (*reversed(type(holder).__mro__), holder):
        found |= getattr(each, "__dict__", {})
    return found


def _value(each: object) -> object:
    match each:
        case torch.Tensor():
            return WriteCount(id(each), 0 if each.is_inference() else each._version)
        case bool() | int() | float():
            return each
        case _:
            return None
