"""Attributes of modules besides parameters and buffers; a step that changes one may differ the next time."""

from collections.abc import Iterable, Iterator

from torch import Tensor, nn


def attributes(module: nn.Module) -> dict[str, object]:
    """Numbers, texts, tensors and lists of them by attribute names; tensors are compared by identity."""
    return {
        f"{prefix}.{key}".removeprefix(".").removeprefix("module."): _seen(value)
        for prefix, each in module.named_modules()
        for key, value in vars(each).items()
        if key not in ("_parameters", "_buffers", "_modules")
    }


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
