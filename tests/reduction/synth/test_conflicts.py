"""Why no program fits is said of each placement's own levels, though others have levels of the same names."""

from dataclasses import replace

import pytest
from support import problem

from p2smt.problem.model import HierarchyKind
from p2smt.reduction.language.sketch import parse_sketch
from p2smt.reduction.synth.completion import complete, explain
from p2smt.reduction.synth.conflicts import conflicts


@pytest.mark.parametrize("kind", HierarchyKind)
def test_every_placement_has_its_own_explanation(kind):
    asked = problem([2, 4], [4, 2], limit=2)
    asked = replace(asked, search=replace(asked.search, hierarchy=kind))
    sketch = parse_sketch("AllGather ??; ...")
    found = conflicts(complete(asked, sketch))
    for one in found:
        alone = explain(asked, sketch, one.placed.hierarchy)
        assert one.explanation is not None
        assert alone is not None
        assert (one.explanation.conditions, one.explanation.most_steps) == (alone.conditions, alone.most_steps)
    if kind is HierarchyKind.SYSTEM:
        assert len({one.placed.hierarchy.names for one in found}) == 1
        assert {one.explanation.conditions for one in found if one.explanation} == {(), ("step 1 is AllGather",)}
