"""Mixed precision as a rewriting of a step before sharding, as by FSDP2's `MixedPrecisionPolicy` in PyTorch.

    w' = update(w, w - lr * gradient.w)   parameters, states and updates stay f32
    y  = matmul(x, w)       ->   y = matmul(cast(x, bf16), cast(w, bf16))
    gradient.w = einsum(..., x, dy)  ->   gradient.w.bf16 = einsum(...); gradient.w = cast(gradient.w.bf16, f32)

A value is computed in the dtype `compute` if gradients or outputs depend on it and it depends on parameters or on
floating-point inputs. What follows from gradients (clipping, the optimizer) and what depends on neither (masks) stays
f32. The search places the collectives: a parameter that is cast where it is stored is gathered in `compute`.
Gradients are reduced in `reduce`: `GradientSums` names the values that no collective may convert before their cast,
and the casts that need reduced operands. A statement `gradient.NAME` is the gradient of the parameter NAME, as
`p2smt capture` writes it.
Complexity: one pass forwards and one backwards over the statements.
Reference: Micikevicius et al., "Mixed precision training", 2018.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import groupby

from p2smt.errors import ProblemError
from p2smt.problem.text import printable
from p2smt.spmd.model.gradient_sums import GradientSums
from p2smt.spmd.model.graph import refuse_distributed
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import (
    RECOMPUTED,
    Call,
    Convert,
    Expression,
    Number,
    Ranks,
    Read,
    SourceKind,
    Statement,
    parts,
)
from p2smt.tensor.fresh_names import fresh_name
from p2smt.tensor.program import Program, versions
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
class PrecisionPolicy:
    """The dtypes of computation, gradient reduction and outputs (None: unchanged); `keep` has patterns that stay f32.

    FSDP2 calls them param_dtype, reduce_dtype and output_dtype. There the last applies to a module's outputs, here to
    the program's; the operations of a loss are kept in f32 by their names.
    """

    compute: DType
    reduce: DType = DType.F32
    output: DType | None = None
    keep: tuple[str, ...] = ()

    def keeps(self, name: str) -> bool:
        """True if a statement stays f32; a recomputed statement follows its original."""
        return any(fnmatchcase(name.removeprefix(RECOMPUTED), pattern) for pattern in self.keep)

    @property
    def text(self) -> str:
        """Return the policy as one line of text."""
        kept = f", {', '.join(self.keep)} in {_STORED}" if self.keep else ""
        return f"computed in {self.compute}, gradients summed in {self.reduce}, parameters stored in {_STORED}{kept}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes for the user on a step in this precision."""
        scaled = self.compute is DType.F16
        return (self.text, *(["losses are not scaled: small gradients are 0 in f16"] if scaled else []))


@dataclass(frozen=True, slots=True)
class MixedPrecision:
    """A program in mixed precision, and the constraints on where its gradients are reduced."""

    program: Program
    sums: GradientSums


def parse_precision(text: str) -> PrecisionPolicy:
    """Parse a policy. Raises ProblemError with the valid forms.

    >>> parse_precision("bf16") == parse_precision("compute=bf16,reduce=f32")
    True
    """
    pairs = [part.partition("=") for part in text.split(",")]
    if len(pairs) == 1 and not pairs[0][1]:
        return PrecisionPolicy(_dtype(text.strip(), text))
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
        raise ProblemError(f"precision {printable(text[:80])!r} does not name the type of computation; write {FORMS}")
    types = {name: _dtype(value, text) for name, value in given.items()}
    return PrecisionPolicy(types["compute"], types.get("reduce", _STORED), types.get("output"), tuple(keep))


def _dtype(word: str, text: str) -> DType:
    if word not in FLOATS:
        raise ProblemError(f"precision {printable(text[:80])!r}: {word[:20]!r} is not a type; write {FORMS}")
    return DType(word)


def in_mixed_precision(program: Program, precision: PrecisionPolicy) -> MixedPrecision:
    """Return a single-device step in mixed precision.

    Raises ProgramError for a distributed program. Raises ProblemError for a program with floating-point dtypes other
    than f32, for a parameter that is updated without a gradient, and for a pattern that matches no statement.
    """
    refuse_distributed(program)
    known = wholes(program)
    _refuse(program, precision, known)
    return _Rewriting(program, precision, known).run()


def _refuse(program: Program, precision: PrecisionPolicy, known: Mapping[str, Whole]) -> None:
    for name, whole in known.items():
        if _is_float(whole.dtype) and whole.dtype is not _STORED:
            raise ProblemError(
                f"{name} is of type {whole.dtype}: --precision is for programs whose numbers are {_STORED}; "
                "capture the model without autocast, in float32"
            )
    names = [statement.name for statement in program.statements]
    for pattern in precision.keep:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise ProblemError(
                f"precision: {printable(pattern[:80])!r} matches no statement of {program.name}; correct the pattern"
            )
    below = _descendants(program, set(_gradients(program)))
    for parameter, last in versions(program).items():
        is_parameter = any(each.name == parameter and each.kind is SourceKind.PARAMETER for each in program.sources)
        if is_parameter and last not in below:
            raise ProblemError(
                f"{parameter} is updated, but not from a statement {GRADIENT}{parameter}, by which "
                "--precision recognises gradients; name the gradient so, as p2smt capture does"
            )


def _is_float(dtype: DType | None) -> bool:
    return dtype is not None and not dtype.is_whole


def _gradients(program: Program) -> tuple[str, ...]:
    """Return the names of the statements that are gradients of parameters."""
    named = {GRADIENT + each.name for each in program.sources if each.kind is SourceKind.PARAMETER}
    return tuple(each.name for each in program.statements if each.name in named)


def _reads(statement: Statement) -> Iterator[str]:
    return (part.name for part in parts(statement.expression) if isinstance(part, Read))


def _descendants(program: Program, roots: set[str]) -> set[str]:
    """Return the given names and the statements that depend on them."""
    found = set(roots)
    for statement in program.statements:
        if any(name in found for name in _reads(statement)):
            found.add(statement.name)
    return found


def _ancestors(program: Program, roots: set[str]) -> set[str]:
    """Return the given names and the names that they depend on."""
    found = set(roots)
    for statement in reversed(program.statements):
        if statement.name in found:
            found |= set(_reads(statement))
    return found


class _Rewriting:
    def __init__(self, program: Program, precision: PrecisionPolicy, known: Mapping[str, Whole]) -> None:
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
        """Return the dtypes that a value is cast to in sequence: a gradient to the reduction dtype, then to f32."""
        if name in self._gradients:
            return [self._precision.reduce, _STORED]
        return [self._precision.output or self._known[name].dtype] if name in self._outputs else []

    def _add(self, name: str, expression: Expression) -> Read:
        self._now[name] = whole_of(expression, self._now)
        self._statements.append(Statement(name, expression))
        return Read(name)

    def _typed(self, expression: Expression, dtype: DType) -> Expression:
        """Return an expression computed in a dtype; integers, booleans and scalar inputs keep theirs."""
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
        """Return a value in a dtype; it is cast once, just before its first use in that dtype."""
        now = self._now[name].dtype
        if now is None and self._now[name].shape:
            now = _STORED  # a choice between numbers that are written down
        if not _is_float(now) or now is dtype or name in self._scalars:
            return Read(name)
        if (name, dtype) not in self._versions:
            fresh = fresh_name(f"{name}.{dtype}", self._taken)
            self._versions[name, dtype] = self._add(fresh, _cast(Read(name), dtype))
        return self._versions[name, dtype]


def _computed(program: Program, precision: PrecisionPolicy, gradients: set[str]) -> frozenset[str]:
    """Return the statements that are computed in the dtype `compute`."""
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
