"""A device's computation on its tensors, operation by operation, as statements of the language."""

from collections.abc import Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.lowering.sources import counted_up
from p2smt.frontend.torch_graph.view import View
from p2smt.frontend.xla.known import iota
from p2smt.frontend.xla.operators import Binary, HloKind, HloMove, Unary
from p2smt.frontend.xla.ssa import (
    ADDITION,
    HloInstruction,
    HloShape,
    Module,
    Product,
    sums,
)
from p2smt.frontend.xla_ranks import moves
from p2smt.frontend.xla_ranks.elementwise import ELEMENTWISE, Choices, of_truths, with_start
from p2smt.frontend.xla_ranks.moving import MOVINGS
from p2smt.frontend.xla_ranks.numbers import known_numbers
from p2smt.frontend.xla_ranks.products import multiplied
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import DeviceTensor, dtype_of, viewed

_FOLDED = {"add": "sum", "maximum": "max", "minimum": "min"}


def folding(module: Module, name: str) -> str:
    """Return the reduction that a computation on two numbers performs: sum, max or min."""
    if name == ADDITION or not sums(module, name):
        return "sum"
    found = module.computations.get(name)
    plain = name.rpartition(".")[2]
    if found is not None and len(found.instructions) == 1 and len(found.parameters) == 2:
        (one,) = found.instructions
        names = sorted(parameter for parameter, _ in found.parameters)
        plain = one.plain if sorted(one.operands) == names and found.results == (one.name,) else ""
    if plain not in _FOLDED:
        raise UncoveredError("only reductions with add, maximum or minimum are supported")
    return _FOLDED[plain]


class DeviceStatements:
    """A writer of a device's statements; every method raises UncoveredError or VerifyError without a line."""

    def __init__(self, module: Module, emission: Emission) -> None:
        self._module, self._emission = module, emission
        self._choices = Choices(emission)
        self._counted: dict[tuple[int, str], View] = {}

    def value(self, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> DeviceTensor:
        """The result of an operation with this type."""
        known = known_numbers(one, tensors, shape)
        if known is not None and all(each.view is None for each in tensors):
            return DeviceTensor(shape, None, known)
        view = self._view(one, tensors, shape)
        if view.shape != shape.dims:
            raise VerifyError(f"the result has shape {list(view.shape)}, but its type is {shape}")
        return DeviceTensor(shape, view, known)

    def counted(self, one: HloInstruction, shape: HloShape) -> DeviceTensor:
        """Return the indices along a dimension (iota)."""
        dim = one.dims[0] if one.dims else 0
        known = iota(shape, dim)
        key = shape.dims[dim], shape.kind
        if key not in self._counted:
            self._counted[key] = counted_up(self._emission, shape.dims[dim], dtype_of(shape))
        return DeviceTensor(shape, moves.repeated(self._counted[key], (dim,), shape), known)

    def _view(self, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
        match one.kind:
            case HloMove() as move:
                return MOVINGS[move](self._emission, one, tensors, shape)
            case HloKind.REDUCE:
                return self._reduced(one, tensors, shape)
            case HloKind.SELECT:
                condition, then, otherwise = self._operands(tensors, 3)
                return self._choices.selected([condition, then, otherwise], dtype_of(shape), shape.dims)
            case _ if one.plain in ("dot", "dot-general"):
                return self._product(one, tensors, shape)
            case _ if one.plain in ELEMENTWISE:
                return self._elementwise(one, tensors, shape)
            case Unary.NOT | Binary.AND | Binary.OR | Binary.XOR:
                views = [viewed(self._emission, each) for each in tensors]
                return of_truths(self._emission, one.plain, views, shape.dims)
            case _:
                raise UncoveredError("the operation is not supported in tensor programs")

    def _operands(self, tensors: Sequence[DeviceTensor], count: int) -> list[View]:
        if len(tensors) != count:
            raise VerifyError(f"{len(tensors)} operands; the operation takes {count}")
        return [viewed(self._emission, each) for each in tensors]

    def _elementwise(self, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
        count, made = ELEMENTWISE[one.plain]
        views = self._operands(tensors, count)
        dtype = dtype_of(shape)
        if one.plain in ("divide", "power") and not shape.kind.startswith(("f", "bf")):
            raise UncoveredError("rounding of integers is not supported; use floating-point numbers")
        if one.plain in ("add", "multiply", "maximum", "minimum") and shape.kind in ("i1", "pred"):
            operation = "or" if one.plain in ("add", "maximum") else "and"
            return of_truths(self._emission, operation, views, shape.dims)
        if any(view.shape not in (shape.dims, ()) for view in views):
            raise VerifyError(
                f"operands of shapes {', '.join(str(list(view.shape)) for view in views)} for a result "
                f"{shape}; the shapes must be equal"
            )
        result = made(Formula(self._emission, dtype, shape.dims), views, one)
        self._choices.remember(result, one, views)
        return result.repeated(shape.dims) if result.shape == () else result

    def _reduced(self, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
        if len(tensors) != 2:
            raise UncoveredError("reducing several tensors at once is not supported; reduce them one by one")
        view, start = self._operands(tensors, 2)
        operation = folding(self._module, one.callee)
        if shape.kind in ("i1", "pred"):
            raise UncoveredError("a reduction of booleans is not supported; cast them to a number first")
        if len(set(one.dims)) < len(one.dims) or any(dim >= len(view.shape) for dim in one.dims):
            raise VerifyError(f"dimensions {list(one.dims[:8])} do not exist in {list(view.shape)}, or occur twice")
        made = self._emission.reduced(operation, view, one.dims, False) if one.dims else view
        return with_start(self._emission, operation, made, start, shape.dims)

    def _product(self, one: HloInstruction, tensors: Sequence[DeviceTensor], shape: HloShape) -> View:
        views = self._operands(tensors, 2)
        left = len(views[0].shape)
        product = one.product or Product(((), ()), ((left - 1,), (0,)))
        return multiplied(self._emission, views, product, shape)
