"""XLA's collectives on one device's arrays, as layout conversions among groups of devices."""

from collections.abc import Sequence

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.view import plain_view
from p2smt.frontend.xla.operators import HloKind
from p2smt.frontend.xla.processes import process_groups, process_pairs
from p2smt.frontend.xla.ssa import HloInstruction, HloShape, Module
from p2smt.frontend.xla_ranks.computing import folding
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import DeviceTensor, Value, dtype_of, types_of, viewed
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, Broadcast, Conversion, ReduceScatter, Send
from p2smt.tensor.expression import Convert, Read
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.shapes import Whole

_REDUCTIONS = {"sum": ReductionOp.SUM, "max": ReductionOp.MAX, "min": ReductionOp.MIN}


class RankConversions:
    """A writer of conversions; `groups` and `pairs` hold the devices of each conversion, `count` their number."""

    def __init__(self, module: Module, emission: Emission, builder: ProgramBuilder, device: int, devices: int) -> None:
        self._module, self._emission, self._builder = module, emission, builder
        self._device, self._devices = device, devices
        self.groups: dict[str, tuple[int, ...]] = {}
        self.pairs: dict[str, tuple[tuple[int, int], ...]] = {}
        self.known: dict[str, Whole] = {}
        self.count = 0

    def value(self, one: HloInstruction, tensors: Sequence[DeviceTensor]) -> Value:
        """Return the result of a collective. Raises UncoveredError or VerifyError without a line."""
        self.count += 1
        if one.kind is HloKind.PERMUTE:
            return self._messages(one, tensors)
        groups = process_groups(self._module, one, self._devices)
        types = types_of(one.type)
        if len(types) != len(tensors):
            raise VerifyError(f"{len(types)} results for {len(tensors)} operands; there must be as many")
        group = next(group for group in groups if self._device in group)
        made = [self._one(one, *each, group) for each in zip(tensors, types, strict=True)]
        return made[0] if len(made) == 1 else tuple(made)

    def read(self, tensor: DeviceTensor, name: str) -> Read:
        """Return the tensor as a statement or source; known numbers are emitted as a statement."""
        kept, self._emission.name = self._emission.name, name
        expression = self._emission.whole(viewed(self._emission, tensor)).expression
        read = expression if isinstance(expression, Read) else self._builder.statement(name, expression)
        self._emission.name = kept
        return read

    def _one(self, one: HloInstruction, tensor: DeviceTensor, shape: HloShape, group: tuple[int, ...]) -> DeviceTensor:
        conversion = self._conversion(one)
        name = self._emission.name
        wanted = _shape_after(conversion, tensor.shape, len(group))
        if wanted != shape.dims:
            raise VerifyError(
                f"{tensor.shape} in groups of {len(group)} gives {list(wanted)}, but the type of the result is {shape}"
            )
        if len(group) == 1:
            return tensor
        operand = self.read(tensor, f"{name}.operand")
        whole = Whole(shape.dims, dtype_of(shape))
        read = self._builder.received(name, Convert(conversion, operand), whole)
        self.groups[read.name] = tuple(sorted(group)) if isinstance(conversion, AllReduce) else group
        self.known[read.name] = whole
        return DeviceTensor(shape, plain_view(read, shape.dims, whole.dtype))

    def _messages(self, one: HloInstruction, tensors: Sequence[DeviceTensor]) -> DeviceTensor:
        """The tensor that a device receives in a collective-permute."""
        pairs = process_pairs(self._module, one, self._devices)
        types = types_of(one.type)
        if len(tensors) != 1 or len(types) != 1:
            raise UncoveredError("messages of several tensors at once are not supported")
        name, (tensor,), (shape,) = self._emission.name, tensors, types
        if (tensor.shape.dims, tensor.shape.kind) != (shape.dims, shape.kind):
            raise VerifyError(f"the collective keeps the shape {tensor.shape}, but its type is {shape}")
        operand = self.read(tensor, f"{name}.operand")
        whole = Whole(shape.dims, dtype_of(shape))
        read = self._builder.received(name, Convert(Send(), operand), whole)
        self.pairs[read.name] = tuple((source, target) for source, target in pairs)
        self.known[read.name] = whole
        return DeviceTensor(shape, plain_view(read, shape.dims, whole.dtype))

    def _conversion(self, one: HloInstruction) -> Conversion:
        match one.kind:
            case Collective.ALL_REDUCE:
                return AllReduce(_REDUCTIONS[folding(self._module, one.callee)])
            case Collective.REDUCE_SCATTER:
                return ReduceScatter(_dim(one), None, _REDUCTIONS[folding(self._module, one.callee)])
            case Collective.ALL_GATHER:
                return AllGather(_dim(one))
            case Collective.BROADCAST:
                return Broadcast(0)
            case Exchange.ALL_TO_ALL if len(one.dims) in (1, 2):
                return AllToAll(one.dims[-1], one.dims[0])
            case Exchange.ALL_TO_ALL:
                raise UncoveredError("an all-to-all of several tensors at once is not supported")
            case _:
                raise UncoveredError("this collective is not supported")


def _dim(one: HloInstruction) -> int:
    if len(one.dims) != 1:
        raise VerifyError(f"{len(one.dims)} dimensions; the collective works along exactly one")
    return one.dims[0]


def _shape_after(conversion: Conversion, shape: HloShape, members: int) -> tuple[int, ...]:
    """Return the shape of the result. VerifyError if the blocks do not fit."""
    lengths = list(shape.dims)
    cut: int | None = None
    joined: int | None = None
    match conversion:
        case ReduceScatter(target):
            cut = target
        case AllGather(source):
            joined = source
        case AllToAll(source, target):
            cut, joined = target, source
        case _:
            pass
    if any(dim is not None and dim >= len(lengths) for dim in (cut, joined)):
        raise VerifyError(
            f"{shape} has no dimension {max(dim for dim in (cut, joined) if dim is not None)} to split or gather along"
        )
    if cut is not None:
        if lengths[cut] % members:
            raise VerifyError(f"dimension {cut} of {shape} does not divide into {members} equal blocks")
        lengths[cut] //= members
    if joined is not None:
        lengths[joined] *= members
    return tuple(lengths)
