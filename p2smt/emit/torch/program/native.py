"""Native calls with several results: backward passes that are one call, instead of one operation per gradient.

A `Family` is an operation with its gradients. Each backward pass in a program is a `Pass`: the gradients with the same
gradient of the result and the same operands. Its call is written at the first of them and computes the others. Values
that the forward call keeps for it (mean and deviation of rows) are stored beside the result, if the forward call reads
the same values with the same attributes; otherwise the pass recomputes them.

    y, y_kept = kept_layernorm(x, weight, bias, eps=1e-05)
    d_x, d_weight = layernorm_gradients(y_kept, (True, True), g, x, weight, eps=1e-05)

A gradient that also reads the result (attention) belongs to a pass if that result was computed from these operands, in
any layouts; otherwise each gradient is computed separately.

Invariant: operands of all calls of a pass are reads of the same names, so they have the same shards and layouts.
Complexity: O(statements).
Reference: McKeeman, "Peephole optimization", 1965.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from p2smt.emit.torch.program.batch_norms import LocalNorms
from p2smt.emit.torch.program.calls import called
from p2smt.emit.torch.program.convolutions import convolution_passes
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.dropouts import DropoutMasks
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.passes import FAMILY_OF, Member, Pass
from p2smt.emit.torch.program.value import Value
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Read
from p2smt.tensor.frame import Attributes
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import OnRank
from p2smt.tensor.program import Program

_Key = tuple[str, tuple[Expression, ...], Attributes]


class NativeCalls:
    """The native calls of a program, by its statements."""

    def __init__(self, program: Program, inferred: Inferred) -> None:
        self._statements = program.statements
        self._steps = inferred.steps
        self._last = {step.statement: number for number, step in enumerate(inferred.steps)}
        self._said = {each.name: each.expression for each in program.statements}
        self._passes: dict[_Key, Pass] = {}
        self._leaving: dict[str, Pass] = {}
        self._masks = DropoutMasks(program.statements, inferred)
        self.names: set[str] = set()
        self._families()
        shapes = {source.name: source.shape for source in program.sources}
        shapes |= {step.statement: step.whole.shape for step in self._steps}
        calls = tuple(self._calls())
        self._others = convolution_passes(calls, shapes)
        self._with_sums()
        self._norms = LocalNorms(program, calls, shapes)
        for norm in self._norms.by_statement.values():
            self._leaving[norm.statement] = norm.backward
            self._others |= {each.call: norm.backward for each in norm.backward.members.values()}

    def _families(self) -> None:
        """Find the passes of families, and the forward calls that keep values for them."""
        forward: dict[_Key, str] = {}
        for member in self._members():
            call, family = member.call, FAMILY_OF[member.call.operation]
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

    def _with_sums(self) -> None:
        """Add sums over rows to the passes that also compute the gradient of a bias."""
        passes = {each.widest.operands[0]: each for each in self._passes.values() if each.family.rows}
        for member in self._calls():
            match member.call:
                case Call("sum", (Read() as gradient,), (dims,)) if gradient in passes:
                    rank = len(self._steps[self._steps[member.step].operands[0]].whole.shape)
                    if dims == tuple(range(rank - 1)) and "sum" not in passes[gradient].members:
                        passes[gradient].members["sum"] = member
                        self._others[member.call] = passes[gradient]
                case _:
                    pass

    def _origin(self, expression: Expression) -> Expression:
        """Return the expression without conversions, which change no value."""
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

    def _calls(self) -> Iterator[Member]:
        """Yield the calls of statements, without the conversions around them."""
        for statement in self._statements:
            expression, number = statement.expression, self._last[statement.name]
            while isinstance(expression, Convert):
                expression, number = expression.operand, self._steps[number].operands[0]
            layouts = self._steps[number].layouts
            # only OnRank: on other ranks there is nothing to compute
            if isinstance(expression, Call) and not any(isinstance(each, OnRank) for each in layouts):
                yield Member(statement.name, expression, number)

    def _members(self) -> Iterator[Member]:
        """Yield the calls of families, except forward calls that are not a whole statement."""
        for member in self._calls():
            family = FAMILY_OF.get(member.call.operation)
            whole = member.step == self._last[member.statement]
            if family is not None and (whole or member.call.operation != family.forward):
                yield member

    def left(self, statement: str, names: PythonNames) -> str:
        """Return the name of the values that a forward call keeps for a backward pass; "" if none needs them."""
        if mask := self._masks.left(statement, names):
            return mask
        found = self._leaving.get(statement)
        if found is None:
            return ""
        found.kept = names.fresh(f"{statement}_kept")
        self.names.add(found.kept)
        return found.kept

    def emitted(self, statement: str, call: Call, values: Mapping[str, Value], dead: list[str]) -> str:
        """Return the text of a call that uses kept values, and append kept names that it reads last to `dead`.

        "" means that the operation's declared text applies.
        """
        norm = self._norms.by_statement.get(statement) if call.operation == "batch_norm" else None
        if norm is not None:
            names = [values[name].text for name in (*norm.weights, *norm.updates.values())]
            given = ", ".join(names if norm.updates else [*names, "None", "None"])
            return f"local_batch_norm({{0}}, {given}, {norm.momentum}, {norm.eps})"
        mask = self._masks.read(statement) if call.operation == "dropout" else ""
        dead += [mask] if mask else []
        return f"masked({{0}}, {mask}, {{share}})" if mask else ""

    def absorbs(self, statement: str, values: dict[str, Value]) -> bool:
        """True if a native call computes a statement, so it has no line of its own; its value is then set in `values`.

        For an in-place update, that is the value of the old version; other such values are never read.
        """
        if statement not in self._norms.absorbed:
            return False
        step = self._steps[self._last[statement]]
        old = self._norms.updates.get(statement)
        made = Value(text="None", layouts=step.layouts, shape=step.whole.shape, dtype=step.whole.dtype, is_name=True)
        values[statement] = made if old is None else values[old]
        return True

    def lives(self, ends: Mapping[int, Sequence[str]]) -> dict[int, list[str]]:
        """Return the last uses of values, by statement number, without values that have no line."""
        return {number: [name for name in names if name not in self._norms.absorbed] for number, names in ends.items()}

    def of(self, call: Call) -> Pass | None:
        """Return the backward pass of a call; None if it has none."""
        family = FAMILY_OF.get(call.operation)
        if family is not None:
            return None if call.operation == family.forward else self._passes.get(_key(call))
        found = self._others.get(call)
        return found if found is not None and (found.values or len(found.members) > 1) else None

    def written(
        self, found: Pass, first: Call, values: Mapping[str, Value], names: PythonNames, cuts: Cuts, real: DType
    ) -> str:
        """Return the line that computes all gradients of a pass, at the first of them; sets the pass's values.

        Returns "" if an operand of a later gradient is not available yet; then the first one is computed separately.
        """
        widest = found.widest
        read = [each.name for each in widest.operands if isinstance(each, Read)] + [found.beside] * bool(found.beside)
        if any(name not in values for name in read):
            del found.members[first.operation]
            return ""
        every = (*found.family.gradients, *(["sum"] if found.family.rows else []))
        wanted = [name for name in every if name in found.members]
        for name in wanted:
            member = found.members[name]
            made = self._result(member, values, cuts, real)
            whole = member.step == self._last[member.statement]
            text = names.of(member.statement) if whole else names.fresh(name)
            found.values[name] = replace(made, text=text, is_atom=True, is_name=True)
        flags = ", ".join(str(name in found.members) for name in every)
        beside = values[found.beside].text if found.beside else ""
        pattern = found.family.call.format(kept=found.kept, wanted=f"({flags})", beside=beside)
        number = next(each.step for each in found.members.values() if each.call is widest)
        text = self._called(widest, number, values, cuts, real, pattern).text
        targets = ", ".join(found.values[name].text for name in wanted)
        return f"{targets if len(wanted) > 1 else f'({targets},)'} = {text}"

    def _result(self, member: Member, values: Mapping[str, Value], cuts: Cuts, real: DType) -> Value:
        """Return the value of a gradient, even if its operands are not available."""
        if all(each.name in values for each in member.call.operands if isinstance(each, Read)):
            return self._called(member.call, member.step, values, cuts, real)
        step = self._steps[member.step]
        return Value(text="", layouts=step.layouts, shape=step.whole.shape, dtype=step.whole.dtype)

    def _called(
        self, call: Call, number: int, values: Mapping[str, Value], cuts: Cuts, real: DType, pattern: str = ""
    ) -> Value:
        operands = [values[each.name] for each in call.operands if isinstance(each, Read)]
        return called(call, operands, self._steps[number].layouts, cuts, real, pattern)


def _forward_key(each: Pass) -> _Key:
    """Return the key of the forward call of a backward pass."""
    operands = each.widest.operands
    reads = tuple(operands[number] for number in each.family.reads if number < len(operands))
    return each.family.forward, reads, each.widest.attributes


def _key(call: Call) -> _Key:
    family = FAMILY_OF[call.operation]
    return family.forward, call.operands[: family.shared], call.attributes
