"""XLA HLO text: the program that every device runs, before or after partitioning, as XLA and JAX print it.

Method: recursive descent without backtracking (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4), after XLA's
own `hlo_parser.cc`:
    module      = "HloModule" name { "," attribute } { computation }
    computation = [ "ENTRY" ] name [ signature ] "{" { instruction } "}"
    instruction = [ "ROOT" ] name "=" type operator "(" operands ")" { "," attribute }
Layouts matter for bitcast only; fusions, calls and asynchronous computations are inlined.
Complexity: linear in the text.

Example: `ROOT %s = f32[4]{0} all-reduce(%x), replica_groups={{0,1}}, to_apply=%add` is one instruction, the result.
"""

from dataclasses import replace
from math import prod

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.xla.hlo_attributes import callees, dims, product, ranges, shared, user_name
from p2smt.frontend.xla.hlo_types import hlo_type
from p2smt.frontend.xla.operators import (
    COMMUNICATIONS,
    COMPUTED,
    Binary,
    HloKind,
    HloMove,
    Operator,
    Unary,
)
from p2smt.frontend.xla.replica_groups import GroupReader
from p2smt.frontend.xla.sharding import axes_in, check_manual
from p2smt.frontend.xla.ssa import HloComputation, HloInstruction, Module, Type
from p2smt.frontend.xla.ssa_plan import plan_of
from p2smt.frontend.xla.words import Words, number, whole
from p2smt.verify.limits import MAX_DEVICES, MAX_STEPS
from p2smt.verify.plan import VerificationPlan

_KINDS: dict[str, Operator] = {
    **COMMUNICATIONS,
    **{operation.value: operation for kinds in (HloMove, Unary, Binary) for operation in kinds},
    **{
        kind.value: kind
        for kind in HloKind
        if kind not in (HloKind.LOCAL, HloKind.GLOBAL, HloKind.OTHER, HloKind.CONSTANT)
    },
    "opt-barrier": HloKind.PASS,
    "fusion": HloKind.CALL,
    "async": HloKind.CALL,
}
_TABLES = ("FileNames", "FunctionNames", "FileLocations", "StackFrames")
_RESULT_OF_START = {"all-reduce": -1, "copy": 0}
_LOCAL = '"xla.sdy.GlobalToLocalShape"'
_GLOBAL = ('"xla.sdy.LocalToGlobalShape"', '"xla.sdy.FuncResultSharding"')


def parse_hlo(data: bytes, path: str, asked: AskedGoal = AS_WRITTEN, devices: int | None = None) -> VerificationPlan:
    """Return the plan of an HLO text's entry computation; `path` names the text in messages.

    The goal is inferred unless requested. `devices` is the number of devices if the text does not state it.
    Raises VerifyError with the line of malformed or unsupported text.
    """
    return plan_of(replace(hlo_module(data, path), asked=devices), path, asked)


def hlo_module(data: bytes, path: str) -> Module:
    """Return the computations of an HLO text. Raises VerifyError with the line of malformed text."""
    return _Reader(Words.of(data, path)).module()


class _Reader:
    def __init__(self, words: Words) -> None:
        self._words = words
        self._groups = GroupReader()
        self._count = 0
        self._axes: dict[str, int] = {}
        self._inline: list[HloInstruction] = []
        self._said: dict[str, tuple[str, str]] = {}

    def module(self) -> Module:
        words = self._words
        if not words.accept("HloModule"):
            words.fail("HLO text must begin with HloModule and a name")
        words.take("the module's name")
        head = self._attributes()
        counts = self._counts(head)
        whole = words.has("xla.sdy.meshes", _LOCAL)
        if whole:
            self._axes = axes_in(head.get("frontend_attributes", ()))
            if self._axes and counts == {"replica_count": None, "num_partitions": None}:
                counts["num_partitions"] = prod(self._axes.values())
        computations: dict[str, HloComputation] = {}
        entry = ""
        while words.peek():
            if words.peek() in _TABLES:
                self._skip_table()
                continue
            is_entry = words.accept("ENTRY")
            found = self._computation()
            if found.name in computations or (is_entry and entry):
                words.fail(f"computation {found.name[:60]} is defined twice, or there are two ENTRY computations")
            computations[found.name] = found
            entry = found.name if is_entry else entry
        if not entry:
            words.fail("no computation is marked ENTRY; is the text cut off?")
        sharded = not whole and head.get("is_scheduled") != ("true",) and words.has("sharding")
        return Module(
            computations, entry, counts["replica_count"], counts["num_partitions"], whole=whole, sharded=sharded
        )

    def _counts(self, attributes: dict[str, tuple[str, ...]]) -> dict[str, int | None]:
        """Replica and partition counts; None for both when neither is given, else 1 for a missing one."""
        counts: dict[str, int | None] = {}
        for name in ("replica_count", "num_partitions"):
            text = attributes.get(name)
            value = number("".join(text), MAX_DEVICES) if text else None
            if text and not value:
                self._words.fail(f"{name}={''.join(text)[:60]}; it is a whole number from 1 to {MAX_DEVICES}")
            counts[name] = value
        return counts

    def _skip_table(self) -> None:
        """Skip a table (`FileNames` and the like): lines of a number and a name or record."""
        words = self._words
        words.take()
        while words.peek().isdigit():
            words.take()
            words.balanced()

    def _computation(self) -> HloComputation:
        words = self._words
        name = _name(words.take("a computation's name"))
        if words.peek() == "(":
            words.balanced()
        if words.accept("->"):
            hlo_type(words)
        words.expect("{")
        given: dict[int, HloInstruction] = {}
        instructions: list[HloInstruction] = []
        names: set[str] = set()
        root = ""
        while not words.accept("}"):
            is_root = words.accept("ROOT")
            place, one = self._instruction()
            instructions += self._inline
            self._inline.clear()
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
        each = [given[place] for place in range(len(given))]
        parameters = tuple((one.name, one.type) for one in each if one.type is not None)
        shared_before, called = zip(*(self._said[one.name] for one in each), strict=True) if each else ((), ())
        return HloComputation(
            name, parameters, tuple(instructions), (root or last,), shared_before=shared_before, called=called
        )

    def _instruction(self) -> tuple[int | None, HloInstruction]:
        """An instruction; a parameter comes with its number."""
        words = self._words
        self._count += 1
        if self._count > MAX_STEPS:
            words.fail(f"more than {MAX_STEPS} instructions, the limit")
        name = _name(words.take("an instruction"))
        line = words.line
        words.expect("=")
        type_ = None if words.peek(1) == "(" and words.peek() != "(" else hlo_type(words)
        spelled = words.take("an operation")
        if spelled == "parameter":
            words.expect("(")
            place = whole(words, MAX_STEPS)
            words.expect(")")
            attributes = self._attributes()
            self._said[name] = "".join(attributes.get("sharding", ())), user_name(attributes)
            if type_ is None:
                words.fail(f"parameter {name[:60]} has no type")
            return place, _made(line, name, HloKind.PASS, spelled, (), type_)
        if spelled == "constant":
            one = self._constant(line, name, type_)
            self._attributes()
            return None, one
        operands = self._operands(spelled)
        attributes = self._attributes()
        kind, type_ = _kind(words, spelled, type_, attributes)
        if spelled == "custom-call":
            spelled = f"custom-call {''.join(attributes.get('custom_call_target', ()))}"
        try:
            return None, self._with(_made(line, name, kind, spelled, operands, type_), attributes)
        except VerifyError as cause:
            words.fail(f"{spelled} {name[:60]}: {cause}")

    def _constant(self, line: int, name: str, type_: "Type | None") -> HloInstruction:
        value = self._words.balanced()
        return replace(_made(line, name, HloKind.CONSTANT, "constant", (), type_), values=value)

    def _operands(self, spelled: str) -> tuple[str, ...]:
        """Names of operands, with optional types; operands of unsupported operations are skipped."""
        words = self._words
        if _base(spelled)[0] not in _KINDS and spelled not in ("custom-call", *COMPUTED):
            words.balanced()
            return ()
        words.expect("(")
        names: list[str] = []
        while not words.accept(")"):
            if names:
                words.expect(",")
            type_ = hlo_type(words) if words.peek() == "(" or words.peek(1) == "[" else None
            name = words.take("an operand")
            if name == "constant" and words.peek() == "(":
                name = f"{name} {len(self._inline)} of line {words.line}"
                self._inline.append(self._constant(words.line, name, type_))
            names.append(_name(name))
        return tuple(names)

    def _attributes(self) -> dict[str, tuple[str, ...]]:
        """Any number of `, name=value`."""
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

    def _with(self, one: HloInstruction, attributes: dict[str, tuple[str, ...]]) -> HloInstruction:
        groups = attributes.get("replica_groups", ())
        if "device_ids" in attributes:
            groups = (*groups, ",", "device_ids", "=", *attributes["device_ids"])
        pairs = attributes.get("source_target_pairs", ())
        index = attributes.get("index", ())
        inside = attributes.get("frontend_attributes", ())
        if one.kind in (HloKind.LOCAL, HloKind.GLOBAL) and "xla.sdy.manual_axes" in inside:
            check_manual((inside[inside.index("xla.sdy.manual_axes") + 2],), self._axes)
        return replace(
            one,
            groups=self._groups.hlo(groups) if groups else (),
            pairs=self._groups.hlo(pairs) if pairs else (),
            dims=dims(attributes),
            ranges=ranges(attributes),
            index=whole(Words(index), MAX_STEPS) if index else 0,
            callees=callees(attributes),
            direction="".join(attributes.get("direction", ())),
            shared=shared(inside, "xla.sdy.in_shardings"),
            shared_after=shared(inside, "xla.sdy.out_shardings") or shared(inside, "xla.sdy.sharding"),
            channel="channel_id" in attributes,
            global_ids=attributes.get("use_global_device_ids") == ("true",),
            product=product(attributes) if one.spelled == "dot" else None,
        )


def _made(
    line: int, name: str, kind: Operator, spelled: str, operands: tuple[str, ...], type_: "Type | None"
) -> HloInstruction:
    return HloInstruction(line=line, name=name, kind=kind, spelled=spelled, operands=operands, type=type_)


def _kind(
    words: Words, spelled: str, type_: "Type | None", attributes: dict[str, tuple[str, ...]]
) -> tuple[Operator, "Type | None"]:
    """Return the operator and its result type; for an asynchronous start, the type of the eventual result."""
    base, end = _base(spelled)
    if spelled == "custom-call":
        target = "".join(attributes.get("custom_call_target", ()))
        return HloKind.LOCAL if target == _LOCAL else HloKind.GLOBAL if target in _GLOBAL else HloKind.OTHER, type_
    if end in ("done", "update"):
        return HloKind.PASS, type_ if end == "done" else None
    if base == "async":
        return _KINDS[base], None
    if end == "start":
        place = _RESULT_OF_START.get(base, 1)
        if place < 0:
            return _KINDS[base], type_
        if not isinstance(type_, tuple) or len(type_) <= place:
            words.fail(
                f"the type of {spelled} must be a tuple of {place + 1} elements or more; number {place} is its result"
            )
        return _KINDS[base], type_[place]
    return _KINDS.get(base, HloKind.OTHER), type_


def _base(spelled: str) -> tuple[str, str]:
    """Split a name at its asynchronous suffix: `all-gather-start` is all-gather and start."""
    base, _, end = spelled.rpartition("-")
    return (base, end) if end in ("start", "done", "update") and base in _KINDS else (spelled, "")


def _name(word: str) -> str:
    return word.removeprefix("%")
