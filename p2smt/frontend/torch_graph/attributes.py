"""Attributes and variables that a step reads; a step that changes one may behave differently the next time.

Attributes are those of modules, except for parameters and buffers. Variables are closure and module-level variables
that the functions refer to, also through functions, methods and partial calls that these refer to:
    reached = the least set with the functions of the modules, and all values that a function in it refers to.
Method: a depth-first search over the names in code objects; installed packages are not entered. A second look after a
step compares numbers, texts and containers by value, and tensors by identity.
Complexity: O(names in all reached functions).
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 12.1 (what a call may reach).

Example: a forward that reads the global `scale` through a helper: `scale` is found, and a step that sets it is noticed.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType, MethodType

from torch import Tensor, nn

_LIBRARIES = "site-packages"
"""The folder of installed packages; steps are assumed not to change variables of these packages."""


def attributes(module: nn.Module) -> dict[str, object]:
    """Return numbers, texts, tensors and lists of them, by attribute or variable name; tensors compare by identity."""
    found: dict[str, object] = {
        f"{prefix}.{key}".removeprefix(".").removeprefix("module."): _seen(value)
        for prefix, each in module.named_modules()
        for key, value in vars(each).items()
        if key not in ("_parameters", "_buffers", "_modules")
    }
    functions = [type(each).forward for each in module.modules()]
    functions += [each for one in module.modules() for each in vars(one).values()]
    for name, value in _variables(functions).items():
        found.setdefault(name, _seen(value))
    return found


def _variables(functions: Iterable[object]) -> Mapping[str, object]:
    """Return the variables that functions, and functions reached through them, refer to, by name and file."""
    rest, seen, found = list(functions), set[int](), dict[str, object]()
    while rest:
        function = rest.pop()
        match function:
            case partial():
                rest += [function.func, *function.args, *function.keywords.values()]
            case MethodType():
                rest.append(function.__func__)
            case FunctionType() if id(function) not in seen and _LIBRARIES not in function.__code__.co_filename:
                seen.add(id(function))
                for name, value in _around(function):
                    found[f"{name} ({function.__module__})"] = value
                    rest.append(value)
            case _:
                pass
    return found


def _around(function: FunctionType) -> Iterator[tuple[str, object]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def _names(code: CodeType) -> Iterator[str]:
    """Yield the global names that code and nested functions may look up."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _names(each)


def tensors(attributes: Iterable[object]) -> Iterator[int]:
    """The tensors among attributes, by id."""
    for each in attributes:
        if isinstance(each, _Same):
            yield hash(each)
        elif isinstance(each, tuple):
            yield from tensors(each)


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The attributes that are new or differ."""
    return [name for name, value in after.items() if name not in before or before[name] != value]


class _Same:
    """A tensor compared by identity rather than by elements."""

    def __init__(self, tensor: Tensor) -> None:
        self._tensor = tensor

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other._tensor is self._tensor

    def __hash__(self) -> int:
        return id(self._tensor)


def _seen(value: object) -> object:
    match value:
        case Tensor():
            return _Same(value)
        case int() | float() | str():
            return value
        case list() | tuple():
            return tuple(_seen(each) for each in value)
        case dict():
            return tuple((str(key), _seen(each)) for key, each in value.items())
        case _:
            return None
