"""Mixed precision as a rewriting of a step, before it is sharded: what PyTorch's FSDP2 does by `MixedPrecisionPolicy`.

    w' = update(w, w - lr * gradient.w)      parameters, states and updates stay f32
    y  = matmul(x, w)                   ->   y = matmul(cast(x, bf16), cast(w, bf16))
    gradient.w = einsum(..., x, dy)     ->   gradient.w.bf16 = einsum(...); gradient.w = cast(gradient.w.bf16, f32)

Computed in the type `compute` is what leads to gradients and outputs and depends on parameters or on inputs that are no
whole numbers; what follows from gradients (clipping, the optimizer) and what depends on neither (masks) stays f32.
The search decides where collectives stand: a parameter that is cast where it is stored is gathered in `compute`.
Gradients are summed in `reduce`: `GradientSums` names the values that no collective may convert before they are cast,
and the casts that may not be of summands. A statement `gradient.NAME` is the gradient of the parameter NAME, as
`p2smt capture` writes it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import groupby

from p2smt.errors import ProblemError
from p2smt.problem.text import printable
from p2smt.spmd.model.gradient_sums import GradientSums
from p2smt.spmd.model.graph import refuse_distributed
from p2smt.tensor.fresh_names import fresh_name
from p2smt.tensor.program import (
    RECOMPUTED,
    Call,
    Convert,
    DType,
    Expression,
    Number,
    Program,
    Ranks,
    Read,
    SourceKind,
    Statement,
    parts,
    versions,
)
from p2smt.tensor.shapes import Whole, whole_of, wholes

FLOATS = (DType.BF16, DType.F16, DType.F32)
FORMS = (
    "a type such as bf16, or compute=bf16,reduce=f32,output=f32,keep=PATTERN, where types are "
    f"{', '.join(FLOATS)}, reduce is f32 if it is not said, and statements that a pattern names stay f32"
)
GRADIENT = "gradient."
_KEYS = ("compute", "reduce", "output", "keep")
_STORED = DType.F32


@dataclass(frozen=True, slots=True)
class Precision:
    """The types of computing, of sums of gradients, and of outputs (None: as before); `keep` names what stays f32.

    In FSDP2 they are param_dtype, reduce_dtype and output_dtype. There the last is of a module's outputs, here of the
    program's; what a loss computes is kept in f32 by its name.
    """

    compute: DType
    reduce: DType = DType.F32
    output: DType | None = None
    keep: tuple[str, ...] = ()

    def keeps(self, name: str) -> bool:
        """True if a statement stays f32: what is recomputed as what it is recomputed of."""
        return any(fnmatchcase(name.removeprefix(RECOMPUTED), pattern) for pattern in self.keep)

    @property
    def text(self) -> str:
        """The policy in a line."""
        kept = f", {', '.join(self.keep)} in {_STORED}" if self.keep else ""
        return f"computed in {self.compute}, gradients summed in {self.reduce}, parameters stored in {_STORED}{kept}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on a step in this precision."""
        scaled = self.compute is DType.F16
        return (self.text, *(["losses are not scaled: small gradients are 0 in f16"] if scaled else []))


@dataclass(frozen=True, slots=True)
class MixedPrecision:
    """A program in mixed precision, and where its gradients are summed."""

    program: Program
    sums: GradientSums


def parse_precision(text: str) -> Precision:
    """A policy from its text. ProblemError with the forms that there are.

    >>> parse_precision("bf16") == parse_precision("compute=bf16,reduce=f32")
    True
    """
    pairs = [part.partition("=") for part in text.split(",")]
    if len(pairs) == 1 and not pairs[0][1]:
        return Precision(_dtype(text.strip(), text))
    given: dict[str, str] = {}
    keep = []
    for key, sign, value in pairs:
        name = key.strip()
        if not sign or name not in _KEYS or name in given or not value.strip():
            raise ProblemError(f"precision {printable(text[:80])!r} does not parse; write {FORMS}")
        if name == "keep":
            keep.append(value.strip())
        else:
            given[name] = value.strip()
    if "compute" not in given:
        raise ProblemError(f"precision {printable(text[:80])!r} does not say the type of computing; write {FORMS}")
    types = {name: _dtype(value, text) for name, value in given.items()}
    return Precision(types["compute"], types.get("reduce", _STORED), types.get("output"), tuple(keep))


def _dtype(word: str, text: str) -> DType:
    if word not in FLOATS:
        raise ProblemError(f"precision {printable(text[:80])!r}: {word[:20]!r} is no type; write {FORMS}")
    return DType(word)


def in_mixed_precision(program: Program, precision: Precision) -> MixedPrecision:
    """The step of one device in mixed precision.

    ProgramError for a distributed program. ProblemError for one that has other floating-point types than f32 already,
    for a parameter that is updated without a gradient, and for a pattern that names no statement.
    """
    refuse_distributed(program)
    known = wholes(program)
    _refuse(program, precision, known)
    return _Rewriting(program, precision, known).run()


def _refuse(program: Program, precision: Precision, known: Mapping[str, Whole]) -> None:
    for name, whole in known.items():
        if _is_float(whole.dtype) and whole.dtype is not _STORED:
            raise ProblemError(
                f"{name} is of type {whole.dtype}: --precision is for programs whose numbers are {_STORED}; "
                "capture the model without autocast, in float32"
            )
    names = [statement.name for statement in program.statements]
    for pattern in precision.keep:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ProblemError(f"precision: {printable(pattern[:80])!r} names no statement of {program.name}")
    below = _descendants(program, set(_gradients(program)))
    for parameter, last in versions(program).items():
        is_parameter = any(each.name == parameter and each.kind is SourceKind.PARAMETER for each in program.sources)
        if is_parameter and last not in below:
            raise ProblemError(
                f"{parameter} is updated, but not from a statement {GRADIENT}{parameter}: --precision tells gradients "
                "by this name, as p2smt capture writes it"
            )


def _is_float(dtype: DType | None) -> bool:
    return dtype is not None and not dtype.is_whole


def _gradients(program: Program) -> tuple[str, ...]:
    """The statements that are gradients of parameters."""
    named = {GRADIENT + each.name for each in program.sources if each.kind is SourceKind.PARAMETER}
    return tuple(each.name for each in program.statements if each.name in named)


def _reads(statement: Statement) -> Iterator[str]:
    return (part.name for part in parts(statement.expression) if isinstance(part, Read))


def _descendants(program: Program, roots: set[str]) -> set[str]:
    """The statements that depend on some names, and these."""
    found = set(roots)
    for statement in program.statements:
        if any(name in found for name in _reads(statement)):
            found.add(statement.name)
    return found


def _ancestors(program: Program, roots: set[str]) -> set[str]:
    """The names that some depend on, and these."""
    found = set(roots)
    for statement in reversed(program.statements):
        if statement.name in found:
            found |= set(_reads(statement))
    return found


class _Rewriting:
    def __init__(self, program: Program, precision: Precision, known: Mapping[str, Whole]) -> None:
        self._program = program
        self._precision = precision
        self._known = known
        self._gradients = set(_gradients(program))
        self._outputs = {output.name for output in program.outputs}
        self._computed = _computed(program, precision, self._gradients)
        self._taken = {*known, *(name for name, _ in program.sizes), "ranks"}
        self._statements: list[Statement] = []
        self._now: dict[str, Whole] = {each.name: known[each.name] for each in program.sources}
        self._versions: dict[tuple[str, DType], Read] = {}
        self._unsent: set[str] = set()
        self._settled: set[str] = set()
        self._scalars = frozenset(each.name for each in program.sources if each.kind is SourceKind.SCALAR)

    def run(self) -> MixedPrecision:
        for statement in self._program.statements:
            self._statement(statement)
        program = replace(self._program, statements=tuple(self._statements))
        return MixedPrecision(program, GradientSums(frozenset(self._unsent), frozenset(self._settled)))

    def _statement(self, statement: Statement) -> None:
        name = statement.name
        dtype = self._precision.compute if name in self._computed else _STORED
        expression = self._typed(statement.expression, dtype)
        made = whole_of(expression, self._now).dtype
        chain = [dtype for dtype, _ in groupby([made, *self._types_after(name)] if _is_float(made) else [made])]
        names = [*(fresh_name(f"{name}.{each}", self._taken) for each in chain[:-1]), name]
        read = self._add(names[0], expression)
        for each, after in zip(names[1:], chain[1:], strict=True):
            read = self._add(each, _cast(read, after))
        if name in self._gradients and made is not self._precision.reduce:
            self._unsent.add(names[0])
        if name in self._gradients and self._precision.reduce is not _STORED:
            self._settled.add(name)

    def _types_after(self, name: str) -> list[DType | None]:
        """The types that a value is cast to one after the other: of a gradient that of sums, then as it is stored."""
        if name in self._gradients:
            return [self._precision.reduce, _STORED]
        return [self._precision.output or self._known[name].dtype] if name in self._outputs else []

    def _add(self, name: str, expression: Expression) -> Read:
        self._now[name] = whole_of(expression, self._now)
        self._statements.append(Statement(name, expression))
        return Read(name)

    def _typed(self, expression: Expression, dtype: DType) -> Expression:
        """An expression computed in a type; whole numbers, truth values and scalars that are given stay as they are."""
        match expression:
            case Read(name):
                return self._version(name, dtype)
            case Call(operation, operands, attributes):
                if operation == "cast" and _is_float(DType(str(attributes[0]))):
                    attributes = (str(dtype),)
                made = Call(operation, tuple(self._typed(each, dtype) for each in operands), attributes)
                whole = whole_of(made, self._now)
                is_other = _is_float(whole.dtype) and whole.dtype is not dtype and whole.shape
                return _cast(made, dtype) if is_other else made
            case Number() | Ranks():
                return expression
            case Convert():
                raise AssertionError("a program for one device")

    def _version(self, name: str, dtype: DType) -> Read:
        """A value in a type; it is cast once, just before it is first read in it."""
        now = self._now[name].dtype
        if now is None and self._now[name].shape:
            now = _STORED  # a choice between numbers that are written down
        if not _is_float(now) or now is dtype or name in self._scalars:
            return Read(name)
        if (name, dtype) not in self._versions:
            fresh = fresh_name(f"{name}.{dtype}", self._taken)
            self._versions[name, dtype] = self._add(fresh, _cast(Read(name), dtype))
        return self._versions[name, dtype]


def _computed(program: Program, precision: Precision, gradients: set[str]) -> frozenset[str]:
    """The statements that are computed in the type of computing."""
    below = _descendants(program, gradients) - gradients
    wanted = _ancestors(program, gradients | ({output.name for output in program.outputs} - below))
    kinds = (SourceKind.PARAMETER, SourceKind.INPUT)
    given = {each.name for each in program.sources if each.kind in kinds and _is_float(each.dtype)}
    depends = _descendants(program, given)
    return frozenset(
        each.name for each in program.statements if each.name in wanted & depends and not precision.keeps(each.name)
    )


def _cast(operand: Expression, dtype: DType | None) -> Call:
    return Call("cast", (operand,), (str(dtype),))
