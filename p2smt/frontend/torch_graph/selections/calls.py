"""The mode that sees masks select rows, and follows what is done with the rows."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import EllipsisType

import torch
from torch.autograd import Function
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph import elements
from p2smt.frontend.torch_graph.calls import seen_by
from p2smt.frontend.torch_graph.lines import Lines
from p2smt.frontend.torch_graph.recording import RecordingMode
from p2smt.frontend.torch_graph.rms_norm import is_transformed
from p2smt.frontend.torch_graph.selections import by_row, indexing, names, packed, sizes, skipped, sums
from p2smt.frontend.torch_graph.selections.by_row import Arguments, Called, Keywords, selections
from p2smt.frontend.torch_graph.selections.masks import Masks, inner
from p2smt.frontend.torch_graph.selections.rows import (
    Item,
    Mask,
    MaskedRows,
    SelectionError,
    entered,
    indices,
    refused,
)
from p2smt.frontend.torch_graph.selections.views import Views, part
from p2smt.frontend.torch_graph.skipping.conditions import SkippedCode

_SELECTING = ("nonzero", "where", "masked_select", "__getitem__", "__setitem__", "_pack_padded_sequence", "size")


@contextmanager
def whole_selections(lines: Lines, mode: RecordingMode) -> Iterator[None]:
    """A context in which unknown masks select rows; refusals name the line of the latest call."""
    # Function.apply asks no mode of torch functions, and would get tensors without memory.
    apply = vars(Function)["apply"]

    def applied(kind: type[Function], /, *args: object, **kwargs: object) -> object:
        if mode.tape is not None:
            mode.tape.skipping.running()
        if selections((*args, *kwargs.values())):
            raise lines.refused(CaptureError(f"{lines.last}: {refused(kind.__name__)}"))
        return apply.__get__(None, kind)(*args, **kwargs)

    Function.apply = classmethod(applied)  # type: ignore[method-assign, assignment]
    try:
        with seen_by(SelectionCalls(lines, mode)):
            yield
    finally:
        Function.apply = apply  # type: ignore[method-assign]


class SelectionCalls(TorchFunctionMode):
    """A mode that computes with all rows where a mask selects some."""

    def __init__(self, lines: Lines, mode: RecordingMode) -> None:
        super().__init__()
        self._lines, self._mode = lines, mode
        self._views, self._masks = Views(), Masks(None)
        self._computed: tuple[tuple[frozenset[str], Callable[[str, Called, Arguments, Keywords], object]], ...] = (
            (names.IN_PLACE, by_row.in_place),
            (names.CASTS, by_row.cast),
            (names.REDUCTIONS, sums.reduced),
            (names.LOSSES, sums.loss),
            (names.CLASS_LOSSES, sums.class_loss),
            (frozenset(names.BY_ROW), by_row.by_row),
            (frozenset(("__iter__", "unbind")), self._rounds),
            (names.VIEWS, self._views.view),
            (names.POINTWISE, by_row.pointwise),
            (names.METADATA, sizes.of_value),
            (names.SIZES, sizes.size),
            (names.ADDING, self._added),
            (frozenset(("__getitem__", "__setitem__")), self._indexed),
            (frozenset(("index_select",)), _index_selected),
            (packed.NAMES, _recurrent),
        )

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: Sequence[type],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        given, name, is_skipped = kwargs or {}, getattr(func, "__name__", ""), self._skipping is not None
        try:
            if any(issubclass(each, MaskedRows) for each in types):
                made = self._of_rows(name, func, args, given)
                if is_skipped:
                    skipped.refuse_joined(name, made)
                return made
            if is_skipped:
                skipped.refuse_singular(name, args, given, self._is_unknown)
            if name in _SELECTING and not is_transformed() and args and isinstance(args[0], torch.Tensor):
                return self._selecting(name, func, args, given)
        except SelectionError as cause:
            raise self._lines.refused(CaptureError(f"{self._lines.last}: {cause}")) from cause
        return func(*args, **given)

    def _selecting(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        """Return the result of a call that may select rows of a tensor."""
        x, made = args[0], None
        assert isinstance(x, torch.Tensor)
        match name, args[1:]:
            case (("nonzero" | "where"), ()) if self._is_unknown(x):
                found = indices(self._mask(x))
                if name == "where" or kwargs.get("as_tuple"):
                    return found
                made = MaskedRows(torch.stack([each.value for each in found], 1), found[0].mask, 1, finite=True)
            case "masked_select", (torch.Tensor() as mask,) if self._is_unknown(mask):
                if mask.shape != x.shape:
                    x, mask = torch.broadcast_tensors(x, mask)  # type: ignore[no-untyped-call]
                made = entered(x.reshape(-1), self._mask(mask), 0)
            case "_pack_padded_sequence", (torch.Tensor() as lengths, bool() as batch_first) if self._mode.tape:
                return packed.packed(x, lengths, batch_first, self._mask)
            case "__getitem__", (int() as first,) if first == 0 and (size := packed.first_size(x)) is not None:
                return size
            case "size", (0,) if (times := packed.longest(x)) is not None:
                return times
            case "__getitem__", (index,):
                made = self._rows(x, _items(index))
            case "__setitem__", (index, value) if self._merged(x, _items(index), value):
                return None
            case _:
                pass
        return func(*args, **kwargs) if made is None else made

    def _rows(self, x: torch.Tensor, items: Sequence[Item]) -> MaskedRows | None:
        """The rows that a mask or indices of one select; None for other ways of indexing."""
        masks = self._unknown_masks(items)
        if len(masks) != 1:
            return indexing.looked_up(x, items) if selections(items) else None
        if sum(isinstance(each, torch.Tensor) for each in items) > 1:
            return indexing.looked_up(x, self._with_indices(items))
        mask = self._mask(masks[0])
        found = indexing.covered(x, items, _place(items, masks[0]), mask)
        return None if found is None else indexing.selected(found, mask)

    def _merged(self, x: torch.Tensor, items: Sequence[Item], value: object) -> bool:
        """Write rows; in code that may be skipped, by masks that hold its condition."""
        skipping = self._skipping
        if skipping is None:
            return self._written(x, items, value)
        masks = [each.mask for each in selections(items)] + [self._mask(each) for each in self._unknown_masks(items)]
        with skipped.merging(skipping, "[]=", masks, x):
            return self._written(x, items, skipped.of_block(value))

    @property
    def _skipping(self) -> SkippedCode | None:
        """The blocks of the tape, if one is running."""
        return tape.skipping if (tape := self._mode.tape) is not None and tape.skipping.running() else None

    def _written(self, x: torch.Tensor, items: Sequence[Item], value: object) -> bool:
        """True if rows were written by their mask; false leaves the call to PyTorch."""
        if given := selections(items):
            mask, wide = given[0].mask, self._with_indices(items)
            fits = indexing.is_whole_mask(items) and tuple(x.shape[: len(mask.shape)]) == mask.shape
            if fits and isinstance(value, torch.Tensor):
                indexing.write(indexing.MaskedPart(x, 0), mask, value)
            else:
                indexing.write_column(x, wide, value)
            return True
        masks = self._unknown_masks(items)
        if len(masks) != 1 or sum(isinstance(each, torch.Tensor) for each in items) > 1:
            return False
        if not isinstance(value, torch.Tensor) or (not isinstance(value, MaskedRows) and value.numel() == 1):
            return False
        mask = self._mask(masks[0])
        found = indexing.covered(x, items, _place(items, masks[0]), mask)
        if found is not None:
            indexing.write(found, mask, value)
        return found is not None

    def _with_indices(self, items: Sequence[Item]) -> list[Item]:
        """The items with the indices of unknown masks in their place."""
        masks = self._unknown_masks(items)
        wide = [
            indices(self._mask(each)) if any(each is mask for mask in masks) else (each,)  # type: ignore[arg-type]
            for each in items
        ]
        return [each for several in wide for each in several]

    def _unknown_masks(self, items: Sequence[Item]) -> list[torch.Tensor]:
        """The masks among indices whose elements are not known."""
        given = [each for each in items if isinstance(each, torch.Tensor) and not isinstance(each, MaskedRows)]
        return [each for each in given if each.dtype in (torch.bool, torch.uint8) and self._is_unknown(each)]

    def _is_unknown(self, x: torch.Tensor) -> bool:
        return self._mode.tape is not None and elements.known(inner(x)) is None

    def _mask(self, x: torch.Tensor, of: MaskedRows | None = None) -> Mask:
        """The mask that a tensor is now, or with the rows that are selected already."""
        tape = self._mode.tape
        assert tape is not None
        if self._masks.tape is not tape:
            self._masks = Masks(tape)
        return self._masks.mask(x, None if of is None else of.mask)

    def _of_rows(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        """Return the result of a call on selected rows."""
        if name == "__get__":
            name = getattr(getattr(func, "__self__", None), "__name__", "")
            if name in ("T", "mT"):
                return self._views.view("transpose", torch.transpose, (*args[:1], -2, -1), {})
        if name == "where" and len(args) == 1:
            raise refused(name)
        for known, computed in self._computed:
            if name in known:
                return computed(name, func, args, kwargs)
        raise refused(name)

    def _added(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        skipping, into = self._skipping, args[0]
        if skipping is None or not isinstance(into, torch.Tensor):
            return _added(name, func, args, kwargs)
        others = [skipped.of_block(each) for each in args[1:]]
        named = {key: skipped.of_block(each) for key, each in kwargs.items()}
        with skipped.merging(skipping, name, [each.mask for each in selections((*args, *kwargs.values()))], into):
            return _added(name, func, (into, *others), named)

    def _rounds(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        """Rows one by one, in a loop whose rounds run for rows that are selected; of other dimensions, parts."""
        of = args[0]
        assert isinstance(of, MaskedRows)
        user = self._lines.users(sys._getframe())
        if of.at != 0 or user is None or self._mode.tape is None or not skipped.is_iterated():
            return self._views.view(name, func, args, kwargs)
        rows, numbers = of.value.unbind(0), self._mode.tape.skipping.rounds(user, of.mask.rows.unbind(0))
        if numbers is None:
            raise refused(name)
        return (rows[number] for number in numbers)

    def _indexed(self, name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
        x, items = args[0], _items(args[1])
        assert isinstance(x, torch.Tensor)
        if name == "__setitem__":
            if isinstance(x, MaskedRows) or not self._merged(x, items, args[2]):
                raise refused("[]=")
            return None
        if not isinstance(x, MaskedRows):
            return self._rows(x, items)
        match items:
            case (MaskedRows() as index,):
                truth = index.value
                if truth.dtype is not torch.bool or index.mask is not x.mask or truth.dim() != 1 or x.at != 0:
                    raise refused("[]")
                return entered(x.value, self._mask(truth, x), x.after)
            case _:
                return part(x, items)


def _items(index: object) -> tuple[Item, ...]:
    """The indices along dimensions; none if some are of other kinds."""
    listed = index if isinstance(index, tuple) else (index,)
    found = tuple(
        each for each in listed if each is None or isinstance(each, int | slice | EllipsisType | torch.Tensor)
    )
    is_known = len(found) == len(listed) and not any(isinstance(each, bool) for each in found)
    return found if is_known else ()


def _place(items: Sequence[Item], mask: torch.Tensor) -> int:
    return next(number for number, each in enumerate(items) if each is mask)


def _added(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    """Rows added to a tensor at indices."""
    into, *others = args
    if not isinstance(into, torch.Tensor):
        raise refused(name)
    if name == "index_put_":
        match [*others, *kwargs.values()]:
            case [[index] | (index,), rows, True]:
                return into.copy_(indexing.added(name, into, 0, index, rows))
            case _:
                raise refused(name)
    bound = dict(zip(("dim", "index", "source"), others, strict=False), **kwargs)
    alpha = bound.get("alpha", 1)
    if not isinstance(alpha, int | float):
        raise refused(name)
    made = indexing.added(name, into, bound.get("dim"), bound.get("index"), bound.get("source"), alpha)
    return into.copy_(made) if name.endswith("_") else made


def _index_selected(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    match args:
        case (torch.Tensor() as x, 0, MaskedRows() as index) if not isinstance(x, MaskedRows):
            return indexing.looked_up(x, (index,))
        case _:
            raise refused(name)


def _recurrent(name: str, func: Called, args: Arguments, kwargs: Keywords) -> object:
    if kwargs:
        raise refused(name)
    return packed.recurrent(name, args)
