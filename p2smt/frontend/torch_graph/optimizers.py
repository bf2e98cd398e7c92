"""What becomes of gradients: clipping, then SGD, Adam or AdamW with torch's formulas, as updates of states."""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.frontend.torch_graph.graph import Rule
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.program import Call, DType, Expression, Number, Read, Source, SourceKind

STEP = "step"


def _add(left: Expression, right: Expression) -> Expression:
    return Call("add", (left, right))


def _mul(left: Expression, right: Expression) -> Expression:
    return Call("mul", (left, right))


def _div(left: Expression, right: Expression) -> Expression:
    return Call("div", (left, right))


def _sub(left: Expression, right: Expression) -> Expression:
    return Call("sub", (left, right))


@dataclass(frozen=True, slots=True)
class Trained:
    """A parameter with its gradient; None: it is not used, so that no gradient is computed."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    gradient: Expression | None


def clipped(builder: ProgramBuilder, trained: list[Trained], max_norm: float) -> list[Trained]:
    """All gradients times one number, so that their norm together is at most `max_norm`, as torch's clip_grad_norm_."""
    squares: Expression | None = None
    for each in trained:
        if each.gradient is not None:
            own = builder.statement(f"squares.{each.name}", Call("sum", (_mul(each.gradient, each.gradient),), ((),)))
            squares = own if squares is None else builder.statement("squares", _add(squares, own))
    if squares is None:
        return trained
    norm = builder.statement("norm", Call("sqrt", (squares,)))
    factor = _div(Number(max_norm), _add(norm, Number(1e-6)))
    clip = builder.statement("clip", Call("minimum", (Number(1.0), factor)))
    made = []
    for each in trained:
        gradient = each.gradient
        if gradient is not None:
            gradient = builder.statement(f"clipped.{each.name}", _mul(gradient, clip))
        made.append(Trained(each.name, each.dtype, each.shape, gradient))
    return made


class Optimizer:
    """Writes the updates of one rule; states are named after their parameters."""

    def __init__(self, builder: ProgramBuilder, rule: Rule) -> None:
        self._builder = builder
        self._rule = rule

    def update(self, each: Trained) -> None:
        """The new version of a parameter, and of its states."""
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

    def _named(self, prefix: str, each: Trained, expression: Expression) -> Read:
        return self._builder.statement(f"{prefix}.{each.name}", expression)

    def _state(self, kind: str, each: Trained) -> Read:
        return self._builder.source(
            Source(kind=SourceKind.STATE, name=f"{each.name}.{kind}", dtype=each.dtype, shape=each.shape,
                   names=("",) * len(each.shape))
        )  # fmt: skip

    def _updated(self, old: Read, new: Expression) -> Read:
        return self._builder.statement(f"{old.name}.new", Call("update", (old, new)))

    def _sgd(self, each: Trained, gradient: Expression) -> None:
        momentum = self._rule.betas[0]
        if momentum:
            old = self._state("momentum", each)
            kept = self._updated(old, _add(_mul(old, Number(momentum)), gradient))
            gradient = _add(gradient, _mul(kept, Number(momentum))) if self._rule.nesterov else kept
        self._updated(Read(each.name), _sub(Read(each.name), _mul(gradient, Number(self._rule.lr))))

    def _adam(self, each: Trained, gradient: Expression) -> None:
        (first, second), rule = self._rule.betas, self._rule
        m, v = self._state("exp_avg", each), self._state("exp_avg_sq", each)
        mean = self._updated(m, _add(_mul(m, Number(first)), _mul(gradient, Number(1 - first))))
        squared = _mul(_mul(gradient, gradient), Number(1 - second))
        largest = variance = self._updated(v, _add(_mul(v, Number(second)), squared))
        if rule.amsgrad:
            most = self._state("max_exp_avg_sq", each)
            largest = self._updated(most, Call("maximum", (most, variance)))
        corrections = [_sub(Number(1), Call("pow", (Number(beta), Read(STEP)))) for beta in (first, second)]
        root = _div(Call("sqrt", (largest,)), Call("sqrt", (corrections[1],)))
        step = _mul(_div(Number(rule.lr), corrections[0]), _div(mean, _add(root, Number(rule.eps))))
        old: Expression = Read(each.name)
        if rule.kind == "adamw" and rule.weight_decay:
            old = _mul(old, Number(1 - (rule.lr * rule.weight_decay)))
        self._updated(Read(each.name), _sub(old, step))


def written(builder: ProgramBuilder, rules: list[Rule], trained: Mapping[str, Trained], max_norm: float | None) -> None:
    """The updates of all parameters that a rule has; the number of the step is a scalar, counted from 1."""
    owned = [name for rule in rules for name in rule.parameters]
    each = [trained[name] for name in owned]
    made = {one.name: one for one in (each if max_norm is None else clipped(builder, each, max_norm))}
    if any(rule.kind != "sgd" for rule in rules):
        builder.source(Source(kind=SourceKind.SCALAR, name=STEP))
    for rule in rules:
        optimizer = Optimizer(builder, rule)
        for name in rule.parameters:
            optimizer.update(made[name])
