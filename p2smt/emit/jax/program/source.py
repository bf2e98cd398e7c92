"""A tensor program of one device as one Python file: a JAX function of a training step.

Every statement is a line. Calls are in `calls.py`; `jnp` promotes types as PyTorch does, but for truth values and whole
numbers, which are cast to the type of the other operands, or to real numbers where the operation needs them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.emit.jax.program.calls import DERIVED_CALLS, JAX_CALLS
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.program.calls import einsum_letters
from p2smt.emit.torch.program.lines import broken
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.source import defined
from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Source, SourceKind, Statement
from p2smt.tensor.frame import Attribute
from p2smt.tensor.operation import Operation, Parameter, ParameterKind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program, versions
from p2smt.tensor.shapes import Whole, whole_of_call
from p2smt.tensor.signature import Shape
from p2smt.tensor.tidying import without_unused

_TEMPLATES = "jax/templates/program"
_RESERVED = frozenset({"jax", "jnp", "np", "math", "partial", "given", "step", "outputs", "new", "compute", "zeros"})
_COMPARISONS = ("gt", "ge", "lt", "eq")
_TYPES = {
    DType.F16: "jnp.float16",
    DType.BF16: "jnp.bfloat16",
    DType.F32: "jnp.float32",
    DType.F64: "jnp.float64",
    DType.I32: "jnp.int32",
    DType.I64: "jnp.int64",
    DType.BOOL: "jnp.bool_",
}
_WIDE = 'jax.config.update("jax_enable_x64", True)  # for numbers of 64 bits\n'


@dataclass(frozen=True, slots=True)
class _Text:
    """An expression of Python, with the shape and type of its value; `dtype` is None for a number."""

    text: str
    whole: Whole

    @property
    def is_whole(self) -> bool:
        return self.whole.dtype is not None and self.whole.dtype.is_whole


def emit_jax_program(program: Program) -> str:
    """Return the text of a module with a function `compute`, a step of the program on one device.

    Raises ProgramError for a distributed program: XLA distributes the program of one device.
    """
    if program.is_distributed:
        raise ProgramError(
            f"program {program.name} is distributed, and a JAX step is of one device; emit the program that was "
            "sharded, and give jax.jit the shardings of p2smt shard --export jax"
        )
    program = without_unused(program)
    operations = filled(f"{_TEMPLATES}/operations.py.in")
    writer = _Writer(program, _RESERVED | defined([operations]))
    lines = list(writer.lines())
    random = any(isinstance(each, Call) and _is_random(OPERATIONS[each.operation]) for each in program.expressions())
    types = {each.dtype for each in program.sources} | {each.whole.dtype for each in writer.known.values()}
    text = filled(
        f"{_TEMPLATES}/step.py.in",
        name=program.name,
        wide=_WIDE if random or types & {DType.F64, DType.I64} else "",
        tensors=_tensors(program),
        compute="\n".join(lines) + "\n",
        operations=operations,
    )
    return _with_imports(only_used(text))


def _is_random(operation: Operation) -> bool:
    return "seed" in {each.name for each in operation.parameters}


def _tensors(program: Program) -> str:
    """Return the table of what the step takes."""
    rows = "".join(
        f'    "{each.name}": ({each.shape!r}, {_TYPES[each.dtype]}),\n' for each in program.sources if _is_given(each)
    )
    return f"TENSORS: dict[str, tuple[tuple[int, ...], type]] = {{\n{rows}}}\n"


def _is_given(source: Source) -> bool:
    return source.kind is not SourceKind.CONSTANT and not _is_step(source)


def _is_step(source: Source) -> bool:
    return source.kind is SourceKind.SCALAR and source.name == "step"


def _with_imports(text: str) -> str:
    for line, word in (("import math\n", "math."), ("from functools import partial\n", "partial(")):
        text = text if word in text.replace(line, "") else text.replace(line, "")
    for line, rest, word in (
        ("import Callable, Mapping\n", "import Mapping\n", "Callable["),
        ("import numpy as np\n", "", "np."),
    ):
        text = text if word in text.replace(line, rest) else text.replace(line, rest)
    return text


class _Writer:
    """The lines of a step, statement by statement."""

    def __init__(self, program: Program, reserved: frozenset[str]) -> None:
        self._program = program
        self._names = PythonNames(reserved)
        self._said = {each.name: each.expression for each in program.statements}
        self._real = DType.F64 if any(each.dtype is DType.F64 for each in program.sources) else DType.F32
        self.known: dict[str, _Text] = {}

    def lines(self) -> Iterator[str]:
        """Yield the function, line by line."""
        yield "def compute("
        yield "    given: Mapping[str, jax.Array], step: jax.Array | int"
        yield ") -> tuple[dict[str, jax.Array], dict[str, jax.Array]]:"
        yield '    """The outputs, and the new versions of parameters and states; `step` is counted from 1."""'
        for source in self._program.sources:
            name = self._names.of(source.name)
            yield broken(f"    {name} = {self._source(source)}")
            self.known[source.name] = _Text(name, Whole(source.shape, source.dtype))
        for statement in self._program.statements:
            yield self._statement(statement)
        outputs = ", ".join(f'"{each.name}": {self._array(each.name)}' for each in self._program.outputs)
        new = ", ".join(f'"{name}": {self._array(last)}' for name, last in versions(self._program).items())
        yield broken(f"    outputs = {{{outputs}}}")
        yield broken(f"    new = {{{new}}}")
        yield "    return outputs, new"

    def _array(self, name: str) -> str:
        known = self.known[name]
        return known.text if known.whole.dtype is not None else f"jnp.asarray({known.text}, {_TYPES[self._real]})"

    def _source(self, source: Source) -> str:
        dtype = _TYPES[source.dtype]
        if source.kind is SourceKind.CONSTANT:
            return f"jnp.full({source.shape!r}, {source.value!r}, {dtype})"
        return f"jnp.asarray(step, {dtype})" if _is_step(source) else f'given["{source.name}"]'

    def _statement(self, statement: Statement) -> str:
        found = self._written(statement.expression)
        name = self._names.of(statement.name)
        self.known[statement.name] = _Text(name, found.whole)
        return broken(f"    {name} = {found.text}")

    def _written(self, expression: Expression) -> _Text:
        match expression:
            case Read(name):
                return self.known[name]
            case Number(value):
                return _Text(repr(value), Whole())
            case Call(_, operands):
                return self._called(expression, [self._written(each) for each in operands])
            case Ranks() | Convert():
                raise AssertionError("a program of one device has no conversions")

    def _called(self, call: Call, operands: Sequence[_Text]) -> _Text:
        whole = whole_of_call(call, tuple(each.whole for each in operands))
        operation = OPERATIONS[call.operation]
        texts = [each.text for each in self._typed(call, operation, operands)]
        attributes = {
            parameter.name: _attribute(parameter, value, operands[0].whole.shape)
            for parameter, value in zip(operation.parameters, call.attributes, strict=True)
        }
        attributes["shape"] = repr(whole.shape)
        pattern = DERIVED_CALLS[call.operation] if self._is_derived(call) else JAX_CALLS[call.operation]
        text = pattern.format(*texts, operands=", ".join(texts), real=_TYPES[self._real], **attributes)
        return _Text(text, whole)

    def _typed(self, call: Call, operation: Operation, operands: Sequence[_Text]) -> Sequence[_Text]:
        """Cast truth values, and whole numbers where the operation needs real ones."""
        name, kind = call.operation, operation.kind
        if name == "where":
            return [_Text(f"({operands[0].text} != 0)", operands[0].whole), *operands[1:]]
        # These give their operands back as they are, or take any type.
        if kind.moves or kind.looks_up or name in (*_COMPARISONS, "cast", "update", "sort", "maximum", "minimum"):
            return operands
        if not (operation.exact or operation.keeps_whole):
            return [self._cast(each, self._real) if each.is_whole else each for each in operands]
        # Sums of truth values alone would be truth values, and functions of jax.lax take one type.
        real = [each.whole.dtype for each in operands if each.whole.dtype is not None and not each.is_whole]
        truth = real[0] if real else DType.I32
        return [
            self._cast(each, truth) if each.whole.dtype is DType.BOOL or (real and each.is_whole) else each
            for each in operands
        ]

    def _cast(self, operand: _Text, dtype: DType) -> _Text:
        text = f"jnp.asarray({operand.text}, {_TYPES[dtype]})"
        return _Text(text, Whole(operand.whole.shape, dtype))

    def _is_derived(self, call: Call) -> bool:
        """True if the gradient of attention reads the result of the attention of its other operands."""
        if call.operation not in DERIVED_CALLS:
            return False
        # The derived gradient repeats the forward pass, which XLA merges only if it is the same call.
        _, query, key, value, result, *bias = call.operands
        made = self._said.get(result.name) if isinstance(result, Read) else None
        return made == Call("attention", (query, key, value, *bias), call.attributes)


def _attribute(parameter: Parameter, attribute: Attribute, shape: Shape) -> str:
    match parameter.kind, attribute:
        case ParameterKind.DTYPE, str():
            return _TYPES[DType(attribute)]
        case ParameterKind.TEXT, str():
            return f'"{einsum_letters(attribute)}"'
        case ParameterKind.WHOLES, tuple():
            return repr(attribute or (tuple(range(len(shape))) if parameter.name == "dims" else ()))
        case _:
            return repr(attribute)
