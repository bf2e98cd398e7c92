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
"""Numbers as float64, booleans as 0 and 1; over a prime field, Python integers."""


class Kind(StrEnum):
    """The twelve kinds but sources and collectives; a kind is what a schedule or a cost asks for."""

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
        """True if every element of a result is 0 or an operand's element, chosen without looking at data."""
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
        """True if a result may share the memory of an operand."""
        match self:
            case Kind.RELABEL | Kind.VIEW | Kind.JOIN | Kind.UPDATE:
                return True
            case Kind.CONTRACT | Kind.MAP | Kind.REDUCE | Kind.ROW | Kind.TAKE | Kind.PUT | Kind.RANDOM:
                return False


class ParameterKind(StrEnum):
    """The type of an operation's parameter in a text."""

    WHOLE = "whole number"
    REAL = "number"
    TEXT = "text"
    DTYPE = "dtype"
    WHOLES = "whole numbers"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter after the operands; required if it has no default.

    WHOLES takes all that follow. WHOLES takes all that follow.

    `length`: it is a length, or an index along one, so that it shrinks with the shapes when a smaller program with the
    same mistake is looked for.
    """

    name: str
    kind: ParameterKind
    default: int | float | tuple[int, ...] | None = None
    length: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation, whole.

    `operands` None: one or more, and parameters by name only; `optional` more may follow those that there have to be.
    `signature` raises ValueError with the rule that shapes or attributes break. `numpy` computes one rank's part.
    `exact`: it is a polynomial with whole coefficients, so that `numpy` on whole numbers, taken modulo a prime, is
    the meaning over that field. What chooses by value, rounds or is random is not: there it is an unknown function of
    what `signature` says that an element depends on. `keeps_whole`: of whole numbers it makes whole numbers all the
    same. `domain` has operands and the signs (of `field/signs.py`) for which the result is a number, where those are
    not all. `flops` are per combination of indices of all labels but those `uncounted`. `positional` are labels whose
    global index matters, each by the parameter that has to be other than 0 for it. `torch` is the call that computes
    it; `emitted` is what emitted code says instead, on one rank's parts: {0} and so on are the operands, {operands}
    all of them, {NAME} a parameter, {shape} the shape of the rank's result and {starts} where it begins,
    {part[D].start} and {part[D].length} what the rank has of dimension D of it, {part0[D].start} of operand 0, {f32}
    the type. Functions without a module are those of `emit/torch/templates/program/operations.py.in`.
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
        """The labels whose global index the result depends on, with these attributes."""
        given = zip(self.parameters, attributes, strict=True)
        return frozenset[str]().union(
            *(self.positional.get(each.name, frozenset()) for each, value in given if value not in (0, ""))
        )
