"""Attributes of modules besides parameters and buffers: a step that changes it may be another one the next time."""

from collections.abc import Iterable, Iterator

from torch import Tensor, nn


def attributes(module: nn.Module) -> dict[str, object]:
    """Numbers, texts and tensors, and lists of them, by the names of attributes; a tensor is itself."""
    return {
        f"{prefix}.{key}".removeprefix(".").removeprefix("module."): _seen(value)
        for prefix, each in module.named_modules()
        for key, value in vars(each).items()
        if key not in ("_parameters", "_buffers", "_modules")
    }


def tensors(attributes: Iterable[object]) -> Iterator[int]:
    """The tensors among them, by id."""
    for each in attributes:
        if isinstance(each, _Same):
            yield hash(each)
        elif isinstance(each, tuple):
            yield from tensors(each)


def changed(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """The attributes that are others, or new."""
    return [name for name, value in after.items() if name not in before or before[name] != value]


class _Same:
    """A tensor as what it is, not as its elements."""

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
