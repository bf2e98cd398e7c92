"""The statements of a program that form a step of Adam, AdamW or SGD, which one torch call computes.

A parameter's updates are recognised by what they compute. With g the gradient and b1, b2, mu numbers:

    exp_avg'    = exp_avg * b1 + g * (1 - b1)
    exp_avg_sq' = exp_avg_sq * b2 + g * g * (1 - b2)
    max'        = maximum(max, exp_avg_sq')                                                           (AMSGrad)
    p'          = p * decay - lr / (1 - b1^step) * (exp_avg' / (sqrt(largest) / sqrt(1 - b2^step) + eps))
    momentum'   = momentum * mu + g,    p' = p - (momentum' or g + momentum' * mu) * lr               (SGD)

Numbers may be statements of their own; g may be g + p * weight_decay. Torch's fused kernels are element-wise, so a
rank's shard is updated like the whole tensor. States have the names that capture gives them, with the parameter's name
as prefix. Statements that do not match are written line by line.
Complexity: O(statements).
Reference: Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "Decoupled weight decay regularization", 2019.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from p2smt.emit.torch.program.storage import memory_of, overwriting
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Expression, Number, Read, SourceKind, parts
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.program import Program

_CLOSE = 1e-12


@dataclass(frozen=True, slots=True)
class Adam:
    """Adam; with `decoupled` weight decay it is AdamW."""

    lr: Expression
    betas: tuple[float, float]
    eps: float
    amsgrad: bool
    weight_decay: float
    decoupled: bool


@dataclass(frozen=True, slots=True)
class Momentum:
    """Stochastic gradient descent; `mu` is 0 without momentum."""

    lr: Expression
    mu: float
    nesterov: bool
    weight_decay: float = 0.0


Rule = Adam | Momentum


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterStep:
    """The step of one parameter: its gradient, its states, and the statements of all updates."""

    rule: Rule
    parameter: str
    gradient: str
    states: tuple[str, ...]
    updates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptimizerSteps:
    """The steps of parameters, and the other statements that only these steps read."""

    steps: tuple[ParameterStep, ...]
    absorbed: frozenset[str]


def optimizer_steps(program: Program, inferred: Inferred) -> OptimizerSteps:
    """Return the steps of all parameters whose new versions only the step itself reads.

    A rank's shards of a parameter, its states and its gradient have the same shape and type, and the gradient is fully
    reduced.
    """
    kinds: dict[str, tuple[DType | None, Layouts]] = {
        source.name: (source.dtype, inferred.layouts[source.name]) for source in program.sources
    }
    kinds |= {step.statement: (step.whole.dtype, step.layouts) for step in inferred.steps}
    search = _Search(program)
    steps = tuple(step for step in search.steps() if _is_even(step, kinds))
    return OptimizerSteps(steps, search.read_by(steps))


def _is_even(step: ParameterStep, kinds: Mapping[str, tuple[DType | None, Layouts]]) -> bool:
    dtype, layouts = kinds[step.parameter]
    alike = all(kinds[name] == (dtype, layouts) for name in (step.gradient, *step.states))
    whole = dtype is not None and not dtype.is_whole
    # only Replicated, Sliced: a step of what is stored otherwise is written line by line
    return alike and whole and all(isinstance(layout, Replicated | Sliced) for layout in layouts)


class _Search:
    def __init__(self, program: Program) -> None:
        self._known = {each.name: each.expression for each in program.statements}
        self._kinds = {each.name: each.kind for each in program.sources}
        self._overwriting, self._memory = overwriting(program), memory_of(program)
        self._readers: dict[str, set[str]] = {each.name: {""} for each in program.outputs}
        self._updates: dict[str, str] = {}
        self._numbers: set[str] = {name for name, kind in self._kinds.items() if kind is SourceKind.SCALAR}
        for name, expression in self._known.items():
            if self._is_number(
                expression
            ):  # in order, as paths through a whole step are too deep to follow by each name
                self._numbers.add(name)
            match expression:
                case Call("update", (Read(old), _)):
                    self._updates[old] = name
                case _:
                    pass
            for part in parts(expression):
                if isinstance(part, Read):
                    self._readers.setdefault(part.name, set()).add(name)

    def steps(self) -> Iterator[ParameterStep]:
        """Yield the steps in the order of the parameters' updates."""
        for parameter, name in self._updates.items():
            if self._kinds.get(parameter) is SourceKind.PARAMETER:
                made = self._step(parameter, name)
                made = None if made is None else self._without_decay(made)
                if made is not None and self._is_apart(made):
                    yield made

    def read_by(self, steps: tuple[ParameterStep, ...]) -> frozenset[str]:
        """Return the statements, other than updates, that only steps read."""
        own = {name for step in steps for name in step.updates}
        gradients = {step.gradient for step in steps}
        absorbed: set[str] = set()
        # Backwards: what only absorbed statements read is absorbed as well.
        for name in reversed(self._known):
            if name not in own | gradients and self._readers.get(name, {""}) <= own | absorbed:
                absorbed.add(name)
        return frozenset(absorbed)

    def _is_apart(self, step: ParameterStep) -> bool:
        """True if only the step reads the new versions, which overwrite the old ones.

        The gradient must not share memory with any updated value: when it is read, others may have been updated.
        """
        own = {*step.updates}
        unread = all(self._readers.get(name, set()) <= own for name in own)
        return unread and own <= self._overwriting and not self._memory.get(step.gradient)

    def _without_decay(self, step: ParameterStep) -> ParameterStep:
        """Return the step with the gradient before weight decay, if nothing else reads the sum."""
        if step.rule.weight_decay:
            return step
        match self._known.get(step.gradient):
            case Call("add", (Read(gradient), Call("mul", (Read(name), Number(decay))))) if name == step.parameter:
                if self._readers[step.gradient] <= {*step.updates}:
                    rule = replace(step.rule, weight_decay=float(decay))
                    return replace(step, gradient=gradient, rule=rule)
            case _:
                pass
        return step

    def _step(self, parameter: str, name: str) -> ParameterStep | None:
        match self._new(name):
            case Call("sub", (base, Call("mul", (Call("div", (lr, correction)), ratio)))) if self._is_number(lr):
                return self._adam(parameter, name, base, lr, correction, ratio)
            case Call("sub", (Read(base), Call("mul", (moved, lr)))) if base == parameter and self._is_number(lr):
                return self._momentum(parameter, name, moved, lr)
            case _:
                return None

    def _adam(
        self, parameter: str, name: str, base: Expression, lr: Expression, correction: Expression, ratio: Expression
    ) -> ParameterStep | None:
        states = tuple(f"{parameter}.{each}" for each in ("exp_avg", "exp_avg_sq", "max_exp_avg_sq"))
        mean, square, most = (self._updates.get(each, "") for each in states)
        first, second = self._average(states[0], mean, squared=False), self._average(states[1], square, squared=True)
        match ratio:
            # Adam's update in the form in which torch writes it: mean / (sqrt(square) / scale +
            # eps).
            case Call(
                "div", (Read(read), Call("add", (Call("div", (Call("sqrt", (Read(root),)), scale)), Number(eps))))
            ):
                decay = self._decay(parameter, base, lr) if read == mean and root == (most or square) else None
            case _:
                return None
        if first is None or second is None or decay is None or first[1] != second[1]:
            return None
        scaled = [_correction(first[0]), Call("sqrt", (_correction(second[0]),))]
        largest = Call("maximum", (Read(states[2]), Read(square)))
        # Bias correction and AMSGrad's maximum must be exactly those of the rule.
        if [correction, scale] != scaled or (most and self._new(most) != largest):
            return None
        rule = Adam(lr, (first[0], second[0]), float(eps), bool(most), decay, bool(decay))
        updates = tuple(each for each in (mean, square, most, name) if each)
        return ParameterStep(
            rule=rule, parameter=parameter, gradient=first[1], updates=updates, states=states[: len(updates) - 1]
        )

    def _decay(self, parameter: str, base: Expression, lr: Expression) -> float | None:
        """Return the decoupled weight decay; None if `base` is not the parameter times `1 - lr * decay`."""
        match base, lr:
            case Read(name), _ if name == parameter:
                return 0.0
            case Call("mul", (Read(name), Number(factor))), Number(rate) if name == parameter and rate:
                return _rounded((1 - factor) / rate, lambda decay: 1 - rate * decay == factor)
            case Call("mul", (Read(name), Call("sub", (Number(1), Call("mul", (again, Number(decay))))))), _:
                return float(decay) if name == parameter and again == lr else None
            case _:
                return None

    def _average(self, state: str, name: str, *, squared: bool) -> tuple[float, str] | None:
        """Return the decay of a running average, and the gradient that it reads; None for other expressions."""
        match self._new(name):
            case Call("add", (Call("mul", (Read(old), Number(beta))), Call("mul", (what, Number(rest))))):
                if old != state or abs(rest + beta - 1) > _CLOSE:
                    return None
                match what:
                    case Read(gradient) if not squared:
                        return float(beta), gradient
                    case Call("mul", (Read(gradient), Read(again))) if squared and gradient == again:
                        return float(beta), gradient
                    case _:
                        return None
            case _:
                return None

    def _momentum(self, parameter: str, name: str, moved: Expression, lr: Expression) -> ParameterStep | None:
        state = f"{parameter}.momentum"
        kept = self._updates.get(state, "")
        mu, nesterov = 0.0, False
        match moved, self._new(kept):
            case Read(gradient), None:
                pass
            case Read(read), Call("add", (Call("mul", (Read(old), Number(factor))), Read(gradient))):
                if (read, old) != (kept, state):
                    return None
                mu = float(factor)
            case (
                Call("add", (Read(beside), Call("mul", (Read(read), Number(again))))),
                Call("add", (Call("mul", (Read(old), Number(factor))), Read(gradient))),
            ):
                if (beside, read, again, old) != (gradient, kept, factor, state):
                    return None
                mu, nesterov = float(factor), True
            case _:
                return None
        return ParameterStep(
            rule=Momentum(lr, mu, nesterov),
            parameter=parameter,
            gradient=gradient,
            states=(state,) if mu else (),
            updates=(kept, name) if mu else (name,),
        )

    def _new(self, name: str) -> Expression | None:
        """Return the value that an update writes, with numbers substituted for their names."""
        match self._known.get(name):
            case Call("update", (_, new)):
                return self._expanded(new)
            case _:
                return None

    def _expanded(self, expression: Expression) -> Expression:
        match expression:
            case Read(name) if name in self._known and name in self._numbers:
                return self._expanded(self._known[name])
            case Call(operation, given, attributes):
                return Call(operation, tuple(map(self._expanded, given)), attributes)
            case _:
                return expression

    def _is_number(self, expression: Expression) -> bool:
        """True if an expression is a Python number in emitted code, because it consists of scalars and numbers."""
        match expression:
            case Number():
                return True
            case Read(name):
                return name in self._numbers
            case Call(operation, given):
                return operation != "update" and all(map(self._is_number, given))
            case _:
                return False


def _correction(beta: float) -> Expression:
    """Return the bias correction, one minus `beta` to the power of the step."""
    return Call("sub", (Number(1), Call("pow", (Number(beta), Read("step")))))


def _rounded(value: float, is_right: Callable[[float], bool]) -> float:
    """Return the number with the fewest digits near `value` that satisfies `is_right`; else `value`."""
    shorter = (float(f"{value:.{digits}g}") for digits in range(1, 13))
    return next((each for each in shorter if is_right(each)), value)
