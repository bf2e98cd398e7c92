"""StableHLO text: the program that every device runs, as JAX lowers `shard_map` programs.

Collectives come in the generic form, `"stablehlo.all_reduce"(%0) <{...}> ({ region }) : types`, everything else in
either form. `sdy.manual_computation` is read as its body: parameters are what one device has of them.
"""

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.xla.mesh import Mesh
from p2smt.frontend.xla.mlir_operation import Operation, operation
from p2smt.frontend.xla.replica_groups import GroupReader
from p2smt.frontend.xla.ssa import ADDITION, COMMUNICATIONS, Computation, Instruction, Kind, Module, Operator, Type
from p2smt.frontend.xla.ssa_plan import plan_of
from p2smt.frontend.xla.stablehlo_types import parameters, result_types
from p2smt.frontend.xla.words import Words, is_zero, listed, number, whole
from p2smt.verify.limits import MAX_DEVICES, MAX_STEPS
from p2smt.verify.plan import VerificationPlan

MOST_DEPTH = 16

_KINDS: dict[str, Operator] = {
    **{"stablehlo." + name.replace("-", "_"): one for name, one in COMMUNICATIONS.items()},
    "stablehlo.reshape": Kind.RESHAPE,
    "stablehlo.convert": Kind.CONVERT,
    "stablehlo.broadcast_in_dim": Kind.BROADCAST,
    "stablehlo.optimization_barrier": Kind.PASS,
    "stablehlo.tuple": Kind.TUPLE,
    "stablehlo.get_tuple_element": Kind.ELEMENT,
    "stablehlo.add": Kind.ADD,
    "stablehlo.reduce": Kind.REDUCE,
    "stablehlo.collective_permute": Kind.PERMUTE,
    "sdy.manual_computation": Kind.CALL,
    "func.call": Kind.CALL,
    "call": Kind.CALL,
}
_RETURNS = ("return", "func.return", "stablehlo.return", "sdy.return")
_DIMS = ("scatter_dimension", "all_gather_dim", "split_dimension", "concat_dimension")


def parse_stablehlo(data: bytes, path: str, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan:
    """The plan of a StableHLO module's function `main`, or of its only one; `path` names the text in messages.

    If nothing else is asked for, all devices are one group that reduces. Raises VerifyError with the line of what is
    malformed or not read.
    """
    return plan_of(_Reader(Words.of(data, path)).module(), path, asked)


class _Reader:
    def __init__(self, words: Words) -> None:
        self._words = words
        self._groups = GroupReader()
        self._found: dict[str, Computation] = {}
        self._meshes: dict[str, Mesh] = {}
        self._counts: dict[str, int | None] = {"mhlo.num_replicas": None, "mhlo.num_partitions": None}
        self._count = self._open = 0

    def module(self) -> Module:
        words = self._words
        while words.peek():
            match words.take():
                case "module" | "builtin.module":
                    self._module_head()
                case "}" if self._open:
                    self._open -= 1
                case "sdy.mesh":
                    self._mesh()
                case "func.func" | "func":
                    self._function()
                case alias if alias.startswith("#") and words.accept("="):
                    while not words.new_line:
                        words.balanced()
                case "loc":
                    words.balanced()
                case other:
                    words.fail(f"{other[:60]!r} where a module, sdy.mesh or func.func is expected")
        entry = self._entry()
        return Module(self._found, entry, self._counts["mhlo.num_replicas"], self._counts["mhlo.num_partitions"])

    def _entry(self) -> str:
        functions = [name for name in self._found if name.startswith("@")]
        if self._open or ("@main" not in functions and len(functions) != 1):
            self._words.fail(f"the text ends inside its module, or has {len(functions)} functions and none is @main")
        return "@main" if "@main" in functions else functions[0]

    def _module_head(self) -> None:
        words = self._words
        if words.peek().startswith("@"):
            words.take()
        if words.accept("attributes"):
            attributes = words.balanced()
            for name in self._counts:
                if name in attributes[:-2]:
                    text = attributes[attributes.index(name) + 2]
                    self._counts[name] = number(text, MAX_DEVICES)
                    if not self._counts[name]:
                        words.fail(f"{name} = {text[:60]}; it is a whole number from 1 to {MAX_DEVICES}")
        words.expect("{")
        self._open += 1

    def _mesh(self) -> None:
        """`sdy.mesh @mesh = <["a"=2, "b"=4], device_ids=[3, 2, ...]>`."""
        words = self._words
        name = words.take("the mesh's name")
        for word in ("=", "<", "["):
            words.expect(word)
        axes: list[tuple[str, int]] = []
        while not words.accept("]"):
            if axes:
                words.expect(",")
            axis = words.take("an axis")
            words.expect("=")
            axes.append((axis, whole(words, MAX_DEVICES)))
        devices: tuple[int, ...] = ()
        if words.accept(",", "device_ids", "="):
            devices = listed(words, "[", "]", MAX_DEVICES)
        words.expect(">")
        if words.peek() == "{":
            words.balanced()
        if name in self._meshes:
            words.fail(f"mesh {name[:60]} is declared twice")
        self._meshes[name] = Mesh(tuple(axes), devices)

    def _function(self) -> None:
        words = self._words
        for visibility in ("public", "private", "nested"):
            words.accept(visibility)
        name = words.take("a function's name")
        given = parameters(words)
        if words.accept("->"):
            result_types(words)
        if words.accept("attributes"):
            words.balanced()
        if name in self._found or not name.startswith("@"):
            words.fail(f"{name[:60]} is no name of a function, or of two")
        self._body(name, given, 0)

    def _body(self, name: str, given: tuple[tuple[str, Type], ...], depth: int) -> str:
        """Instructions between braces, the last of which returns."""
        words = self._words
        words.expect("{")
        if depth > MOST_DEPTH:
            words.fail(f"regions nested deeper than {MOST_DEPTH}")
        if words.accept("^bb0"):
            given = parameters(words)
            words.expect(":")
        instructions: list[Instruction] = []
        names = {parameter for parameter, _ in given}
        while True:
            self._count += 1
            if self._count > MAX_STEPS:
                words.fail(f"more than {MAX_STEPS} instructions, the most that is read")
            one = operation(words, lambda given: self._region(given, depth))
            if one.name in _RETURNS:
                break
            for instruction in self._instructions(one):
                if instruction.name in names:
                    words.fail(f"{instruction.name[:60]} is defined twice")
                names.add(instruction.name)
                instructions.append(instruction)
        words.expect("}")
        self._found[name] = Computation(name, given, tuple(instructions), one.operands)
        return name

    def _region(self, given: tuple[tuple[str, Type], ...], depth: int) -> str:
        return self._body(f"its region (operation {self._count})", given, depth + 1)

    def _instructions(self, one: Operation) -> list[Instruction]:
        """The instruction, and one for each of its results that has a name of its own."""
        try:
            made = self._made(one)
        except VerifyError as cause:
            self._words.fail(f"{one.name[:60]}: {cause}")
        if len(one.results) < 2:
            return [made]
        types = one.types if len(one.types) == len(one.results) else ()
        if not types:
            self._words.fail(f"{one.name[:60]} gives {len(one.types)} values for {len(one.results)} names")
        return [
            made,
            *(
                Instruction(
                    line=one.line,
                    name=name,
                    kind=Kind.ELEMENT,
                    spelled=one.name,
                    operands=(made.name,),
                    type=type_,
                    index=place,
                )
                for place, (name, type_) in enumerate(zip(one.results, types, strict=True))
            ),
        ]

    def _made(self, one: Operation) -> Instruction:
        words, pairs = (one.attributes.get(name, ()) for name in ("replica_groups", "source_target_pairs"))
        groups = self._groups.stablehlo(words, self._meshes) if words else ()
        if "split_count" in one.attributes and any(len(g) != _number(one.attributes["split_count"]) for g in groups):
            raise VerifyError("split_count is not the size of the groups; the two are equal")
        return Instruction(
            line=one.line,
            name=", ".join(one.results) or f"operation {self._count}",
            kind=_kind(one),
            spelled=one.name,
            operands=one.operands,
            type=one.types[0] if len(one.types) == 1 else one.types,
            groups=groups,
            pairs=self._groups.stablehlo(pairs, {}) if pairs else (),
            dims=_dims(one),
            index=_number(one.attributes.get("index", ("0",))),
            callee=ADDITION if one.callee == "stablehlo.add" else one.callee or "".join(one.regions[:1]),
            channel=_channel(one.attributes.get("channel_handle", ())),
            global_ids="use_global_device_ids" in one.attributes,
        )


def _kind(one: Operation) -> Operator:
    if one.name == "stablehlo.constant":
        value = one.attributes.get("value", ())
        value = value[: value.index(":")] if ":" in value else value
        zero = value[:2] == ("dense", "<") and all(word in "[],<>" or is_zero(word) for word in value[2:])
        return Kind.ZERO if zero else Kind.OTHER
    return _KINDS.get(one.name, Kind.OTHER)


def _dims(one: Operation) -> tuple[int, ...]:
    named = tuple(_number(one.attributes[name]) for name in _DIMS if name in one.attributes)
    several = (
        one.attributes.get("dims") or one.attributes.get("broadcast_dimensions") or one.attributes.get("dimensions")
    )
    if not several:
        return named
    if several[0] == "array":
        several = ("[", *several[several.index(":") + 1 : -1], "]") if ":" in several else ("[", "]")
    return listed(Words(several), "[", "]", MAX_STEPS)


def _number(words: tuple[str, ...]) -> int:
    return whole(Words(words), MAX_STEPS)


def _channel(words: tuple[str, ...]) -> bool:
    """Whether `#stablehlo.channel_handle<handle = 1, type = 1>` names a channel, which 0 does not."""
    at = words.index("handle") + 2 if "handle" in words else len(words)
    return at < len(words) and words[at].strip("-0") != ""
