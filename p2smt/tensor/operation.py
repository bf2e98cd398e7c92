"""Operations: each is declared once, in `operations/`, and looked up by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.signature import Shape, Signature

Array = npt.NDArray[np.float64]
"""Arrays: float64 numbers with booleans as 0 and 1, or Python integers over a prime field."""


class Kind(StrEnum):
    """Kinds of operations, used by schedules and cost models."""

    CONTRACT = "contract"
    MAP = "map"
    REDUCE = "reduce"
    ROW = "row"
    RELABEL = "relabel"
    VIEW = "view"
    TAKE = "take"
    PUT = "put"
    JOIN = "join"
    RANDOM = "random"
    UPDATE = "update"

    @property
    def moves(self) -> bool:
        """True if every result element is 0 or an operand's element, selected independently of values."""
        match self:
            case Kind.RELABEL | Kind.VIEW | Kind.JOIN:
                return True
            case Kind.CONTRACT | Kind.MAP | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.RANDOM | Kind.UPDATE:
                return False

    @property
    def looks_up(self) -> bool:
        """True if the last operand holds indices into the others or the result."""
        match self:
            case Kind.TAKE | Kind.PUT:
                return True
            case (
                Kind.CONTRACT
                | Kind.MAP
                | Kind.REDUCE
                | Kind.ROW
                | Kind.RELABEL
                | Kind.VIEW
                | Kind.JOIN
                | Kind.RANDOM
                | Kind.UPDATE
            ):
                return False

    @property
    def may_share(self) -> bool:
        """True if the result may be a view of an operand's memory."""
        match self:
            case Kind.RELABEL | Kind.VIEW | Kind.JOIN | Kind.UPDATE:
                return True
            case Kind.CONTRACT | Kind.MAP | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.RANDOM:
                return False


class ParameterKind(StrEnum):
    """The type of an operation's parameter in program text."""

    WHOLE = "whole number"
    REAL = "number"
    TEXT = "text"
    DTYPE = "dtype"
    WHOLES = "whole numbers"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter after the operands; required if it has no default.

    A parameter of kind WHOLES takes all remaining numbers. `length` marks lengths and indices along a
    dimension: they shrink with the shapes when a smaller program with the same mistake is searched.
    """

    name: str
    kind: ParameterKind
    default: int | float | tuple[int, ...] | None = None
    length: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The complete declaration of one operation.

    `operands` None means one or more operands, with parameters given by name only; `optional` operands may follow
    the required ones. `signature` raises ValueError, naming the violated rule, for shapes or attributes that do not
    fit. `numpy` computes one rank's part. `exact`: the operation is a polynomial with integer coefficients, so
    `numpy` on integers modulo a prime gives its meaning over that field. Other operations select by value, round or
    are random; over a field they are unknown functions of the elements they depend on according to `signature`.
    `keeps_whole`: integer operands give integer results. `domain` lists operands with restricted signs
    (`field/signs.py`), as pairs of an operand and the signs for which the result is defined. `flops` counts per
    combination of indices of all labels except `uncounted`. `positional` maps a parameter to the labels whose
    global index matters if it is not 0. `torch` names the equivalent torch call. `emitted` is the template of the
    emitted code on one rank's parts: {0}, {1}, ... are the operands, {operands} all of them, {NAME} a parameter,
    {shape} and {starts} the shape and the start indices of the rank's result, {part[D].start} and {part[D].length}
    its interval of dimension D, {part0[D].start} the same of operand 0, {f32} the type. Functions without a module
    are defined in `emit/torch/templates/program/operations.py.in`.
    """

    name: str
    kind: Kind
    operands: int | None
    signature: Callable[[Sequence[Shape], Attributes], Signature]
    numpy: Callable[[Sequence[Array], Frame], Array]
    torch: str
    emitted: str = "{torch}({operands})"
    optional: int = 0
    parameters: tuple[Parameter, ...] = ()
    exact: bool = False
    keeps_whole: bool = False
    domain: tuple[tuple[int, int], ...] = ()
    flops: int = 1
    uncounted: frozenset[str] = frozenset()
    positional: Mapping[str, frozenset[str]] = field(default_factory=dict)
    kernel: OperationKind | None = None

    def takes(self, count: int) -> bool:
        """True if the operation accepts this number of operands."""
        if self.operands is None:
            return count > 0
        return self.operands <= count <= self.operands + self.optional

    def counted(self, attributes: Attributes) -> frozenset[str]:
        """Return the labels whose global index affects the result, given these attributes."""
        given = zip(self.parameters, attributes, strict=True)
        return frozenset[str]().union(
            *(self.positional.get(each.name, frozenset()) for each, value in given if value not in (0, ""))
        )
