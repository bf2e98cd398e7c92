"""Parse the option `--segments`: by layer, a number of balanced segments by minimum cut, or lists of parameters."""

import re
from collections.abc import Sequence

from p2smt.errors import ProblemError
from p2smt.problem.text import printable
from p2smt.spmd.model.graph import Graph
from p2smt.spmd.search.segments.minimum_cut import balanced
from p2smt.spmd.search.segments.partition import Partition, spread
from p2smt.tensor.expression import SourceKind
from p2smt.wording import did_you_mean

LAYERS = "layers"
MOST_SEGMENTS = 64
FORMS = f"{LAYERS}, a number of segments from 2 to {MOST_SEGMENTS}, or parameters as w1,b1/w2,b2"
_DIGITS = re.compile(r"\d+", re.ASCII)


def parse_segments(text: str, graph: Graph) -> Partition:
    """Return the segments of a text. Raises ProblemError if it is invalid or makes only one segment."""
    words = text.strip()
    if words == LAYERS:
        made = by_layer(graph)
    elif words.isdecimal() and words.isascii():
        made = _balanced(words, graph)
    elif "/" in words:
        made = _given(words, graph)
    else:
        raise ProblemError(f"segments {printable(text[:80])!r} do not parse; write {FORMS}")
    if made.count < 2:
        raise ProblemError(
            f"{words[:80]} makes one segment of {graph.program.name}; leave --segments out, or name more parameters"
        )
    return made


def by_layer(graph: Graph) -> Partition:
    """Return one segment per layer: parameters with the same prefix and number; others join the preceding layer.

    Raises ProblemError for a program without parameters.
    """
    layers: dict[tuple[str, ...], int] = {}
    seeds, last = {}, 0
    for number in _parameters(graph):
        layer = _layer(graph.tensors[number].name)
        if layer is not None:
            last = layers.setdefault(layer, len(layers))
        seeds[number] = last
    if not seeds:
        raise ProblemError(
            f"{graph.program.name} has no parameter names that distinguish layers; give a number of segments"
        )
    return spread(graph, seeds)


def _layer(name: str) -> tuple[str, ...] | None:
    """Return the key of a parameter's layer: blocks.0.norm.weight and blocks.0.out.bias share one, as do w1 and b1."""
    words = re.split(r"[._]", name)
    for position, word in enumerate(words):
        digits = _DIGITS.search(word)
        if digits is not None:
            return (*words[:position], digits[0])
    return None


def _balanced(words: str, graph: Graph) -> Partition:
    if len(words) > 4 or not 2 <= int(words) <= MOST_SEGMENTS:
        raise ProblemError(f"{words[:20]} segments are out of range; write {FORMS}")
    return balanced(graph, int(words))


def _given(words: str, graph: Graph) -> Partition:
    """Return the segments by lists of parameters; unlisted ones join the preceding parameter, in order of first use."""
    parameters = _parameters(graph)
    names = {graph.tensors[number].name: number for number in parameters}
    said: dict[int, int] = {}
    for segment, part in enumerate(words.split("/")):
        for name in filter(None, map(str.strip, part.split(","))):
            if name not in names:
                near = did_you_mean(name, names)
                raise ProblemError(f"segments: {printable(name[:80])!r} is not a parameter{near}; write {FORMS}")
            if names[name] in said:
                raise ProblemError(f"segments: {name} is named twice; a parameter is in one segment")
            said[names[name]] = segment
    seeds, last = {}, min(said.values(), default=0)
    for number in parameters:
        last = seeds[number] = said.get(number, last)
    return spread(graph, seeds)


def _parameters(graph: Graph) -> Sequence[int]:
    """Return the parameters in the order of their first use."""
    found = dict.fromkeys(
        tensor
        for node in graph.nodes
        for tensor in node.reads
        if (source := graph.tensors[tensor].source) is not None and source.kind is SourceKind.PARAMETER
    )
    return tuple(found)
