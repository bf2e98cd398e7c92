"""Layout rules as proof obligations: the ranks' results together equal the result of a single device.

A tensor is a function of indices, and a slicing is any function from the indices of a label to ranks, so no sizes
or numbers of ranks occur. Elements that a rank does not hold are unknown values. Sums over ranks and labels are
uninterpreted functions, known through instances of lemmas: partition (the sum over ranks of each rank's sum over
its slice is the sum), exchange (of two sums), and the declared distributivity of the operation.

    combined over ranks r, as the result's layout says:  f(operands that r holds)[i]  =  f(operands)[i].

Complexity: one query for each rule of an operation, whatever the sizes.
Reference: Nelson and Oppen, "Fast decision procedures based on congruence closure", 1980.

Example: matmul with k sliced: sum over ranks r of (sum over k on r of f(x[i, k], w[k, j])) = sum over k, by partition.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from p2smt.smt.answer import Answer
from p2smt.smt.solver import Logic, Model, Solver
from p2smt.smt.tables import Index, TensorTable, Value, agreement, chosen, index, owned, same, table, total, value
from p2smt.smt.terms import Bool, Term, implies, neg
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.rule import AtRoot, Cut, Own, Rule, RuleName, Summand, WholeOperand
from p2smt.tensor.rules.element import OVER, Labels, Operand, Places, Side, congruence, places, reduced_labels
from p2smt.tensor.signature import Blocked, Dimension, Distributes, Label, LabelKind, Signature, dims


@dataclass(frozen=True, slots=True)
class RuleObligation:
    """A claim that must follow from instances of lemmas."""

    name: str
    lemmas: tuple[Bool, ...]
    claim: Term

    def ask(self, deadline: float | None = None) -> Answer[Model]:
        """Ask the solver: Unsat if the claim is proved, Sat if it does not follow."""
        return Solver(self.name, [*self.lemmas, neg(self.claim)], Logic.FUNCTIONS).ask(deadline)

    def ask_lemmas(self, deadline: float | None = None) -> Answer[Model]:
        """Ask the solver whether the lemmas can hold at all; if not, the proof is vacuous."""
        return Solver(f"{self.name}, lemmas alone", self.lemmas, Logic.FUNCTIONS).ask(deadline)


def general(signed: Signature, rule: Rule) -> tuple[Signature, Rule]:
    """Return the rule without sizes and with canonical names, so that equal rules share one proof."""
    names = {label.name: f"d{number}" for number, label in enumerate(signed.labels)}

    def renamed(dimensions: Iterable[Dimension]) -> tuple[Dimension, ...]:
        return dims(names[dimension.label] for dimension in dimensions)

    labels = replace(
        signed,
        labels=tuple(Label(names[label.name], 1, _plain(label.kind)) for label in signed.labels),
        operands=tuple(map(renamed, signed.operands)),
        result=renamed(signed.result),
    )
    needs = tuple(replace(need, granule=1) if isinstance(need, Cut) else need for need in (*rule.operands, rule.result))
    return labels, replace(rule, operands=needs[:-1], result=needs[-1], label=names.get(rule.label, ""))


def _plain(kind: LabelKind) -> LabelKind:
    """Return the label kind without the reason, which enters no proof."""
    return Blocked() if isinstance(kind, Blocked) else kind  # only Blocked: others need no reason


def obligation(signed: Signature, rule: Rule) -> RuleObligation:
    """Return the obligation of an operation's rule."""
    match rule.name:
        case RuleName.REP | RuleName.ON_RANK | RuleName.LOCAL:
            return _everywhere(signed, rule)
        case RuleName.PAR:
            return _parallel(signed, rule)
        case RuleName.RED:
            return _reduced(signed, rule)
        case RuleName.LIN | RuleName.ADD | RuleName.MONO:
            return _distributed(signed, rule)


_HERE = index("rank")


def _given(number: int, at: Sequence[Index]) -> Value:
    return value(f"x{number}_", at)


def _mine(rule: Rule, at: Index, rank: Index) -> Bool:
    return owned(f"owner_{rule.label}", at, rank)


def _sliced(signed: Signature, rule: Rule, rank: Index) -> Side:
    """Return results over a rank's operands: sliced ones have the rank's slice, and unknown values outside it."""

    def operand(number: int, at: Sequence[Index]) -> Value:
        match rule.operands[number]:
            case Cut(dimension):
                beyond = value(f"beyond{number}_", [rank, *at])
                return chosen(_mine(rule, at[dimension], rank), _given(number, at), beyond)
            case WholeOperand() | Summand() | Own() | AtRoot():
                return _given(number, at)

    return Side("local", signed, operand, (rank,))


def _everywhere(signed: Signature, rule: Rule) -> RuleObligation:
    """Return the obligation of REP, ON_RANK and LOCAL: a rank that holds all operands computes the result."""
    at, labels, whole = places(signed), reduced_labels(signed), Side("whole", signed, _given)
    local = _sliced(signed, rule, _HERE)
    claim = same(local.value(labels, at), whole.value(labels, at))
    return RuleObligation(f"{rule.name}", congruence(local, whole, labels, at), claim)


def _parallel(signed: Signature, rule: Rule) -> RuleObligation:
    """Return the obligation of PAR.

    The owner of a label's index reads only what it owns, and computes the element there.
    """
    at, labels, whole = places(signed), reduced_labels(signed), Side("whole", signed, _given)
    local = _sliced(signed, rule, _HERE)
    claim = same(local.value(labels, at), whole.value(labels, at))
    mine = _mine(rule, at[rule.label], _HERE)
    return RuleObligation(f"{rule.name} {rule.label}", congruence(local, whole, labels, at), implies(mine, claim))


def _shares(rule: Rule, kind: str, side: Side, rest: Labels, at: Places, rank: Index) -> TensorTable:
    """Return the table that a rank reduces: the elements of its own indices, and neutral elements elsewhere."""

    def body(here: Sequence[Index]) -> Value:
        element = side.value(rest, {**at, rule.label: here[0]})
        return chosen(_mine(rule, here[0], rank), element, value(f"nothing_{kind}", []))

    return table(f"{side.name}_shares_", [rank, *(at[name] for name in sorted(at))], body)


def _reduced(signed: Signature, rule: Rule) -> RuleObligation:
    """Return the obligation of RED.

    Each rank reduces over its own indices, then the ranks' partial values are reduced.
    """
    assert isinstance(rule.result, Summand)
    at, kind = places(signed), OVER[rule.result.reduction]
    (_, reduction), *others = reduced_labels(signed, rule.label)
    rest, whole = tuple(others), Side("whole", signed, _given)
    known = [at[name] for name in sorted(at)]

    def local_shares(rank: Index) -> TensorTable:
        return _shares(rule, kind, _sliced(signed, rule, rank), rest, at, rank)

    local = table("local_ranks_", known, lambda q: total(kind, local_shares(q[0])))
    parts = table("whole_ranks_", known, lambda q: total(kind, _shares(rule, kind, whole, rest, at, q[0])))
    result = whole.value(((rule.label, reduction), *rest), at)
    partition = [same(total(kind, parts), result)] if reduction is rule.result.reduction else []
    rank, here = index("any_rank"), index("any_index")
    mine, inside = _sliced(signed, rule, rank), {**at, rule.label: here}
    shares = agreement(local_shares(rank), _shares(rule, kind, whole, rest, at, rank), [here])
    lemmas = (*partition, *agreement(local, parts, [rank]), *shares, *congruence(mine, whole, rest, inside))
    return RuleObligation(f"{rule.name} {rule.label}", lemmas, same(total(kind, local), result))


def _distributed(signed: Signature, rule: Rule) -> RuleObligation:
    """Return the obligation of LIN, ADD and MONO: a reduction of operands over ranks passes through the operation."""
    assert isinstance(rule.result, Summand)
    summed = {number: need.reduction for number, need in enumerate(rule.operands) if isinstance(need, Summand)}
    declared = Distributes(frozenset(summed), min(summed.values()), rule.result.reduction) in signed.distributes
    through = _Through(signed, summed, rule.result.reduction, declared and len(set(summed.values())) == 1)
    at, labels = places(signed), reduced_labels(signed)
    claim = same(through.of_ranks(labels, at), through.together.value(labels, at))
    named = " ".join(f"{reduction} in {number}" for number, reduction in summed.items())
    return RuleObligation(f"{rule.name} {named}", through.lemmas(labels, at), claim)


@dataclass(frozen=True, slots=True)
class _Through:
    signed: Signature
    summed: dict[int, ReductionOp]
    after: ReductionOp
    declared: bool

    def _share(self, rank: Index) -> Operand:
        def operand(number: int, at: Sequence[Index]) -> Value:
            return value(f"share{number}_", [rank, *at]) if number in self.summed else _given(number, at)

        return operand

    @property
    def together(self) -> Side:
        def operand(number: int, at: Sequence[Index]) -> Value:
            if number not in self.summed:
                return _given(number, at)
            shares = table(f"summed{number}_", at, lambda q: self._share(q[0])(number, at))
            return total(OVER[self.summed[number]], shares)

        return Side("together", self.signed, operand)

    def of_ranks(self, labels: Labels, at: Places) -> Value:
        """Return the reduction of the ranks' results, each reduced over the labels."""

        def body(rank: Sequence[Index]) -> Value:
            return Side("each", self.signed, self._share(rank[0]), (rank[0],)).value(labels, at)

        return total(OVER[self.after], table(f"ranks{len(labels)}_", [at[name] for name in sorted(at)], body))

    def lemmas(self, labels: Labels, at: Places) -> tuple[Bool, ...]:
        """Return the lemmas by which the reduction over ranks passes through label reductions.

        The last step passes it through the operation.
        """
        if not labels:
            return (same(self.of_ranks((), at), self.together.value((), at)),) if self.declared else ()
        (name, reduction), rest = labels[0], labels[1:]
        known = [at[each] for each in sorted(at)]
        exchanged = table(f"exchanged_{name}_", known, lambda here: self.of_ranks(rest, {**at, name: here[0]}))
        exchange = same(self.of_ranks(labels, at), total(OVER[reduction], exchanged))
        here = index(f"any_{name}")
        inner = (*agreement(exchanged, self.together.table(labels, at), [here]), *self.lemmas(rest, {**at, name: here}))
        return (exchange, *inner) if reduction is self.after else inner
