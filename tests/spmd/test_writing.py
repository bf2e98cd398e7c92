"""Statements that are renamed for an output compute what they did, and what has a name keeps it."""

import numpy as np
from looped import looped

from p2smt.spmd.emission.writing import StatementBuilder
from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.expression import Call, Convert, Number, Output, ProgramAxis, Read, Source, SourceKind
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals

X = np.array([0.5, -2.0, 3.0])


def values(writing):
    """What statements are on one rank."""
    names = [each.name for each in writing.statements]
    assert len(set(names)) == len(names)
    program = Program(
        name="p",
        mesh=(ProgramAxis("a", 1),),
        sources=(Source(kind=SourceKind.INPUT, name="x", shape=(3,), names=("",)),),
        statements=tuple(writing.statements),
        outputs=tuple(map(Output, names)),
    )
    found = run(program, {"x": (Part(X, whole((3,))),)}, Reals())
    return {name: found[name][0].array.tolist() for name in names}


@looped("behind", [False, True])
@looped("observed", [(), ("t",)])
@looped("name", ["y", "z"])
def test_an_output_has_its_name_whatever_had_it_before(name, observed, behind):
    """t = -(x + 1) (x + 1) is the output y, or z, where y is x + 1 so far, and may be read behind it."""
    one, square = (X + 1).tolist(), (-(X + 1) * (X + 1)).tolist()
    writing = StatementBuilder({"x", "y", "u", "t"})
    writing.add("y", Call("add", (Read("x"), Number(1))))
    writing.add("u", Convert(AllReduce(), Call("neg", (Read("y"),)), "a"))
    writing.add("t", Call("mul", (Read("u"), Read("y"))))
    if behind:
        writing.add("v", Call("add", (Read("t"), Read("y"))))
    renamed = writing.name_output(name, Read("t"), observed)
    found = values(writing)
    assert found[name] == square
    assert found[renamed.get("y", "y")] == one
    assert found[renamed.get("t", "t")] == square
    assert "t" not in renamed or not observed
    assert set(renamed) <= {"y", "t"}
    assert not behind or found["v"] == (np.array(square) + one).tolist()
