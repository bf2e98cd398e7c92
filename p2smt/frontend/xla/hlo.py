"""XLA HLO text: the program that every device runs, before or after partitioning, as XLA and JAX print it.

Layouts matter for bitcast only; fusions, calls and asynchronous computations are read as what they compute.
"""

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.xla.hlo_types import hlo_type
from p2smt.frontend.xla.replica_groups import GroupReader
from p2smt.frontend.xla.ssa import COMMUNICATIONS, Computation, Instruction, Kind, Module, Operator, Type
from p2smt.frontend.xla.ssa_plan import plan_of
from p2smt.frontend.xla.words import Words, is_zero, listed, number, whole
from p2smt.verify.limits import MAX_DEVICES, MAX_STEPS
from p2smt.verify.plan import VerificationPlan

_KINDS: dict[str, Operator] = {
    **COMMUNICATIONS,
    **{kind.value: kind for kind in Kind if kind not in (Kind.LOCAL, Kind.GLOBAL, Kind.OTHER, Kind.ZERO)},
    "opt-barrier": Kind.PASS,
    "fusion": Kind.CALL,
    "async": Kind.CALL,
}
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
_RESULT_OF_START = {"all-reduce": -1, "copy": 0}
_CALLEES = ("to_apply", "calls")


def parse_hlo(data: bytes, path: str, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan:
    """The plan of an HLO text's entry computation; `path` names it in messages.

    If nothing else is asked for, all devices are one group that reduces. Raises VerifyError with the line of what is
    malformed or not read.
    """
    return plan_of(_Reader(Words.of(data, path)).module(), path, asked)


class _Reader:
    def __init__(self, words: Words) -> None:
        self._words = words
        self._groups = GroupReader()
        self._count = 0

    def module(self) -> Module:
        words = self._words
        if not words.accept("HloModule"):
            words.fail("HLO text begins with HloModule and a name")
        words.take("the module's name")
        counts = self._counts(self._attributes())
        computations: dict[str, Computation] = {}
        entry = ""
        while words.peek():
            if words.peek() in _TABLES:
                self._skip_table()
                continue
            is_entry = words.accept("ENTRY")
            found = self._computation()
            if found.name in computations or (is_entry and entry):
                words.fail(f"computation {found.name[:60]} is there twice, or there are two ENTRY computations")
            computations[found.name] = found
            entry = found.name if is_entry else entry
        if not entry:
            words.fail("no computation is marked ENTRY")
        return Module(computations, entry, counts["replica_count"], counts["num_partitions"])

    def _counts(self, attributes: dict[str, tuple[str, ...]]) -> dict[str, int | None]:
        """None for both when neither is written; else one that is not written is 1."""
        counts: dict[str, int | None] = {}
        for name in ("replica_count", "num_partitions"):
            text = attributes.get(name)
            value = number("".join(text), MAX_DEVICES) if text else None
            if text and not value:
                self._words.fail(f"{name}={''.join(text)[:60]}; it is a whole number from 1 to {MAX_DEVICES}")
            counts[name] = value
        return counts

    def _skip_table(self) -> None:
        """`FileNames` and the like: lines of a number and a name or a record."""
        words = self._words
        words.take()
        while words.peek().isdigit():
            words.take()
            words.balanced()

    def _computation(self) -> Computation:
        words = self._words
        name = _name(words.take("a computation's name"))
        if words.peek() == "(":
            words.balanced()
        if words.accept("->"):
            hlo_type(words)
        words.expect("{")
        given: dict[int, Instruction] = {}
        instructions: list[Instruction] = []
        names: set[str] = set()
        root = ""
        while not words.accept("}"):
            is_root = words.accept("ROOT")
            place, one = self._instruction()
            if one.name in names or (place is not None and place in given):
                words.fail(f"{one.name[:60]} is defined twice, or two parameters have one number")
            names.add(one.name)
            root = one.name if is_root else root
            if place is None:
                instructions.append(one)
            else:
                given[place] = one
            last = one.name
        self._attributes()
        if not names or sorted(given) != list(range(len(given))):
            words.fail(f"computation {name[:60]} has no instruction, or its parameters are not numbered from 0 on")
        parameters = tuple((given[place].name, given[place].type) for place in range(len(given)))
        return Computation(name, parameters, tuple(instructions), (root or last,))

    def _instruction(self) -> tuple[int | None, Instruction]:
        """An instruction; with its number if it is a parameter."""
        words = self._words
        self._count += 1
        if self._count > MAX_STEPS:
            words.fail(f"more than {MAX_STEPS} instructions, the most that is read")
        name = _name(words.take("an instruction"))
        line = words.line
        words.expect("=")
        type_ = hlo_type(words)
        spelled = words.take("an operation")
        if spelled == "parameter":
            words.expect("(")
            place = whole(words, MAX_STEPS)
            words.expect(")")
            self._attributes()
            return place, _made(line, name, Kind.PASS, spelled, (), type_)
        if spelled == "constant":
            return None, self._constant(line, name, type_)
        operands = self._operands(spelled)
        attributes = self._attributes()
        kind, type_ = _kind(words, spelled, type_, attributes)
        try:
            return None, self._with(_made(line, name, kind, spelled, operands, type_), attributes)
        except VerifyError as cause:
            words.fail(f"{spelled} {name[:60]}: {cause}")

    def _constant(self, line: int, name: str, type_: Type) -> Instruction:
        value = self._words.balanced()
        self._attributes()
        zero = len(value) > 2 and all(word in "(){}," or is_zero(word) for word in value)
        return _made(line, name, Kind.ZERO if zero else Kind.OTHER, "constant other than 0", (), type_)

    def _operands(self, spelled: str) -> tuple[str, ...]:
        """Names, perhaps with their types before them; those of operations that are not read are not looked at."""
        words = self._words
        if _base(spelled)[0] not in _KINDS and spelled != "custom-call":
            words.balanced()
            return ()
        words.expect("(")
        names: list[str] = []
        while not words.accept(")"):
            if names:
                words.expect(",")
            if words.peek() == "(" or words.peek(1) == "[":
                hlo_type(words)
            names.append(_name(words.take("an operand")))
        return tuple(names)

    def _attributes(self) -> dict[str, tuple[str, ...]]:
        """`, name=value` as often as it comes."""
        words = self._words
        found: dict[str, tuple[str, ...]] = {}
        while words.accept(","):
            name = words.take("an attribute")
            words.expect("=")
            value = list(words.balanced())
            while words.peek() not in ("", ",", "}", ")") and not words.new_line:
                value += words.balanced()
            found[name] = tuple(value)
        return found

    def _with(self, one: Instruction, attributes: dict[str, tuple[str, ...]]) -> Instruction:
        groups = attributes.get("replica_groups", ())
        if "device_ids" in attributes:
            groups = (*groups, ",", "device_ids", "=", *attributes["device_ids"])
        pairs = attributes.get("source_target_pairs", ())
        dims = attributes.get("dimensions", ())
        index = attributes.get("index", ())
        callee = next((attributes[name] for name in _CALLEES if name in attributes), ())
        return Instruction(
            line=one.line,
            name=one.name,
            kind=one.kind,
            spelled=one.spelled,
            operands=one.operands,
            type=one.type,
            groups=self._groups.hlo(groups) if groups else (),
            pairs=self._groups.hlo(pairs) if pairs else (),
            dims=listed(Words(dims), "{", "}", MAX_STEPS) if dims else (),
            index=whole(Words(index), MAX_STEPS) if index else 0,
            callee=_name("".join(callee)),
            channel="channel_id" in attributes,
            global_ids=attributes.get("use_global_device_ids") == ("true",),
        )


def _made(line: int, name: str, kind: Operator, spelled: str, operands: tuple[str, ...], type_: Type) -> Instruction:
    return Instruction(line=line, name=name, kind=kind, spelled=spelled, operands=operands, type=type_)


def _kind(words: Words, spelled: str, type_: Type, attributes: dict[str, tuple[str, ...]]) -> tuple[Operator, Type]:
    """What an operation is, and the type of its result: of one that is started, that of what it will give."""
    base, end = _base(spelled)
    if spelled == "custom-call":
        target = "".join(attributes.get("custom_call_target", ()))
        if target == '"xla.sdy.GlobalToLocalShape"':
            return Kind.LOCAL, type_
        return (Kind.GLOBAL if target == '"xla.sdy.LocalToGlobalShape"' else Kind.OTHER), type_
    if end in ("done", "update"):
        return Kind.PASS, type_
    if end == "start" and base != "async":
        place = _RESULT_OF_START.get(base, 1)
        if place < 0:
            return _KINDS[base], type_
        if not isinstance(type_, tuple) or len(type_) <= place:
            words.fail(f"{spelled} has a type of {place + 1} or more elements, of which one is the result")
        return _KINDS[base], type_[place]
    return _KINDS.get(base, Kind.OTHER), type_


def _base(spelled: str) -> tuple[str, str]:
    """`all-gather-start` is all-gather and start."""
    base, _, end = spelled.rpartition("-")
    return (base, end) if end in ("start", "done", "update") and base in _KINDS else (spelled, "")


def _name(word: str) -> str:
    return word.removeprefix("%")
