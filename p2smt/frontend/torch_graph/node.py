"""A node of a traced graph as statements, and which nodes there have to be."""

from collections.abc import Iterable, Mapping, Sequence

from p2smt.errors import P2Error, ProgramError
from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler, Lowered, Memory, Result
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Node, Reference
from p2smt.frontend.torch_graph.lowering.activations import ACTIVATIONS
from p2smt.frontend.torch_graph.lowering.attention import ATTENTION
from p2smt.frontend.torch_graph.lowering.contractions import CONTRACTIONS
from p2smt.frontend.torch_graph.lowering.convolutions import CONVOLUTIONS
from p2smt.frontend.torch_graph.lowering.images import IMAGES
from p2smt.frontend.torch_graph.lowering.indices import INDICES
from p2smt.frontend.torch_graph.lowering.losses import LOSSES
from p2smt.frontend.torch_graph.lowering.moves import MOVES
from p2smt.frontend.torch_graph.lowering.norms import NORMS
from p2smt.frontend.torch_graph.lowering.pointwise import POINTWISE
from p2smt.frontend.torch_graph.lowering.rows import ROWS
from p2smt.frontend.torch_graph.lowering.sources import SOURCES
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.program import RECOMPUTED

HANDLERS: Mapping[str, Handler] = {
    **POINTWISE, **ACTIVATIONS, **MOVES, **CONTRACTIONS, **CONVOLUTIONS, **ROWS, **INDICES, **LOSSES, **IMAGES,
    **SOURCES, **ATTENTION, **NORMS,
}  # fmt: skip
"""What each of torch's operations is, by its name without overload; p2smt's own are called after it."""


def lower(node: Node, emission: Emission, memory: Memory) -> None:
    """Writes a node's statements, and remembers what its results are.

    CaptureError that names operation and line where the language lacks one; DefectError where a lowering raises what it
    does not guard against.
    """
    call = AtenCall(node, memory)
    handler = HANDLERS.get(_name(node.operation))
    if handler is None:
        raise call.refused("the language of tensor programs has no such operation")
    emission.name = f"{RECOMPUTED}{node.name}" if node.recomputed else node.name
    try:
        results = _listed(handler(emission, call))
    except ProgramError as cause:
        raise call.refused(str(cause)) from cause
    except P2Error:
        raise
    except Exception as cause:
        raise call.defect(cause) from cause
    for position, result in enumerate(results):
        _check(call, position, result)
        memory.results[Reference(node.name, position)] = result


def _name(operation: str) -> str:
    """The name in the table: of other libraries' operators there is none."""
    library, _, name = operation.partition(".")
    match library:
        case "aten":
            return name.partition(".")[0]
        case "p2smt":
            return operation.rpartition(".")[0]
        case _:
            return library if not name else operation


def _check(call: AtenCall, position: int, result: Result) -> None:
    if isinstance(result, View) and call.wanted(position):
        wanted = call.shape_of(position)
        if 0 in wanted:
            raise call.refused("a tensor without elements is not in the language of tensor programs")
        if result.shape != wanted:
            raise call.refused(f"its result has shape {wanted}, and it is lowered to one of {result.shape}")


def needed(nodes: Sequence[Node], results: Iterable[Reference]) -> list[Node]:
    """The nodes that results come from; assertions are none of them."""
    wanted = {reference.node for reference in results}
    kept = []
    for node in reversed(nodes):
        if node.name in wanted:
            kept.append(node)
            for argument in (*node.arguments, *node.keywords.values()):
                listed = argument if isinstance(argument, list) else [argument]
                wanted |= {item.node for item in listed if isinstance(item, Reference)}
    return kept[::-1]


def _listed(results: Lowered) -> list[Result]:
    return list(results) if isinstance(results, Sequence) else [results]
