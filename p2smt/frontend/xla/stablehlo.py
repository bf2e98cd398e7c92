"""StableHLO text: the program that every device runs, as JAX lowers `shard_map` programs.

Method: recursive descent without backtracking (Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.4), after
MLIR's language reference:
    module   = "module" [ attributes ] "{" { mesh | function } "}"
    function = "func.func" name "(" parameters ")" [ "->" types ] "{" { operation } "}"
Collectives are in the generic form, `"stablehlo.all_reduce"(%0) <{...}> ({ region }) : types`, other operations in
either form (`mlir_operation.py`). `sdy.manual_computation` is replaced by its body, whose parameters are per-device
shards.
Complexity: linear in the text.

Example: `%1 = stablehlo.add %0, %0 : tensor<4xf32>` is an instruction with two equal operands and one result.
"""

from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.xla.mesh import DeviceList
from p2smt.frontend.xla.mlir_operation import MlirOperation, operation
from p2smt.frontend.xla.operators import (
    COMMUNICATIONS,
    Binary,
    HloKind,
    HloMove,
    Operator,
    Unary,
)
from p2smt.frontend.xla.replica_groups import GroupReader
from p2smt.frontend.xla.sharding import annotation, check_manual, result_sharding, shared_out
from p2smt.frontend.xla.ssa import (
    ADDITION,
    HloComputation,
    HloInstruction,
    Module,
    Type,
)
from p2smt.frontend.xla.ssa_plan import plan_of
from p2smt.frontend.xla.ssa_run import MANUAL
from p2smt.frontend.xla.stablehlo_attributes import channel, dims, direction, product, ranges, values, whole_number
from p2smt.frontend.xla.stablehlo_types import parameters, result_types
from p2smt.frontend.xla.words import Words, listed, number, whole
from p2smt.verify.limits import MAX_DEVICES, MAX_STEPS
from p2smt.verify.plan import VerificationPlan

MOST_DEPTH = 16

_APART = ("copy", "bitcast", "broadcast", "call", "conditional", "local", "global", "other")
_KINDS: dict[str, Operator] = {
    **{"stablehlo." + name.replace("-", "_"): one for name, one in COMMUNICATIONS.items()},
    **{
        "stablehlo." + one.value.replace("-", "_"): one
        for kinds in (HloKind, HloMove, Unary, Binary)
        for one in kinds
        if one not in _APART
    },
    "stablehlo.broadcast_in_dim": HloMove.BROADCAST,
    "stablehlo.optimization_barrier": HloKind.PASS,
    "stablehlo.get_tuple_element": HloKind.ELEMENT,
    "stablehlo.case": HloKind.CONDITIONAL,
    "stablehlo.if": HloKind.CONDITIONAL,
    MANUAL: HloKind.CALL,
    "func.call": HloKind.CALL,
    "call": HloKind.CALL,
}
_RETURNS = ("return", "func.return", "stablehlo.return", "sdy.return")


def parse_stablehlo(
    data: bytes, path: str, asked: AskedGoal = AS_WRITTEN, devices: int | None = None
) -> VerificationPlan:
    """Return the plan of a StableHLO module's function `main`, or of its only one; `path` names the text.

    The goal is inferred unless requested. `devices` is the number of devices if the text does not state it.
    Raises VerifyError with the line of malformed or unsupported text.
    """
    return plan_of(replace(stablehlo_module(data, path), asked=devices), path, asked)


def stablehlo_module(data: bytes, path: str) -> Module:
    """Return the functions of a StableHLO module. Raises VerifyError with the line of malformed text."""
    return _Reader(Words.of(data, path)).module()


class _Reader:
    def __init__(self, words: Words) -> None:
        self._words = words
        self._groups = GroupReader()
        self._found: dict[str, HloComputation] = {}
        self._meshes: dict[str, DeviceList] = {}
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
        replicas, partitions = self._counts["mhlo.num_replicas"], self._counts["mhlo.num_partitions"]
        return Module(
            self._found,
            entry,
            replicas,
            partitions,
            whole=words.has(MANUAL, "sdy.sharding", "mhlo.sharding"),
            meshes=self._meshes,
        )

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
        """Parse `sdy.mesh @mesh = <["a"=2, "b"=4], device_ids=[3, 2, ...]>`."""
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
        self._meshes[name] = DeviceList(tuple(axes), devices)

    def _function(self) -> None:
        words = self._words
        for visibility in ("public", "private", "nested"):
            words.accept(visibility)
        name = words.take("a function's name")
        said: list[tuple[str, ...]] = []
        given = parameters(words, said)
        before = words.taken
        if words.accept("->"):
            result_types(words)
        results = words.since(before)
        if words.accept("attributes"):
            words.balanced()
        if name in self._found or not name.startswith("@"):
            words.fail(f"{name[:60]} does not name exactly one function")
        self._body(name, given, 0)
        each = _between_commas(results)
        shared = tuple(result_sharding(one) for one in each)
        self._found[name] = replace(
            self._found[name],
            shared=shared if all(shared) else (),
            shared_before=tuple(map(annotation, said)),
            shared_after=tuple(map(annotation, each)),
        )

    def _body(self, name: str, given: tuple[tuple[str, Type], ...], depth: int) -> str:
        """Parse the instructions between braces, the last of which returns; return the region's name."""
        words = self._words
        words.expect("{")
        if depth > MOST_DEPTH:
            words.fail(f"regions nested deeper than {MOST_DEPTH}")
        if words.accept("^bb0"):
            given = parameters(words)
            words.expect(":")
        instructions: list[HloInstruction] = []
        names = {parameter for parameter, _ in given}
        while True:
            self._count += 1
            if self._count > MAX_STEPS:
                words.fail(f"more than {MAX_STEPS} instructions, the limit")
            one = operation(words, lambda given: self._region(given, depth))
            if one.name in _RETURNS:
                break
            for instruction in self._instructions(one):
                if instruction.name in names:
                    words.fail(f"{instruction.name[:60]} is defined twice")
                names.add(instruction.name)
                instructions.append(instruction)
        words.expect("}")
        self._found[name] = HloComputation(name, given, tuple(instructions), one.operands, inside=depth > 0)
        return name

    def _region(self, given: tuple[tuple[str, Type], ...], depth: int) -> str:
        return self._body(f"its region (operation {self._count})", given, depth + 1)

    def _instructions(self, one: MlirOperation) -> list[HloInstruction]:
        """Return the instruction, and an element access for each result that has its own name."""
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
                HloInstruction(
                    line=one.line,
                    name=name,
                    kind=HloKind.ELEMENT,
                    spelled=one.name,
                    operands=(made.name,),
                    type=type_,
                    index=place,
                )
                for place, (name, type_) in enumerate(zip(one.results, types, strict=True))
            ),
        ]

    def _made(self, one: MlirOperation) -> HloInstruction:
        words, pairs = (one.attributes.get(name, ()) for name in ("replica_groups", "source_target_pairs"))
        groups = self._groups.stablehlo(words, self._meshes) if words else ()
        if "split_count" in one.attributes and any(
            len(g) != whole_number(one.attributes["split_count"]) for g in groups
        ):
            raise VerifyError("split_count has to be the size of the groups")
        if one.name == MANUAL:
            axes = {name.strip('"'): size for mesh in self._meshes.values() for name, size in mesh.axes}
            check_manual(one.attributes.get("manual_axes", ()), axes)
        return HloInstruction(
            line=one.line,
            name=", ".join(one.results) or f"operation {self._count}",
            kind=_KINDS.get(one.name, HloKind.OTHER),
            spelled=one.name,
            operands=one.operands,
            type=None if one.name == MANUAL else one.types[0] if len(one.types) == 1 else one.types,
            groups=groups,
            pairs=self._groups.stablehlo(pairs, {}) if pairs else (),
            dims=dims(one),
            ranges=ranges(one),
            index=whole_number(one.attributes.get("index", ("0",))),
            callees=(ADDITION,) if one.callee == "stablehlo.add" else (one.callee,) if one.callee else one.regions,
            values=values(one),
            direction=direction(one.attributes.get("comparison_direction", ())),
            shared=shared_out(one.attributes.get("in_shardings", ())),
            shared_after=shared_out(one.attributes.get("out_shardings", ())) or _annotated(one),
            channel=channel(one.attributes.get("channel_handle", ())),
            global_ids="use_global_device_ids" in one.attributes,
            product=product(one),
        )


def _annotated(one: MlirOperation) -> tuple[str, ...]:
    """The sharding in a call of the partitioner's annotation function."""
    return tuple(word.strip('"') for word in one.attributes.get("mhlo.sharding", ()) if word)


def _between_commas(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Split the words of several results at top-level commas."""
    inside = words[2:-1] if words[1:2] == ("(",) else words[1:]
    found: list[list[str]] = [[]]
    depth = 0
    for word in inside:
        depth += (word in "([{<") - (word in ")]}>")
        if word == "," and not depth:
            found.append([])
        else:
            found[-1].append(word)
    return [tuple(one) for one in found]
