"""Lowering of a node of a traced graph to statements."""

from collections.abc import Mapping, Sequence

from p2smt.errors import P2Error, ProgramError
from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler, Lowered, LoweringState, Result, Uniform
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference, TorchNode
from p2smt.frontend.torch_graph.lowering.activations import ACTIVATIONS
from p2smt.frontend.torch_graph.lowering.attention import ATTENTION
from p2smt.frontend.torch_graph.lowering.batch_norm import BATCH_NORMS
from p2smt.frontend.torch_graph.lowering.complexes import is_complex, lowered_complex
from p2smt.frontend.torch_graph.lowering.constants import constant, uniform
from p2smt.frontend.torch_graph.lowering.contractions import CONTRACTIONS
from p2smt.frontend.torch_graph.lowering.convolutions import CONVOLUTIONS
from p2smt.frontend.torch_graph.lowering.functions import FUNCTIONS
from p2smt.frontend.torch_graph.lowering.indexing import INDEXING
from p2smt.frontend.torch_graph.lowering.indices import INDICES
from p2smt.frontend.torch_graph.lowering.losses import LOSSES
from p2smt.frontend.torch_graph.lowering.moves import MOVES
from p2smt.frontend.torch_graph.lowering.norms import NORMS
from p2smt.frontend.torch_graph.lowering.pointwise import POINTWISE
from p2smt.frontend.torch_graph.lowering.pooling import POOLING
from p2smt.frontend.torch_graph.lowering.random_numbers import RANDOM_NUMBERS, uniform_numbers
from p2smt.frontend.torch_graph.lowering.resampling import RESAMPLING
from p2smt.frontend.torch_graph.lowering.rows import ROWS
from p2smt.frontend.torch_graph.lowering.slices import SLICES
from p2smt.frontend.torch_graph.lowering.sources import SOURCES, filled
from p2smt.frontend.torch_graph.lowering.strided import STRIDED
from p2smt.frontend.torch_graph.lowering.uniform import DRAWN, decided, decisive_operand, drawn, with_numbers
from p2smt.frontend.torch_graph.refusals import lacking
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.expression import RECOMPUTED

HANDLERS: Mapping[str, Handler] = {
    **POINTWISE,
    **FUNCTIONS,
    **ACTIVATIONS,
    **MOVES,
    **CONTRACTIONS,
    **CONVOLUTIONS,
    **ROWS,
    **INDICES,
    **LOSSES,
    **BATCH_NORMS,
    **POOLING,
    **SOURCES,
    **ATTENTION,
    **NORMS,
    **SLICES,
    **INDEXING,
    **STRIDED,
    **RESAMPLING,
    **RANDOM_NUMBERS,
}
"""Handlers by torch's operation name without overload; p2smt's own operations are included."""


def is_known(operation: str) -> bool:
    """True if an operation has a handler, which may still refuse some calls."""
    name = _name(operation)
    return name in HANDLERS or name in DRAWN or name == "constant"


def lower(node: TorchNode, emission: Emission, memory: LoweringState) -> None:
    """Lower a node to statements, and store its results in `memory`.

    CaptureError, with operation and line, if the language lacks the operation; DefectError if a lowering raises
    another exception.
    """
    call = AtenCall(node, memory)
    name = _name(node.operation)
    emission.name = f"{RECOMPUTED}{node.name}" if node.recomputed else node.name
    results = _empty(call) or _known(emission, call, name)
    if results is None:
        results = _handled(emission, call, name)
    if node.name in memory.numbers:
        results = [uniform_numbers(emission, each) if isinstance(each, Uniform) else each for each in results]
    for position, result in enumerate(results):
        _check(call, position, result)
        memory.results[Reference(node.name, position)] = result
        if (elements := call.elements(position)) is not None:
            memory.elements[Reference(node.name, position)] = elements


def _handled(emission: Emission, call: AtenCall, name: str) -> list[Result]:
    """Return the handler's results; if the handler refuses but the elements are known, constants."""
    handler = HANDLERS.get(name)
    try:
        if is_complex(call):
            return _listed(lowered_complex(emission, call, name, handler))
        if name in DRAWN:
            return [drawn(call)]
        if (given := decisive_operand(call, name)) is not None:
            return _listed(decided(emission, call, name, given))
        with_numbers(emission, call)
        if handler is None:
            raise call.refused(lacking(name))
        if name not in _TAKE_EMPTY and any(0 in view.shape for view in call.operands()):
            raise call.refused("it takes a tensor without elements; tensors need at least one element")
        return _listed(handler(emission, call))
    except P2Error as cause:
        if (written := _written(emission, call)) is not None:
            return written
        if isinstance(cause, ProgramError):
            raise call.refused(str(cause)) from cause
        raise
    except Exception as cause:
        raise call.defect(cause) from cause


_TAKE_EMPTY = ("cat", "slice_backward", "slice_scatter")
"""Operations on several tensors, some of which may be empty, with a nonempty result."""


def _empty(call: AtenCall) -> list[Result]:
    """Return placeholders if all results are empty; operations that join tensors skip them."""
    shapes = [None if each is None else each.shape for each in call.node.results]
    if not shapes or not all(shape is not None and 0 in shape for shape in shapes):
        return []
    return [filled(0, call.shape_of(position), call.dtype_of(position)) for position in range(len(shapes))]


_ROUNDED = ("gt", "ge", "lt", "le", "eq", "ne", "_to_copy", "floor", "round", "ceil", "bucketize", "searchsorted")
"""Operations that amplify rounding errors; known results of these are taken from PyTorch."""


def _known(emission: Emission, call: AtenCall, name: str) -> list[Result] | None:
    """Return constant results, if they are uniform or sensitive to rounding; else None."""
    if name == "native_dropout":  # its mask is no tensor of the language, but the random bits of its gradient
        return None
    listed = [call.elements(position) for position in range(len(call.node.results))]
    if None in [each if each is None else 0 for each in listed] or not listed:
        return None
    if name == "constant" or all(each is not None and uniform(each) is not None for each in listed):
        return _written(emission, call)
    whole = call.dtype not in FLOATS
    if whole and name in _ROUNDED and any(view.dtype in FLOATS for view in call.operands()):
        return _written(emission, call)
    return None


def _written(emission: Emission, call: AtenCall) -> list[Result] | None:
    """Return all results as constants; None if any is unknown."""
    results: list[Result] = []
    for position in range(len(call.node.results)):
        elements = call.elements(position)
        if elements is None:
            return None
        results.append(constant(emission, call, elements, call.dtype_of(position)))
    return results or None


def _name(operation: str) -> str:
    """Return the name in the table of handlers; operators of other libraries have none."""
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
        if result.shape != wanted:
            raise call.refused(f"its result has shape {wanted}, but its lowering has shape {result.shape}")


def _listed(results: Lowered) -> list[Result]:
    return list(results) if isinstance(results, Sequence) else [results]
