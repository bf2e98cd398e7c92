"""Optimizer updates: gradient clipping, then SGD, Adam or AdamW by torch's formulas."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2smt.frontend.torch_graph.graph import UpdateRule
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Expression, Number, Read, Source, SourceKind

STEP, NORM, ACCUMULATED, EMA = "step", "norm", "accumulated", "ema"
UPDATES = "updates"
"""The state that counts the updates of a parameter that some steps leave as it is; PyTorch's own is called step."""


def _add(left: Expression, right: Expression) -> Expression:
    return Call("add", (left, right))


def _mul(left: Expression, right: Expression) -> Expression:
    return Call("mul", (left, right))


def _div(left: Expression, right: Expression) -> Expression:
    return Call("div", (left, right))


def _sub(left: Expression, right: Expression) -> Expression:
    return Call("sub", (left, right))


@dataclass(frozen=True, slots=True)
class TrainedParameter:
    """A parameter with its gradient, which is None for an unused parameter.

    `touched` is false where PyTorch has no gradient, and updates neither the parameter nor its states; None if it
    always has one.
    """

    name: str
    dtype: DType
    shape: tuple[int, ...]
    gradient: Expression | None
    touched: Expression | None = None


def norm_of(builder: ProgramBuilder, trained: list[TrainedParameter]) -> Read | None:
    """Return the joint norm of all gradients; None if there are none."""
    squares: Expression | None = None
    for each in trained:
        if each.gradient is not None:
            own = builder.statement(f"squares.{each.name}", Call("sum", (_mul(each.gradient, each.gradient),), ((),)))
            squares = own if squares is None else builder.statement("squares", _add(squares, own))
    return None if squares is None else builder.statement(NORM, Call("sqrt", (squares,)))


def clipped(
    builder: ProgramBuilder, trained: list[TrainedParameter], max_norm: float, norm: Read
) -> list[TrainedParameter]:
    """Return the gradients scaled by one factor to a joint norm of at most `max_norm`, as clip_grad_norm_ does."""
    factor = _div(Number(max_norm), _add(norm, Number(1e-6)))
    clip = builder.statement("clip", Call("minimum", (Number(1.0), factor)))
    made = []
    for each in trained:
        gradient = each.gradient
        if gradient is not None:
            gradient = builder.statement(f"clipped.{each.name}", _mul(gradient, clip))
        made.append(replace(each, gradient=gradient))
    return made


def accumulated(builder: ProgramBuilder, each: TrainedParameter, count: int) -> TrainedParameter:
    """Return the gradient averaged over `count` micro-batches; a state holds the running sum.

    The sum is divided once, after the last micro-batch; this saves one pass over all gradients per micro-batch.
    """
    if each.gradient is None:
        return each
    state = _state(builder, ACCUMULATED, each)
    total = builder.statement(f"total.{each.name}", _add(state, each.gradient))
    builder.statement(f"{state.name}.new", Call("update", (state, total)))
    return replace(each, gradient=builder.statement(f"mean.{each.name}", _mul(total, Number(1 / count))))


def averaged(builder: ProgramBuilder, each: TrainedParameter, new: Read, kept: float) -> None:
    """Emit a moving average of a parameter, with decay `kept` per step."""
    state = _state(builder, EMA, each)
    mean = _add(_mul(state, Number(kept)), _mul(new, Number(1 - kept)))
    builder.statement(f"{state.name}.new", Call("update", (state, mean)))


def _state(builder: ProgramBuilder, kind: str, each: TrainedParameter) -> Read:
    names = ("",) * len(each.shape)
    return builder.source(
        Source(kind=SourceKind.STATE, name=f"{each.name}.{kind}", dtype=each.dtype, shape=each.shape, names=names)
    )


class Optimizer:
    """A writer of the updates of one rule; states are named after their parameters."""

    def __init__(self, builder: ProgramBuilder, rule: UpdateRule) -> None:
        self._builder = builder
        self._rule = rule

    def update(self, each: TrainedParameter) -> None:
        """Emit the new version of a parameter and of its states."""
        if each.gradient is None:
            return
        gradient: Expression = each.gradient
        if self._rule.maximize:
            gradient = Call("neg", (gradient,))
        old = Read(each.name)
        if self._rule.weight_decay and self._rule.kind != "adamw":
            gradient = self._named("decayed", each, _add(gradient, _mul(old, Number(self._rule.weight_decay))))
        if self._rule.kind == "sgd":
            self._sgd(each, gradient)
        else:
            self._adam(each, gradient)

    def _named(self, prefix: str, each: TrainedParameter, expression: Expression) -> Read:
        return self._builder.statement(f"{prefix}.{each.name}", expression)

    def _state(self, kind: str, each: TrainedParameter) -> Read:
        return _state(self._builder, kind, each)

    def _updated(self, old: Read, new: Expression, touched: Expression | None) -> Read:
        if touched is not None:
            new = Call("where", (touched, new, old))
        return self._builder.statement(f"{old.name}.new", Call("update", (old, new)))

    def _step(self, each: TrainedParameter) -> Expression:
        """Return the number of updates of a parameter, counted from 1."""
        if each.touched is None:
            return Read(STEP)
        done = self._builder.source(
            Source(kind=SourceKind.STATE, name=f"{each.name}.{UPDATES}", dtype=each.dtype, shape=(), names=())
        )
        return self._updated(done, _add(done, Number(1)), each.touched)

    @property
    def _lr(self) -> Expression:
        return Read(self._rule.rate) if self._rule.rate else Number(self._rule.lr)

    def _kept(self) -> Expression:
        """Return the factor that decoupled weight decay applies to a parameter."""
        decay = self._rule.weight_decay
        if self._rule.rate:
            return _sub(Number(1), _mul(self._lr, Number(decay)))
        return Number(1 - (self._rule.lr * decay))

    def _sgd(self, each: TrainedParameter, gradient: Expression) -> None:
        momentum = self._rule.betas[0]
        if momentum:
            old = self._state("momentum", each)
            kept = self._updated(old, _add(_mul(old, Number(momentum)), gradient), each.touched)
            gradient = _add(gradient, _mul(kept, Number(momentum))) if self._rule.nesterov else kept
        # Without decay and momentum, the gradient of 0 changes nothing.
        touched = each.touched if momentum or self._rule.weight_decay else None
        self._updated(Read(each.name), _sub(Read(each.name), _mul(gradient, self._lr)), touched)

    def _adam(self, each: TrainedParameter, gradient: Expression) -> None:
        (first, second), rule = self._rule.betas, self._rule
        m, v = self._state("exp_avg", each), self._state("exp_avg_sq", each)
        mean = self._updated(m, _add(_mul(m, Number(first)), _mul(gradient, Number(1 - first))), each.touched)
        squared = _mul(_mul(gradient, gradient), Number(1 - second))
        largest = variance = self._updated(v, _add(_mul(v, Number(second)), squared), each.touched)
        if rule.amsgrad:
            most = self._state("max_exp_avg_sq", each)
            largest = self._updated(most, Call("maximum", (most, variance)), each.touched)
        number = self._step(each)
        corrections = [_sub(Number(1), Call("pow", (Number(beta), number))) for beta in (first, second)]
        root = _div(Call("sqrt", (largest,)), Call("sqrt", (corrections[1],)))
        step = _mul(_div(self._lr, corrections[0]), _div(mean, _add(root, Number(rule.eps))))
        old: Expression = Read(each.name)
        if rule.kind == "adamw" and rule.weight_decay:
            old = _mul(old, self._kept())
        self._updated(Read(each.name), _sub(old, step), each.touched)


def written(builder: ProgramBuilder, rules: list[UpdateRule], trained: Mapping[str, TrainedParameter]) -> None:
    """Emit the updates of all rules' parameters; the step number is a scalar, counted from 1."""
    if any(rule.kind != "sgd" for rule in rules):
        builder.source(Source(kind=SourceKind.SCALAR, name=STEP))
    for rate in dict.fromkeys(rule.rate for rule in rules if rule.rate):
        builder.source(Source(kind=SourceKind.SCALAR, name=rate))
    for rule in rules:
        optimizer = Optimizer(builder, rule)
        for name in rule.parameters:
            optimizer.update(trained[name])
