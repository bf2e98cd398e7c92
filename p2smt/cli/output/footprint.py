"""Output of `p2smt show`."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled
from p2smt.problem.quantity import format_bytes, format_decimal
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.footprint import Footprint, ValueFootprint
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Replicated, Sliced, layout_text
from p2smt.tensor.printer import placed_text
from p2smt.wording import plural, sizes_text

_WIDTHS = (12, 14, 18, 13, 9, 9)
_WIDTH = 80
_HEAD = ("name", "operations", "layouts", "local shape", "flops", "bytes")
_RIGHT = range(4, 6)
_KEPT = "\N{NO-BREAK SPACE}"
"""A no-break space, at which lines are not broken."""


def footprint_text(shown: Footprint) -> str:
    """Return a table of all values, a device's totals, and the error if a statement ended the table."""
    return "\n".join(line.rstrip() for line in _lines(shown))


def _lines(shown: Footprint) -> Iterator[str]:
    mesh = shown.program.mesh
    sources, statements = len(shown.program.sources), len(shown.values) - len(shown.program.sources)
    sent = sum(len(value.sent) for value in shown.values)
    where = sizes_text((axis.name, axis.size) for axis in mesh) or "one device"
    yield from labelled(
        f"{shown.program.name}:",
        f"on {where}, {sources} {plural('source', sources)}, {statements} {plural('statement', statements)}, "
        f"{sent} {plural('conversion', sent)}",
    )
    yield ""
    yield from _row(_HEAD)
    for value in shown.values:
        yield from _row(_cells(value, mesh))
    if shown.values:
        yield ""
        yield from _totals(shown)
    if shown.refused is not None:
        refused = shown.refused
        axis = "" if refused.axis is None else f", axis {mesh[refused.axis].name}"
        yield from labelled("wrong:", f"{refused.statement}{axis}: {refused.refusal}")


def _row(cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a row, cells wrapped to their columns; a word that is too long gets a line before the row."""
    # A word wider than its column would shift the row, so those cells stand on a line before it.
    long = [max(map(len, cell.split(" "))) > width for cell, width in zip(cells, _WIDTHS, strict=True)]
    if any(long):
        outside = [cell for number, cell in enumerate(cells) if long[number] or number == 0]
        before = wrap("  ".join(outside), _WIDTH, break_long_words=False, break_on_hyphens=False)
        yield from (line.replace(_KEPT, " ") for line in before)
        cells = ["" if long[number] or number == 0 else cell for number, cell in enumerate(cells)]
    folded = [wrap(cell, width, break_on_hyphens=False) for cell, width in zip(cells, _WIDTHS, strict=True)]
    for line in zip_longest(*folded, fillvalue=""):
        pairs = enumerate(zip(line, _WIDTHS, strict=True))
        padded = (text.rjust(width) if number in _RIGHT else text.ljust(width) for number, (text, width) in pairs)
        yield " ".join(padded).replace(_KEPT, " ")


def _cells(value: ValueFootprint, mesh: tuple[ProgramAxis, ...]) -> tuple[str, ...]:
    flops, size = max(value.flops), max(value.bytes)
    return (
        value.name,
        " ".join(value.what),
        " ".join(_layouts(value.layouts, mesh)),
        _shape(value),
        format_decimal(flops).strip() if flops else "",
        format_bytes(size),
    )


def _layouts(layouts: Layouts, mesh: tuple[ProgramAxis, ...]) -> Iterator[str]:
    """Yield layouts in the text format, without block sizes, which the local shapes show; nothing for one device."""
    for layout, axis in zip(layouts, mesh, strict=True):
        # only Replicated, Sliced: others are printed as they are
        plain = Sliced(layout.dimension) if isinstance(layout, Sliced) else layout
        if not isinstance(layout, Replicated):
            yield placed_text(AxisLayout(plain, axis.name)).replace(", ", f",{_KEPT}")
    if mesh and all(isinstance(layout, Replicated) for layout in layouts):
        yield "replicated"


def _shape(value: ValueFootprint) -> str:
    """Return the local shape; where ranks differ, with the least and the largest size.

    >>> _between([4, 4]), _between([4, 2, 0])
    ('4', '0-4')
    """
    there = [shape for shape in value.local if shape is not None]
    return "x".join(_between(column) for column in zip(*there, strict=True)) or "scalar"


def _between(lengths: Sequence[int]) -> str:
    least, most = min(lengths), max(lengths)
    return str(most) if least == most else f"{least}-{most}"


def _totals(shown: Footprint) -> Iterator[str]:
    flops = _flops(shown)
    for label, counts, write in (
        ("operations:", flops, lambda count: format_decimal(count).strip()),
        ("stored:", shown.stored, format_bytes),
        ("most at a time:", shown.peak, format_bytes),
    ):
        each = write(max(counts))
        if min(counts) != max(counts):
            each = f"{write(min(counts))} to {each}"
        yield f"{label:<16}{each} per device"


def _flops(shown: Footprint) -> tuple[int, ...]:
    return tuple(sum(column) for column in zip(*(value.flops for value in shown.values), strict=True))


def footprint_document(shown: Footprint) -> Document:
    """Return the JSON document; lists are indexed by rank, which counts with the mesh's last axis fastest."""
    mesh, refused = shown.program.mesh, shown.refused
    return {
        "version": VERSION,
        "program": shown.program.name,
        "mesh": {axis.name: axis.size for axis in mesh},
        "values": [_value_document(value, mesh) for value in shown.values],
        "devices": {"flops": list(_flops(shown)), "stored_bytes": list(shown.stored), "most_bytes": list(shown.peak)},
        "refused": None
        if refused is None
        else {
            "statement": refused.statement,
            "axis": None if refused.axis is None else mesh[refused.axis].name,
            "rule": refused.refusal.reason.name.lower(),
            "message": str(refused.refusal),
        },
    }


def _value_document(value: ValueFootprint, mesh: tuple[ProgramAxis, ...]) -> Document:
    return {
        "name": value.name,
        "operations": list(value.what),
        "dtype": str(value.dtype),
        "shape": list(value.shape),
        "layouts": {axis.name: layout_text(layout) for layout, axis in zip(value.layouts, mesh, strict=True)},
        "local": [None if shape is None else list(shape) for shape in value.local],
        "flops": list(value.flops),
        "bytes": list(value.bytes),
        "reads": list(value.reads),
        "sent": [{"conversion": each.conversion, "axis": each.axis, "bytes": list(each.bytes)} for each in value.sent],
    }
