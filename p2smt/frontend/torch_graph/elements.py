"""Known elements of tensors, computed alongside fake tensors.

A fake tensor gets a real counterpart if it was computed, without randomness, only from numbers and tensors with
counterparts. Views of the tensor are views of the counterpart, and writes go to both; a write of unknown elements
makes all tensors that share the memory unknown. Parameters, buffers and the batch have no counterpart: the step
discards theirs at its beginning (`StepTape.given`).

    known(f(x1, ..., xn)) = f(known(x1), ..., known(xn))   if all are known and f draws nothing,   else unknown.

Complexity: each operation on tensors with counterparts is computed once for real.
Reference: Wegman and Zadeck, "Constant propagation with conditional branches", 1991.

Example: `torch.linspace(0, 0.1, 3)[1].item()` is 0.05 even with fake tensors.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily

from p2smt.frontend.torch_graph.effects import Effects, effects, named

MOST_KEPT = 1 << 20
"""The most elements of a tensor whose values are kept."""
_MOST_WRITTEN = 1 << 16
"""The largest number of elements of a constant in a program."""
_NAME = "_p2smt_elements"
_FILLED = {"zeros_like": 0, "new_zeros": 0, "ones_like": 1, "new_ones": 1, "full_like": None, "new_full": None}
_EMPTY = ("empty", "empty_strided", "empty_like", "new_empty", "new_empty_strided", "empty_permuted")
_OVERWRITING = ("fill_", "zero_", "copy_")
_INDEXING = ("index", "index_put", "_unsafe_index", "_unsafe_index_put", "_index_put_impl")


@dataclass(slots=True)
class _Memory:
    """Memory that views share, and whether its elements are known."""

    known: bool


@dataclass(frozen=True, slots=True)
class _Elements:
    """The real counterpart of a fake tensor, and the memory of the fake tensor for which it was computed."""

    real: torch.Tensor
    memory: _Memory
    storage: int

    def __deepcopy__(self, memo: object) -> "_Elements":
        """Return the same object: a copied tensor has other memory, so that the elements do not count as its own."""
        return self


@contextmanager
def _real_calls() -> Iterator[None]:
    """A context for calls on real tensors, inside any mode of torch.

    During a query for a tensor's device, torch is in the middle of functionalization, which would wrap the
    results.
    """
    aside = torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(torch._C.DispatchKey.Functionalize))
    with unset_fake_temporarily(), aside:
        yield


def forget(tensor: torch.Tensor) -> None:
    """Forget the known elements of this tensor."""
    vars(tensor).pop(_NAME, None)
    if isinstance(tensor, FakeTensor):
        tensor.constant = None


def overwrite(tensor: torch.Tensor) -> None:
    """Mark a tensor's memory, shared by its views, as unknown after a write of unknown values."""
    found = vars(tensor).get(_NAME)
    if isinstance(found, _Elements):
        found.memory.known = False
    forget(tensor)


def known(tensor: torch.Tensor) -> torch.Tensor | None:
    """Return the real counterpart of a tensor, if its elements are known."""
    found = _beside(tensor)
    return found.real if found is not None and found.memory.known else None


def uniform_element(tensor: torch.Tensor) -> float | None:
    """Return the number that all elements equal, if known."""
    real = known(tensor)
    if real is None or not real.numel():
        return None
    with _real_calls():
        first = real.flatten()[0]
        return float(first) if bool((real == first).all()) else None


def _beside(tensor: torch.Tensor) -> _Elements | None:
    if not isinstance(tensor, FakeTensor):
        if type(tensor) is not torch.Tensor or tensor.numel() > MOST_KEPT:
            return None
        return _Elements(tensor.detach().clone(), _Memory(known=True), 0)
    found = vars(tensor).get(_NAME)
    if not isinstance(found, _Elements):
        return None
    same = found.real.shape == tensor.shape and found.real.dtype == tensor.dtype
    return found if same and found.storage == storage(tensor) else None


def storage(tensor: torch.Tensor) -> int:
    """The storage of a tensor, as a number."""
    return int(tensor.untyped_storage()._cdata)


class Computation:
    """A call repeated on real tensors after it ran on fake ones."""

    def __init__(self, function: OpOverload, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        self._function, self._args, self._kwargs = function, args, kwargs
        self._name = function._schema.name.partition("::")[2]
        self._beside: dict[int, _Elements] = {}

    def results(self) -> object:
        """Return the results as real tensors or numbers; None if they are unknown."""
        found = effects(self._function, self._args, self._kwargs)
        given = named(self._function, self._args, self._kwargs)
        written = [each for name in found.written for each in _tensors([given.get(name)])]
        with _real_calls(), torch.no_grad():
            tensors = list(_tensors((*self._args, *self._kwargs.values())))
            for each in tensors:
                if (beside := _beside(each)) is not None:
                    self._beside[id(each)] = beside
            if self._does(found, tensors, written):
                return self._done(written)
        for each in written:
            if id(each) in self._beside:
                self._beside[id(each)].memory.known = False
        for each in tensors if found.moved else ():
            forget(each)
        return None

    def _done(self, written: Sequence[torch.Tensor]) -> object:
        kwargs = {key: self._real(each) for key, each in self._kwargs.items()}
        if "device" in kwargs:
            kwargs["device"] = torch.device("cpu")
        made: object = self._function(*map(self._real, self._args), **kwargs)
        if written and self._name in _OVERWRITING:
            found = self._beside[id(written[0])]
            if found.real.numel() * found.real.element_size() == found.real.untyped_storage().nbytes():
                found.memory.known = True
        return made

    def _does(self, found: Effects, tensors: Sequence[torch.Tensor], written: Sequence[torch.Tensor]) -> bool:
        """True if the call can run on real tensors: everything it reads is known, or it only makes a view."""
        if found.random or found.communicates or self._name in ("set_", "resize_", "_resize_output_"):
            return False
        if self._name in _FILLED or (self._name in _EMPTY and tensors):
            return False
        if any(id(each) not in self._beside for each in tensors):
            return False
        overwritten = {id(written[0])} if written and self._name in _OVERWRITING else set()
        read = [each for each in tensors if id(each) not in overwritten]
        return found.views or found.moved or all(self._beside[id(each)].memory.known for each in read)

    def _real(self, argument: object) -> object:
        if isinstance(argument, torch.Tensor):
            return self._beside[id(argument)].real
        if isinstance(argument, list | tuple):
            return [self._real(each) for each in argument]
        return argument

    def keep(self, made: object) -> None:
        """Attach real results to fake ones, unless they are too large."""
        tensors = list(_tensors([made]))
        if any(each.numel() > MOST_KEPT for each in tensors):
            return
        if self._name in _FILLED and isinstance(made, torch.Tensor):
            value = _FILLED[self._name]
            number = named(self._function, self._args, self._kwargs).get("fill_value") if value is None else value
            if isinstance(number, int | float):
                with _real_calls():
                    self._put(made, torch.full(tuple(made.shape), number, dtype=made.dtype), known=True)
            return
        found = list(_tensors([self.results()]))
        if not found:  # a call within this one, on what stands for elements here, may have left some
            for one in tensors:
                vars(one).pop(_NAME, None)
        for one, real in zip(tensors, found, strict=False):
            if isinstance(one, FakeTensor):
                self._put(one, real, known=self._name not in _EMPTY or not real.numel())

    def _put(self, tensor: torch.Tensor, real: torch.Tensor, known: bool) -> None:
        if tensor.shape != real.shape or tensor.dtype != real.dtype:
            return
        memory = _Memory(known and all(each.memory.known for each in self._beside.values()))
        for each in self._beside.values():
            if real.untyped_storage()._cdata == each.real.untyped_storage()._cdata:
                memory = each.memory
        vars(tensor)[_NAME] = _Elements(real, memory, storage(tensor))


def with_known_indices(
    function: OpOverload, args: Sequence[object], lift: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
) -> Sequence[object]:
    """Arguments of indexing, with known masks replaced by their true indices, so that shapes are known."""
    if function._schema.name.partition("::")[2] not in _INDEXING or not isinstance(args[1], list | tuple):
        return args
    found: list[object] = []
    for each in args[1]:
        mask = known(each) if isinstance(each, torch.Tensor) and each.dtype in (torch.bool, torch.uint8) else None
        if mask is None:
            found.append(each)
            continue
        with _real_calls():
            places = mask.nonzero(as_tuple=True)
        found += [lift(each, place) for place in places]
    return (args[0], found, *args[2:])


def lifted(tensor: torch.Tensor) -> torch.Tensor:
    """A fake tensor for this real one; to be called in a fake mode."""
    made = torch.empty_strided(tuple(tensor.shape), tensor.stride(), dtype=tensor.dtype)
    vars(made)[_NAME] = _Elements(tensor, _Memory(known=True), storage(made))
    return made


def written_elements(tensor: object) -> bytes | None:
    """Return the elements of a tensor as consecutive 64-bit numbers, if they are known and few."""
    if not isinstance(tensor, torch.Tensor) or tensor.numel() > _MOST_WRITTEN or tensor.is_complex():
        return None
    if not tensor.numel():
        return b""
    real = known(tensor)
    if real is None:
        return None
    with _real_calls():
        return bytes(real.detach().double().contiguous().numpy(force=True).tobytes())


def _tensors(values: Iterable[object]) -> Iterator[torch.Tensor]:
    for each in values:
        if isinstance(each, torch.Tensor):
            yield each
        elif isinstance(each, list | tuple):
            yield from _tensors(each)
