"""The batch of a distributed program: its size, and the sizes that its layouts divide just as evenly."""

from dataclasses import dataclass
from math import gcd, lcm

from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.inference import judge
from p2smt.tensor.judgement import Refused
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.verification.erasure import erased


@dataclass(frozen=True, slots=True)
class Batch:
    """The number of samples of a step; every multiple of `divisor` is sharded in the same proportions."""

    size: int
    divisor: int


def first_input(program: Program) -> Source | None:
    """Return the first input with dimensions, whose first dimension counts the samples; None if there is none."""
    return next((each for each in program.sources if each.kind is SourceKind.INPUT and each.shape), None)


def batch_of(program: Program) -> Batch | None:
    r"""Return the batch of a distributed program: the first dimension of its first input; None if there is none.

    If a dimension of n indices is sharded into parts that g divides, every multiple of n / g indices can be sharded
    in the same proportions. If the dimension has several indices per sample, the divisor in samples is smaller.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> text = "program p\nmesh r=4\ninput x : f32[24, 3] sliced(0)\ny = relu(x)\noutput y sliced(0)\n"
    >>> batch_of(parse_program(text))
    Batch(size=24, divisor=4)
    """
    first = first_input(program)
    judged = judge(program)
    if first is None or isinstance(judged, Refused):
        return None
    graph = graph_of(erased(program))
    classes, size, divisor = classes_of(graph), first.shape[0], 1
    samples = classes.class_of[graph.named[first.name], 0]
    for name, layouts in judged.layouts.items():
        tensor = graph.named[name]
        for layout in layouts:
            # only Sliced: nothing else divides a dimension
            if isinstance(layout, Sliced) and classes.class_of[tensor, layout.dimension] == samples:
                assert layout.sizes is not None
                length = graph.tensors[tensor].shape[layout.dimension]
                units = length // gcd(*layout.sizes)
                divisor = lcm(divisor, units // gcd(units, max(1, length // size)))
    return Batch(size, divisor)
