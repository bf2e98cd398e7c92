"""Recording on fake tensors: a log of torch's operations, forward and backward.

Operations inside torch's own kernels are not recorded. In-place operations arrive as functional ones, because torch's
functionalization runs above (`joint.py`). A remaining in-place write goes to a tensor outside the step and is refused;
so is communication (`effects.py`).
"""

import sys
from collections.abc import Mapping, Sequence

import torch
from torch._ops import HigherOrderOperator, OpOverload
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
)
from torch._subclasses.functional_tensor import FunctionalTensor

from p2smt.errors import CaptureError, DefectError
from p2smt.frontend.torch_graph import single_operations as single
from p2smt.frontend.torch_graph.effects import effects
from p2smt.frontend.torch_graph.elements import (
    Computation,
    forget,
    lifted,
    with_known_indices,
    written_elements,
)
from p2smt.frontend.torch_graph.finiteness import Finiteness
from p2smt.frontend.torch_graph.graph import Argument, Obstacle, Reference, Survey, TorchNode, argument_of
from p2smt.frontend.torch_graph.guards import Answer, passing
from p2smt.frontend.torch_graph.lines import Lines
from p2smt.frontend.torch_graph.metas import meta
from p2smt.frontend.torch_graph.refusals import depends_on_values
from p2smt.frontend.torch_graph.skipping.conditions import SkippedCode

_SAME = ("aten.detach.default", "aten.alias.default", "aten.clone.default", "aten.lift_fresh_copy.default")
"""Operations that return their operand's value, provided nothing writes it in place."""


class UnknownTensorError(CaptureError):
    """A tensor is used that is neither a source of the step nor made by it."""


class StepTape:
    """The nodes of a step in the order in which they ran; tensors are identified by object identity."""

    def __init__(self, lines: Lines, constants: frozenset[int] = frozenset(), survey: Survey | None = None) -> None:
        """Start an empty tape.

        `constants` are ids of the user's own tensors, which are watched for changes. With a survey, obstacles are
        noted there, and recording continues.
        """
        self._survey = survey
        self.nodes: list[TorchNode] = []
        self._constants = constants
        self._lines = lines
        self._known: dict[int, tuple[torch.Tensor, Reference]] = {}
        self._calls: dict[int, str] = {}
        self._names: dict[str, int] = {}
        self._finiteness = Finiteness(self.nodes)
        self.skipping = SkippedCode(self.nodes, self._reference, lines.refused)
        self.drawn = 0

    def given(self, tensor: torch.Tensor) -> str:
        """The name of a source tensor."""
        name = self._free("given")
        forget(tensor)
        self._known[id(tensor)] = (tensor, Reference(name))
        return name

    def reference(self, tensor: torch.Tensor) -> Reference:
        """Return the node result that a tensor is; known elements become a constant, other tensors are refused."""
        known = self._known.get(id(tensor))
        if known is None:
            self._know(tensor, Reference(self._constant(tensor)))
            known = self._known[id(tensor)]
        return known[1]

    def _reference(self, tensor: torch.Tensor) -> Reference:
        return self.reference(tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor)

    def record(self, function: OpOverload, args: Sequence[object], kwargs: Mapping[str, object], made: object) -> None:
        """Append a node; DefectError if the call cannot be converted."""
        try:
            self.drawn += (is_random := effects(function, args, kwargs).random)
            self._record(str(function), args, kwargs, made, self.drawn if is_random else 0)
        except CaptureError:
            raise
        except Exception as cause:
            said = f"reading torch's {function}, p2smt raised {type(cause).__name__}: {cause}"
            raise DefectError(f"{said}. That is a defect of p2smt, not of the model; please report it") from cause

    def _record(
        self, operation: str, args: Sequence[object], kwargs: Mapping[str, object], made: object, drawn: int
    ) -> None:
        results = list(made) if isinstance(made, tuple | list) else [made]
        if not any(isinstance(each, torch.Tensor) for each in results):
            for argument in args:  # a number that the code asks for is as known as what it is asked of
                self._argument(argument)
            return
        if operation in _SAME and isinstance(args[0], torch.Tensor) and isinstance(made, torch.Tensor):
            self._know(made, self.reference(args[0]))
            return
        line, backward = self._called()
        elements = [written_elements(each) for each in results]
        name = self._free(operation.split(".")[1])
        self.skipping.made(name)
        self.nodes.append(
            TorchNode(
                name=name,
                operation=operation,
                arguments=[self._argument(argument) for argument in args],
                keywords={
                    key: self._argument(argument)
                    for key, argument in ({**kwargs} | single.lying(operation, args)).items()
                },
                results=[meta(each) for each in results],
                line=line,
                backward=backward,
                recomputed=backward and torch.is_grad_enabled(),  # backward formulas run without gradients
                elements=elements if any(elements) else [],
                drawn=drawn,
            )
        )
        for position, result in enumerate(results):
            if isinstance(result, torch.Tensor):
                self._know(result, Reference(name, position))

    def _called(self) -> tuple[str, bool]:
        """Return the line of the forward call, and True if its backward pass is running."""
        node = torch._C._current_autograd_node()
        if node is not None:
            return self._calls.get(node._sequence_nr(), ""), True
        self._calls[torch.autograd._get_sequence_nr() - 1] = self._lines.last
        return self._lines.last, False

    def _know(self, tensor: torch.Tensor, reference: Reference) -> None:
        self._known[id(tensor)] = (tensor, reference)

    def places(self, mask: torch.Tensor, place: torch.Tensor) -> None:
        """Record the indices at which a mask is true, along one dimension; a constant if the mask is known."""
        self.reference(mask)
        self._constants |= {id(place)}
        self.reference(place)

    def _constant(self, tensor: torch.Tensor) -> str:
        """A constant node for a tensor that the code creates; its elements are kept if they are few."""
        written = not isinstance(tensor, FakeTensor) or tensor.constant is not None or id(tensor) in self._constants
        elements = written_elements(tensor) if written else None
        if elements is None and not self.passes("", single.UNKNOWN):
            where = f"{self._lines.last}: " if self._lines.last else ""
            raise self.refusal(f"{where}{single.UNKNOWN}")
        name = self._free("constant")
        self.nodes.append(
            TorchNode(
                name=name,
                operation="constant",
                arguments=[],
                keywords={},
                results=[meta(tensor)],
                line=self._lines.last,
                elements=[elements],
            )
        )
        return name

    def _free(self, name: str) -> str:
        number = self._names[name] = self._names.get(name, -1) + 1
        return f"{name}_{number}" if number else name

    def passes(self, operation: str, why: str) -> bool:
        """True if tracing may continue past an obstacle, which is then noted."""
        if self._survey is None:
            return False
        line, backward = self._called()
        self._survey.obstacles.append(Obstacle(operation, line, why, backward))
        return True

    def answer(self, function: OpOverload, asked: object) -> Answer | None:
        """Return the number that finiteness decides, or with which a check passes or a block runs; None for others."""
        known, name, user = self._known.get(id(asked)), str(function), self._lines.users(sys._getframe())
        if known is None or function is not torch.ops.aten._local_scalar_dense.default:
            return passing(name, asked, user)
        found: Answer | None = self._finiteness.truth(known[1])
        found = passing(name, asked, user) if found is None else found
        return self.skipping.answer(known[0], user) if found is None and self._survey is None else found

    def refusal(self, what: str) -> UnknownTensorError:
        """Return the error for an unknown tensor, and note that the capture has failed."""
        error = UnknownTensorError(what)
        self._lines.refused(error)
        return error

    def refused(self, operation: str, why: str) -> CaptureError:
        """Return the error that names the latest call and its line, and note that the capture has failed."""
        where = f"{self._lines.last}: " if self._lines.last else ""
        return self._lines.refused(CaptureError(f"{where}{operation} is called there: {why}"))

    def check(self, function: OpOverload, args: Sequence[object], kwargs: Mapping[str, object]) -> None:
        """CaptureError for operations with side effects."""
        found, name = effects(function, args, kwargs), str(function)
        for is_found, why in ((found.communicates, single.COMMUNICATES), (found.written or found.moved, single.WRITES)):
            if is_found and not self.passes(name, why):
                raise self.refused(name, why)

    def _argument(self, argument: object) -> Argument:
        return argument_of(argument, lambda item: self.reference(item) if isinstance(item, torch.Tensor) else None)


class RecordingMode(FakeTensorMode):  # type: ignore[no-untyped-call]
    """A mode in which tensors have no elements; with a tape, operations are recorded."""

    supports_higher_order_operators = True

    def __init__(self) -> None:
        super().__init__(allow_non_fake_inputs=True)
        self.tape: StepTape | None = None
        self.survey: Survey | None = None

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """False: nothing is compiled here, and keeping the compiler out of every call costs more than the call."""
        return False

    def __torch_dispatch__(
        self,
        func: OpOverload | HigherOrderOperator,
        types: Sequence[type],
        args: Sequence[object] = (),
        kwargs: Mapping[str, object] | None = None,
    ) -> object:
        if isinstance(func, HigherOrderOperator):
            return single.ordered_assertion(func, args, None if self.tape is None else self.tape.refused)
        tape, self.tape = self.tape, None
        try:
            args = with_known_indices(func, args, lambda mask, place: self._place(tape, mask, place))
            computation = Computation(func, args, kwargs or {})
            if tape is not None:
                tape.check(func, args, kwargs or {})
            made = self._made(func, types, args, kwargs or {}, computation)
        except (DataDependentOutputException, DynamicOutputShapeException) as cause:
            made = None if tape is None else self._passed(tape, cause.func, args)
            if made is None:
                raise
        finally:
            self.tape = tape
        if tape is not None and made is not NotImplemented:
            tape.record(func, args, kwargs or {}, made)
        return made

    def _made(
        self,
        func: OpOverload,
        types: Sequence[type],
        args: Sequence[object],
        kwargs: Mapping[str, object],
        computation: Computation,
    ) -> object:
        """Return the results as fake tensors, or as numbers if known."""
        if func is torch.ops.aten._grouped_mm.default:
            with self:
                return single.grouped_product(*args, **kwargs)  # type: ignore[arg-type]
        try:
            made: object = super().__torch_dispatch__(func, types, args, kwargs)
        except (DataDependentOutputException, DynamicOutputShapeException):
            match computation.results():
                case None:
                    raise
                case torch.Tensor() as real:
                    return self._lifted(real)
                case tuple() | list() as several if all(isinstance(each, torch.Tensor) for each in several):
                    return tuple(map(self._lifted, several))
                case other:
                    return other
        computation.keep(made)
        return made

    def _passed(self, tape: StepTape, func: OpOverload, args: Sequence[object]) -> object:
        """Return a number that need not be known, or a stand-in in a survey; else None, and the capture has failed."""
        if (answer := tape.answer(func, args[0])) is not None:
            return answer
        with self:
            made = None if self.survey is None else single.stand_in(str(func), args[0])
        if made is not None and tape.passes(str(func), depends_on_values(str(func))):
            return made
        tape.refused(str(func), depends_on_values(str(func)))
        return None

    def _place(self, tape: StepTape | None, mask: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        made = self._lifted(place)
        if tape is not None:
            tape.places(mask, made)
        return made

    def _lifted(self, real: torch.Tensor) -> torch.Tensor:
        with self:
            return lifted(real)
