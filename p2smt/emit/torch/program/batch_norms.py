"""Training-mode batch norms with statistics that ranks do not share, computed by PyTorch's own kernels.

Programs have separate statements for the statistics, so that ranks can sum them (`tensor/operations/batch_norm.py`). If
no conversion is between these statements, a single call replaces them:

    s = sum(x, dims)                  q = batch_norm_squares(x, m)         y, y_kept = kept_local_batch_norm(
    m = s / n                         r = rsqrt(q / n + eps)         ->        x, w, b, mean, variance, momentum, eps)
    y = batch_norm(x, m, r, w, b)     mean' = mean * (1 - momentum) + m * momentum, and so the variance

    p = batch_norm_weight_backward(g, x, m, r)
    d = sum(g, dims)                                         ->   e, p, d = batch_norm_gradients(y_kept, g, x, w, eps)
    e = batch_norm_backward(g, x, m, r, w, d / n, p / n)

Statements are recognised by what they compute. No other statement may read the removed values, or the old running
statistics.
Complexity: O(statements).
Reference: McKeeman, "Peephole optimization", 1965; Ioffe and Szegedy, "Batch normalization", 2015.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isclose, prod

from p2smt.emit.torch.program.passes import Family, Member, Pass
from p2smt.tensor.expression import Call, Expression, Number, Read, parts
from p2smt.tensor.program import Program
from p2smt.tensor.signature import Shape

_WEIGHT, _INPUT = "batch_norm_weight_backward", "batch_norm_backward"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalNorm:
    """A batch norm (named by its statement), its backward pass, the removed statements, and the updates among them.

    `weights` are weight and bias. `updates` maps the statements of new versions to the running mean and variance; it is
    empty without running statistics.
    """

    statement: str
    weights: tuple[str, ...]
    backward: Pass
    absorbed: frozenset[str]
    updates: Mapping[str, str]
    momentum: float
    eps: float


@dataclass(slots=True)
class _Chain:
    """The program's expressions by name, and the names that the matching has followed."""

    known: Mapping[str, Expression]
    names: set[str] = field(default_factory=set)

    def of(self, expression: Expression) -> Expression:
        """Return the call that an expression refers to, without casts."""
        while True:
            match expression:
                case Read(name) if isinstance(self.known.get(name), Call):
                    self.names.add(name)
                    expression = self.known[name]
                case Call("cast", (operand,)):
                    expression = operand
                case _:
                    return expression

    def uncast(self, expression: Expression) -> str:
        """Return the name that an expression reads, without casts; "" if it does not read a name."""
        while True:
            match expression:
                case Read(name):
                    match self.known.get(name):
                        case Call("cast", (operand,)):
                            self.names.add(name)
                            expression = operand
                        case _:
                            return name
                case _:
                    return ""


@dataclass(frozen=True, slots=True)
class _Statistics:
    """The expressions of mean and variance, and the parameters of the statistics."""

    x: Expression
    mean: Expression
    variance: Expression
    dims: tuple[int, ...]
    count: int
    eps: float


class LocalNorms:
    """The batch norms of a program that are computed by one call."""

    def __init__(self, program: Program, members: Sequence[Member], shapes: Mapping[str, Shape]) -> None:
        self._known = {each.name: each.expression for each in program.statements}
        self._shapes = shapes
        self._readers: dict[str, set[str]] = {each.name: {""} for each in program.outputs}
        for each in program.statements:
            for part in parts(each.expression):
                if isinstance(part, Read):
                    self._readers.setdefault(part.name, set()).add(each.name)
        self._members = {each.statement: each for each in members if self._known[each.statement] is each.call}
        self.by_statement = {found.statement: found for found in self._found()}
        self.absorbed = frozenset(name for each in self.by_statement.values() for name in each.absorbed)
        self.updates = {new: old for each in self.by_statement.values() for new, old in each.updates.items()}

    def _found(self) -> Iterator[LocalNorm]:
        for name, member in self._members.items():
            if member.call.operation == "batch_norm" and (found := self._norm(name, member.call)) is not None:
                yield found

    def _norm(self, statement: str, call: Call) -> LocalNorm | None:
        chain = _Chain(self._known)
        statistics = _statistics(call, chain, self._shapes)
        if statistics is None or len(call.operands) != 5 or not all(isinstance(each, Read) for each in call.operands):
            return None
        weights = tuple(chain.uncast(each) for each in call.operands[3:])
        backward = self._backward(statement, weights[0], call, statistics, chain)
        if backward is None:
            return None
        updates, momentum = self._running(statistics, chain)
        gradients = {each.statement for each in backward.members.values()}
        left_out = chain.names - gradients
        around = {*left_out, *gradients, statement, *updates}
        if any(not self._readers.get(name, set()) <= around for name in (*left_out, *updates.values())):
            return None
        if any(self._readers.get(name) for name in updates):
            return None
        return LocalNorm(
            statement=statement,
            weights=weights,
            backward=backward,
            absorbed=frozenset({*left_out, *updates}),
            updates=updates,
            momentum=momentum,
            eps=statistics.eps,
        )

    def _running(self, found: _Statistics, chain: _Chain) -> tuple[dict[str, str], float]:
        """Return the running mean and variance by the statements of their new versions, and the momentum."""
        made: dict[str, tuple[str, str, float]] = {}
        for name, expression in self._known.items():
            match expression:
                case Call("update", (Read(old), Read(new))) if self._shapes[old] == self._shapes[name]:
                    inside = _Chain(self._known)
                    kind, momentum = _running(inside.of(Read(new)), old, found, inside)
                    if kind:
                        made[kind] = (name, old, momentum)
                        chain.names |= inside.names
                case _:
                    pass
        if made.keys() != {"mean", "variance"} or made["mean"][2] != made["variance"][2]:
            return {}, 0.0
        return {made[kind][0]: made[kind][1] for kind in ("mean", "variance")}, made["mean"][2]

    def _backward(self, statement: str, weight: str, call: Call, found: _Statistics, chain: _Chain) -> Pass | None:
        """Return the backward pass of a batch norm; None unless there is exactly one."""
        passes = []
        for member in self._members.values():
            operands = member.call.operands
            if member.call.operation != _INPUT or operands[1] != call.operands[0]:
                continue
            if chain.uncast(operands[4]) != weight:
                continue
            divided = [_over_count(each, found.count, chain) for each in operands[5:]]
            one, other = ("" if each is None else chain.uncast(each) for each in divided)
            if one in self._members and other in self._members:
                members = {_INPUT: member, _WEIGHT: self._members[other], "sum": self._members[one]}
                if _are_gradients(members, call, found, chain):
                    passes.append(members)
        if len(passes) != 1:
            return None
        family = Family(
            forward="batch_norm",
            gradients=(_INPUT, _WEIGHT),
            call=f"batch_norm_gradients({{kept}}, {{{{0}}}}, {{{{1}}}}, {{beside}}, {found.eps})",
            shared=2,
            reads=(),
            rows=True,
        )
        return Pass(family, passes[0], statement, beside=weight, asked=passes[0][_WEIGHT].call)


def _statistics(call: Call, chain: _Chain, shapes: Mapping[str, Shape]) -> _Statistics | None:
    """Return the statistics of a batch norm if they belong to its own input, else None."""
    x, mean, scale = call.operands[:3]
    if not isinstance(x, Read):
        return None
    shape = shapes[x.name]
    dims, count = (0, *range(2, len(shape))), prod(shape[:1] + shape[2:])
    total = _over_count(chain.of(mean), count, chain)
    if count < 2 or total is None or chain.of(total) != Call("sum", (x,), (dims,)):
        return None
    match chain.of(scale):
        case Call("rsqrt", (shifted,)):
            pass
        case _:
            return None
    match chain.of(shifted):
        case Call("add", (variance, Number(eps))):
            squares = _over_count(chain.of(variance), count, chain)
        case _:
            return None
    match squares if squares is None else chain.of(squares):
        case Call("batch_norm_squares", (same, centre)) if same == x and chain.of(centre) == chain.of(mean):
            return _Statistics(x, chain.of(mean), chain.of(variance), dims, count, float(eps))
        case _:
            return None


def _over_count(expression: Expression, count: int, chain: _Chain) -> Expression | None:
    """Return the expression that is divided by the count; None for other expressions."""
    match chain.of(expression):
        case Call("div", (inner, Number(number))) if number == count:
            return inner
        case _:
            return None


def _running(new: Expression, old: str, found: _Statistics, chain: _Chain) -> tuple[str, float]:
    """Return the statistic that a new version tracks, and the momentum; "" for other expressions."""
    match new:
        case Call("add", (kept, added)):
            pass
        case _:
            return "", 0.0
    match chain.of(kept), chain.of(added):
        case Call("mul", (Read(same), Number(share))), Call("mul", (now, Number(momentum))) if same == old:
            if not isclose(share + momentum, 1):
                return "", 0.0
        case _:
            return "", 0.0
    match chain.of(now):
        case mean if mean == found.mean:
            return "mean", float(momentum)
        case Call("mul", (variance, Number(factor))) if chain.of(variance) == found.variance:
            return ("variance", float(momentum)) if isclose(factor, found.count / (found.count - 1)) else ("", 0.0)
        case _:
            return "", 0.0


def _are_gradients(members: Mapping[str, Member], call: Call, found: _Statistics, chain: _Chain) -> bool:
    """True if three calls are the gradients of x, weight and bias for one gradient, with these statistics."""
    of_input, of_weight = members[_INPUT].call.operands, members[_WEIGHT].call.operands
    scale = chain.of(call.operands[2])
    return (
        members[_WEIGHT].call.operation == _WEIGHT
        and of_input[:4] == of_weight
        and (chain.of(of_input[2]), chain.of(of_input[3])) == (found.mean, scale)
        and members["sum"].call == Call("sum", of_input[:1], (found.dims,))
    )
