"""Native calls with several results: a backward pass whose gradients are operations of a program, and one call here.

A `Family` is an operation with its gradients. Of a program each backward pass is a `Pass`: the gradients that have the
same gradient of the result, and the same operands. Its call is written where the first of them stands; nothing else is
computed by the others. What the forward call leaves for it (mean and deviation of rows) is kept beside the result, if
the forward call reads the same values with the same attributes; otherwise the pass computes it again.

    y, y_kept = kept_layernorm(x, weight, bias, eps=1e-05)
    d_x, d_weight = layernorm_gradients(y_kept, (True, True), g, x, weight, eps=1e-05)

A gradient that reads the result as well, of attention, is one of a pass if that result is of these operands, in
whatever layouts; else each is computed by itself.

Holds: operands of all calls of a pass are reads of the same names, so that they have the same parts and layouts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from p2smt.emit.torch.program.calls import called
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.value import Value
from p2smt.tensor.frame import Attributes
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import OnRank
from p2smt.tensor.program import Call, Convert, DType, Expression, Read, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """An operation, its gradients in the order in which a call gives them, and the call.

    The gradients' first `shared` operands are the same; one of them may have more. `reads` are the numbers of those
    operands that the forward call has in front; `result` is that of its result, where they read it. In `call` stand
    what was kept and which gradients are wanted, too.
    """

    forward: str
    gradients: tuple[str, ...]
    call: str
    shared: int
    reads: tuple[int, ...]
    result: int | None = None


_ATTENTION = {
    "attention": "causal={{causal}}, start={{part1[2].start}}",
    "dropped_attention": (
        "causal={{causal}}, share={{share}}, seed={{seed}}, step=step, "
        "starts=({{part1[0].start}}, {{part1[1].start}}, {{part1[2].start}}, 0)"
    ),
}
"""Arguments behind the operands, as operations say them too."""
FAMILIES = (
    Family(
        forward="weighted_layernorm",
        gradients=("weighted_layernorm_backward", "layernorm_weight_backward"),
        call="layernorm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
    ),
    Family(
        forward="weighted_rms_norm",
        gradients=("weighted_rms_norm_backward", "rms_norm_weight_backward"),
        call="rms_norm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
    ),
    Family(
        forward="group_norm",
        gradients=("group_norm_backward", "group_norm_weight_backward"),
        call="group_norm_gradients({kept}, {wanted}, {{operands}}, eps={{eps}})",
        shared=2,
        reads=(1,),
    ),
    *(
        Family(
            forward=name,
            shared=6,
            reads=(1, 2, 3, 5),
            result=4,
            gradients=tuple(f"{name}_{each}_backward" for each in ("query", "key", "value", "bias")),
            call=f"{name}_gradients({{kept}}, {{wanted}}, {{{{operands}}}}, {arguments})",
        )
        for name, arguments in _ATTENTION.items()
    ),
)
_FAMILIES = {name: family for family in FAMILIES for name in (family.forward, *family.gradients)}
_Key = tuple[str, tuple[Expression, ...], Attributes]


@dataclass(frozen=True, slots=True)
class Member:
    """A gradient of a pass: the call, and the number of the step of its statement that has it."""

    statement: str
    call: Call
    step: int


@dataclass(slots=True)
class Pass:
    """A backward pass: its gradients by their operations, the forward statement, and their values once written."""

    family: Family
    members: dict[str, Member]
    forward: str = ""
    kept: str = "None"
    values: dict[str, Value] = field(default_factory=dict)

    @property
    def widest(self) -> Call:
        """The gradient with all operands."""
        return max((each.call for each in self.members.values()), key=lambda call: len(call.operands))


class NativeCalls:
    """The native calls of a program, by its statements."""

    def __init__(self, statements: Sequence[Statement], inferred: Inferred) -> None:
        self._statements = statements
        self._steps = inferred.steps
        self._last = {step.statement: number for number, step in enumerate(inferred.steps)}
        self._said = {each.name: each.expression for each in statements}
        self._passes: dict[_Key, Pass] = {}
        self._leaving: dict[str, Pass] = {}
        self.names: set[str] = set()
        forward: dict[_Key, str] = {}
        for member in self._members():
            call, family = member.call, _FAMILIES[member.call.operation]
            if call.operation == family.forward:
                reads = call.operands[: len(family.reads)]
                forward[family.forward, reads, call.attributes] = member.statement
            elif all(isinstance(each, Read) for each in call.operands):
                found = self._passes.setdefault(_key(call), Pass(family, {}))
                found.members.setdefault(call.operation, member)
        # Gradients that need the forward result must read that of the same call, or one native call
        # cannot give them.
        made = {self._origin(Read(name)): key for key, name in forward.items()}
        for name, each in [*self._passes.items()]:
            operands, result = each.widest.operands, each.family.result
            key = _forward_key(each)
            if result is not None and self._origins(made.get(self._origin(operands[result]))) != self._origins(key):
                del self._passes[name]
                continue
            if result is None or operands[result] == Read(forward.get(key, "")):
                each.forward = forward.pop(key, "")
            if each.forward:
                self._leaving[each.forward] = each

    def _origin(self, expression: Expression) -> Expression:
        """The expression without its layout: conversions change no value."""
        while True:
            match expression:
                case Convert(_, operand):
                    expression = operand
                case Read(name) if isinstance(self._said.get(name), Convert | Read):
                    expression = self._said[name]
                case _:
                    return expression

    def _origins(self, key: _Key | None) -> _Key | None:
        return None if key is None else (key[0], tuple(map(self._origin, key[1])), key[2])

    def _members(self) -> Iterator[Member]:
        """The calls of families that statements are or convert; forward ones that are no statement are left out."""
        for statement in self._statements:
            expression, number = statement.expression, self._last[statement.name]
            while isinstance(expression, Convert):
                expression, number = expression.operand, self._steps[number].operands[0]
            if not isinstance(expression, Call) or expression.operation not in _FAMILIES:
                continue
            whole = (
                expression is statement.expression or expression.operation != _FAMILIES[expression.operation].forward
            )
            # only OnRank: on other ranks there is nothing to compute
            if whole and not any(isinstance(each, OnRank) for each in self._steps[number].layouts):
                yield Member(statement.name, expression, number)

    def left(self, statement: str, names: PythonNames) -> str:
        """The name of what a forward call leaves for a backward pass; empty where none needs it."""
        found = self._leaving.get(statement)
        if found is None:
            return ""
        found.kept = names.fresh(f"{statement}_kept")
        self.names.add(found.kept)
        return found.kept

    def of(self, call: Call) -> Pass | None:
        """The backward pass of a call."""
        family = _FAMILIES.get(call.operation)
        return None if family is None or call.operation == family.forward else self._passes.get(_key(call))

    def written(
        self, found: Pass, first: Call, values: Mapping[str, Value], names: PythonNames, cuts: Cuts, real: DType
    ) -> str:
        """The line that computes all gradients of a pass, of which this is the first; the pass has their values then.

        Empty where an operand of a later one is not there yet; then the first is computed by itself.
        """
        widest = found.widest
        if any(isinstance(each, Read) and each.name not in values for each in widest.operands):
            del found.members[first.operation]
            return ""
        wanted = [name for name in found.family.gradients if name in found.members]
        for name in wanted:
            member = found.members[name]
            made = self._called(member.call, member.step, values, cuts, real)
            whole = member.step == self._last[member.statement]
            text = names.of(member.statement) if whole else names.fresh(name)
            found.values[name] = replace(made, text=text, is_atom=True, is_name=True)
        flags = ", ".join(str(name in found.members) for name in found.family.gradients)
        pattern = found.family.call.format(kept=found.kept, wanted=f"({flags})")
        number = next(each.step for each in found.members.values() if each.call is widest)
        text = self._called(widest, number, values, cuts, real, pattern).text
        targets = ", ".join(found.values[name].text for name in wanted)
        return f"{targets if len(wanted) > 1 else f'({targets},)'} = {text}"

    def _called(
        self, call: Call, number: int, values: Mapping[str, Value], cuts: Cuts, real: DType, pattern: str = ""
    ) -> Value:
        operands = [values[each.name] for each in call.operands if isinstance(each, Read)]
        return called(call, operands, self._steps[number].layouts, cuts, real, pattern)


def _forward_key(each: Pass) -> _Key:
    """The forward call whose backward pass it is."""
    operands = each.widest.operands
    reads = tuple(operands[number] for number in each.family.reads if number < len(operands))
    return each.family.forward, reads, each.widest.attributes


def _key(call: Call) -> _Key:
    family = _FAMILIES[call.operation]
    return family.forward, call.operands[: family.shared], call.attributes
