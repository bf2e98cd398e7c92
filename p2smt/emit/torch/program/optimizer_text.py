"""The text of optimizer calls, each of which updates all parameters of one rule (see `optimizers.py`)."""

from collections.abc import Iterator, Mapping, Sequence

from p2smt.emit.torch.program.calls import called
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.optimizers import Adam, Momentum, ParameterStep, Rule, optimizer_steps
from p2smt.emit.torch.program.value import Value
from p2smt.errors import DefectError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Expression, Number, Read
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.program import Program
from p2smt.wording import counted


class OptimizerText:
    """The text of a program's optimizer steps; the calls replace the last update among them."""

    def __init__(self, program: Program, inferred: Inferred) -> None:
        found = optimizer_steps(program, inferred)
        self._steps = found.steps
        self._updates = {name for step in found.steps for name in step.updates}
        self._absorbed = found.absorbed
        self._number, self._last = max(
            ((number, each.name) for number, each in enumerate(program.statements) if each.name in self._updates),
            default=(-1, ""),
        )

    def absorbs(self, statement: str) -> bool:
        """True if a statement has no line of its own."""
        return statement in self._updates or statement in self._absorbed

    def is_last(self, statement: str) -> bool:
        """True if the calls replace this statement."""
        return statement == self._last

    def lives(self, ends: Mapping[int, Sequence[str]]) -> dict[int, list[str]]:
        """Return the last uses of values, by statement number: the calls read gradients, and no line reads numbers.

        Gradients that are read after the calls, such as outputs, end there.
        """
        gradients = {step.gradient for step in self._steps}
        late = [name for number, names in ends.items() if number <= self._number for name in names if name in gradients]
        moved = {
            number: [name for name in names if name not in self._absorbed.union(late)] for number, names in ends.items()
        }
        return moved | {self._number: [*moved.get(self._number, []), *late]}

    def calls(self, values: Mapping[str, Value], real: DType) -> Iterator[tuple[str, str, str]]:
        """Yield, for each rule, its parameters' gradients as a table, the call on such a table, and a comment."""
        groups: dict[tuple[Rule, DType | None], list[ParameterStep]] = {}
        for step in self._steps:
            groups.setdefault((step.rule, values[step.parameter].dtype), []).append(step)
        for (rule, _), steps in groups.items():
            table = ", ".join(f'"{step.parameter}": {values[step.gradient].text}' for step in steps)
            yield f"{{{table}}}", _call(rule, values, real), f"# {counted(len(steps), 'parameter')}, in place"


def _call(rule: Rule, values: Mapping[str, Value], real: DType) -> str:
    """Return the call, with braces in place of the gradients."""
    decay = f", weight_decay={rule.weight_decay}" if rule.weight_decay else ""
    lr = _number(rule.lr, values, real).text
    match rule:
        case Adam():
            kind = "adamw" if rule.decoupled else "adam"
            more = f", betas={rule.betas}, eps={rule.eps}{decay}{', amsgrad=True' if rule.amsgrad else ''}"
            return f"{kind}(given, {{}}, step, lr={lr}{more})"
        case Momentum():
            momentum = f", momentum={rule.mu}" if rule.mu else ""
            return f"sgd(given, {{}}, lr={lr}{momentum}{', nesterov=True' if rule.nesterov else ''}{decay})"


def _number(expression: Expression, values: Mapping[str, Value], real: DType) -> Value:
    """Return an expression of scalars as a Python number."""
    match expression:
        case Number(value):
            return Value(text=repr(value), layouts=(), is_atom=value >= 0)
        case Read(name):
            return values[name]
        case Call(_, given):
            return called(expression, [_number(each, values, real) for each in given], (), Cuts(), real)
        case other:
            raise DefectError(f"{other} is not a number")
