"""Texts of a value's layouts, for the comment after the line that computes it."""

from collections.abc import Sequence

from p2smt.emit.torch.program.cuts import Cuts, cut_of
from p2smt.emit.torch.program.value import Value
from p2smt.tensor.layout import Sliced, layout_text


def layouts_text(value: Value, cuts: Cuts, axes: Sequence[str]) -> str:
    """Return the layouts as programs write them, with the names of shardings; `axes` are the mesh axes' names."""
    if value.dtype is None:
        return "a number"
    texts = []
    for axis, layout in zip(axes, value.layouts, strict=True):
        text = layout_text(layout)
        if isinstance(layout, Sliced):  # only Sliced: others have no cut
            cut = cut_of(value.layouts, layout.dimension)
            assert cut is not None
            text = f"sliced({layout.dimension}, {cuts.part(cut)})"
        texts.append(text if len(axes) == 1 else f"{text} on {axis}")
    return ", ".join(texts)
