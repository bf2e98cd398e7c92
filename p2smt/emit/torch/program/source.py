"""A distributed program as one Python file: every rank's step, checkpoints, and a check against one device."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import accumulate
from operator import mul
from textwrap import dedent
from types import MappingProxyType

from p2smt.argument_types import require
from p2smt.emit.description import assignment
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.program.biases import with_biases_inside
from p2smt.emit.torch.program.compiling import compiled
from p2smt.emit.torch.program.cuts import cut_literal
from p2smt.emit.torch.program.flattening import with_flat_operands
from p2smt.emit.torch.program.folding import folded
from p2smt.emit.torch.program.function import Surroundings
from p2smt.emit.torch.program.in_place import with_counts_inside
from p2smt.emit.torch.program.lines import broken
from p2smt.emit.torch.program.marks import names_in
from p2smt.emit.torch.program.overlap import Event, Moment, begun_first, events, is_all_reduce
from p2smt.emit.torch.program.programs import Programs
from p2smt.emit.torch.program.ranks import ranks_text
from p2smt.emit.torch.program.rows import with_rows_once
from p2smt.emit.torch.program.statements import StatementWriter
from p2smt.emit.torch.program.tensors import constant_text, outputs_literal, tensors_literal
from p2smt.emit.torch.program.value import TORCH_TYPES
from p2smt.errors import ProgramError
from p2smt.reduction.plan.model import Plan
from p2smt.tensor.buckets import BUCKET, bucketed
from p2smt.tensor.conversion import Send
from p2smt.tensor.expression import Convert, Expression, Read, SourceKind
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.tidying import without_unused
from p2smt.tensor.way import Way
from p2smt.wording import counted

_TEMPLATES = "torch/templates/program"
_MAIN = "torch/templates/main.py.in"
_MOST_STATEMENTS = 50
_PARTS = ("one_device", "top", "collectives", "operations", "class")
_IMPORTS = (
    ("import math\n", "", "math."),
    ("import Callable, Iterator, Mapping, Sequence\n", "import Iterator, Mapping, Sequence\n", "Callable["),
    ("import Callable, Mapping, Sequence\n", "import Callable, Mapping\n", "Sequence["),
    ("import socket\n", "", "socket."),
    ("import tempfile\n", "", "tempfile."),
    ("from functools import lru_cache\n", "", "lru_cache("),
    ("from math import prod\n", "", "prod("),
    ("from itertools import accumulate\n", "", "accumulate("),
    ("import Iterator, Mapping, Sequence\n", "import Iterator, Mapping\n", "Sequence["),
)
"""Import lines, their replacement if the file does not use a word, and the word."""
_EXCHANGES = re.compile(
    r"\b(?:begin_)?(?:(?:reduce_scatter|all_gather)(?:_bucket|_begun)?_exchanged|all_to_all|rebalance)\b"
)
"""The functions that send blocks as messages, on devices whose library has no such collective."""
_NO_PROGRAMS: Mapping[str, Plan] = MappingProxyType({})
MODULE_NAMES = frozenset(
    {"accumulate", "contextmanager", "join", "main", "os", "socket", "sys", "tempfile", "timedelta"}
)
"""The names that the file imports, and those of its last functions; generated names must differ from them."""


def emit_program(
    program: Program,
    ways: Mapping[str, Way] | None = None,
    *,
    fold: bool = True,
    buckets: int = BUCKET,
    programs: Mapping[str, Plan] = _NO_PROGRAMS,
    library: bool = False,
    compile: bool = False,
) -> str:
    """Return the text of a module with a class `Step`, which runs a program on torch.distributed.

    `ways` gives the implementation of collectives of shards by statement (default: padded); the first statement decides
    for a bucket. `buckets` is the size limit of buckets in bytes, 0 for no buckets (`tensor/buckets.py`); with buckets,
    gradients are reduced during the backward pass (`overlap.py`). `programs` are plans, over all ranks, of reduction
    programs that implement collectives, by statement; with `library` their ReduceScatters are the library's, else
    exchanges of blocks. Lines that repeat except for names become functions, unless `fold` is False or `compile` is
    True; `compile` puts the computation under torch.compile (`compiling.py`). Raises ProgramError for a program without
    a mesh, for one that fails inference, and for inputs or outputs that are not shards of a whole tensor.
    """
    require(program, Program, "program", "read_program reads a file, shard_program distributes one")
    if not program.mesh:
        raise ProgramError(f"program {program.name} is for one device; distribute it first with p2smt shard")
    flat = with_flat_operands(with_rows_once(without_unused(program)))
    rewritten = with_counts_inside(with_biases_inside(flat))
    made = bucketed(rewritten, buckets)
    order = events(made) if buckets else tuple(Event(Moment.WHOLE, run) for run in made.runs)
    program = replace(made.program, statements=begun_first(made.program, order))
    begun = [event.run for event in order if event.moment is Moment.BEGIN]
    called = {name: programs[name] for event in order if (name := event.run[0].name) in programs}
    parts = _parts(bool(called), pending=any(run[0].name in called or not is_all_reduce(run) for run in begun))
    reserved = defined(parts.values()) | MODULE_NAMES
    by = Programs(called, (run[0].name for run in begun), reserved, library=library)
    reserved |= defined(by.texts)
    writer = StatementWriter(program, reserved, ways or {}, programs=by.calls, together=True)
    for event in order:
        _write(writer, event)
    functions = _fold(program, writer, reserved) if fold and not compile else ""
    compute = functions + function_text(program, writer)
    tensors = tensors_literal(program, writer) + outputs_literal(program, writer)
    main = filled(_MAIN, subject="step", reference="one device", verb="equals", results="tensors")
    text = filled(
        f"{_TEMPLATES}/step.py.in",
        name=program.name,
        devices=counted(world(program.mesh), "device"),
        mesh=", ".join(f"{axis.name}={axis.size}" for axis in program.mesh),
        count=str(world(program.mesh)),
        facts=_facts(program),
        batch=batch_text(program),
        axes=axes_text(program),
        sends=sends_text(program, compute, *by.texts) + by.constants(),
        real=f"REAL = {TORCH_TYPES[writer.real]}\n",
        cuts=cuts_literal(writer),
        tensors=tensors,
        compute="\n\n".join([*by.texts, compute]),
        main=main,
        **parts,
    )
    text = with_imports(only_used(text))
    return compiled(text, defined([parts["collectives"], *by.texts])) if compile else text


def _parts(programs: bool, *, pending: bool) -> dict[str, str]:
    """Return the parts of the file that are equal for all programs; `pending`: with functions that begin calls."""
    found = {"ranks": ranks_text(inside=programs), **{name: filled(f"{_TEMPLATES}/{name}.py.in") for name in _PARTS}}
    names = [*(["programs"] if programs else []), *(["pending"] if pending else [])]
    found["collectives"] = "\n\n".join(
        [found["collectives"], *(filled(f"{_TEMPLATES}/{name}.py.in") for name in names)]
    )
    return found


def _write(writer: StatementWriter, event: Event) -> None:
    match event.moment:
        case Moment.BEGIN:
            writer.begin_bucket(event.run)
        case Moment.AWAIT:
            writer.await_bucket(event.run)
        case Moment.WHOLE if len(event.run) > 1:
            writer.write_bucket(event.run)
        case Moment.WHOLE:
            writer.write(event.run[0])


def compute_text(program: Program, writer: StatementWriter) -> str:
    """Return the function `compute`, which runs a step on a rank's shards; the writer must be new."""
    for statement in program.statements:
        writer.write(statement)
    return function_text(program, writer)


def _fold(program: Program, writer: StatementWriter, reserved: frozenset[str]) -> str:
    """Return the functions of repeated lines; calls of them replace the lines of the writer."""
    axes = {each.name: f"    {each.name} = at.axes[{each.number}]" for each in writer.axes}
    cuts = {name.lower(): f"    {name.lower()} = at.part({name})" for name, _ in writer.cuts.known()}
    given = [each for each in program.sources if each.kind is not SourceKind.CONSTANT and each.name != "step"]
    keys = {writer.values[source.name].text: source.name for source in given}
    around = Surroundings(
        keys=keys,
        converted={
            writer.values[each.name].text: each.expression.operand.name
            for each in program.statements
            if isinstance(each.expression, Convert)
            and isinstance(each.expression.operand, Read)
            and each.expression.operand.name in keys.values()
        },
        left=frozenset(writer.native.names),
        floats=frozenset(value.text for value in writer.values.values() if value.dtype is None),
        observed=frozenset(names_in(line for line in returned(program, writer) if "return" not in line)),
        preludes=axes | cuts,
        reserved=reserved,
    )
    made = folded(writer.written, around, writer.names)
    if made is None:
        return ""
    writer.lines = made.lines
    return f"{made.functions}\n\n"


def function_text(program: Program, writer: StatementWriter, name: str = "compute") -> str:
    """Return the text of the function that runs a step, around the lines that the writer has written."""
    return "\n".join(_compute(program, writer, name)) + "\n"


def cuts_literal(writer: StatementWriter) -> str:
    """Return the constants of all named shardings."""
    return "".join(broken(f"{name} = {cut_literal(cut)}") + "\n" for name, cut in writer.cuts.known())


def with_imports(text: str) -> str:
    """Return the text without unused imports."""
    for line, rest, use in _IMPORTS:
        text = text if use in text.replace(line, "") else text.replace(line, rest)
    return text


def defined(texts: Iterable[str]) -> frozenset[str]:
    """Return the names of functions and classes, which no variable may have."""
    return frozenset(name for text in texts for name in re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE))


def sends_text(program: Program, *computed: str) -> str:
    """Return the constant SENDS: True if ranks send messages, including block exchanges in the texts `computed`."""
    exchanges = any(_EXCHANGES.search(each) for each in computed)
    return f"SENDS = {exchanges or any(_is_send(each) for each in program.expressions())}\n"


def _is_send(expression: Expression) -> bool:
    return isinstance(expression, Convert) and isinstance(expression.conversion, Send)


def axes_text(program: Program) -> str:
    """Return the constants of the mesh."""
    sizes = [axis.size for axis in program.mesh]
    strides = [*accumulate([1, *sizes[:0:-1]], mul)][::-1]
    mesh = assignment("MESH", (f'"{axis.name}": {axis.size}' for axis in program.mesh), "{}")
    return mesh + "MESH_SIZES = tuple(MESH.values())\n" + assignment("STRIDES", map(str, strides))


def _facts(program: Program) -> str:
    """Return a sentence with the numbers of inputs, parameters and states."""
    kinds = [(kind, sum(source.kind is kind for source in program.sources)) for kind in SourceKind]
    told = ", ".join(counted(count, kind.value) for kind, count in kinds if count)
    return f"It has {told}.\n"


def batch_text(program: Program) -> str:
    """Return the arguments of a step's call, as text."""
    inputs = [source.name for source in program.sources if source.kind is SourceKind.INPUT]
    shown = ", ".join(f'"{name}": {name.replace(".", "_")}' for name in inputs[:4])
    more = ", ..." if len(inputs) > 4 else ""
    scalars = [s.name for s in program.sources if s.kind is SourceKind.SCALAR and s.name != "step"]
    return f"{{{shown}{more}}}" + "".join(f", {name}=..." for name in scalars)


def _compute(program: Program, writer: StatementWriter, name: str) -> Iterator[str]:
    """Yield the lines of the function that runs a step."""
    lines = [*_given(program, writer), *writer.lines]
    begin = beginning(writer, lines)
    long = "  # noqa: PLR0915" if len(begin) + len(lines) + 1 > _MOST_STATEMENTS else ""
    yield "@torch.no_grad()"
    yield f"def {name}(at: Ranks, given: Tensors, step: int) -> tuple[Tensors, Tensors]:{long}"
    yield '    """The outputs, and new versions that are not written over the old ones; `step` is counted from 1."""'
    yield from begin
    yield from lines
    yield from returned(program, writer)


def beginning(writer: StatementWriter, lines: Iterable[str]) -> list[str]:
    """Return the first lines of a function: the axes and intervals that its other lines use."""
    text = "\n".join(lines)
    axes = [f"    {each.name} = at.axes[{each.number}]" for each in writer.axes if says(text, each.name)]
    parts = [(name, name.lower()) for name, _ in writer.cuts.known() if says(text, name.lower())]
    return axes + [f"    {part} = at.part({name})" for name, part in parts]


def says(text: str, name: str) -> bool:
    """True if a name is used in code, outside of comments."""
    return re.search(rf"^[^#\n]*\b{name}\b", text, re.MULTILINE) is not None


def _given(program: Program, writer: StatementWriter) -> Iterator[str]:
    """Yield the assignments of the sources that are read to Python names."""
    read = names_in([dedent("\n".join([*writer.lines, *returned(program, writer)]))])
    for source in program.sources:
        name = writer.values[source.name].text
        if name not in read or name == "step":
            continue
        value = constant_text(writer, source) if source.kind is SourceKind.CONSTANT else f'given["{source.name}"]'
        yield broken(f"    {name} = {value}")


def returned(program: Program, writer: StatementWriter) -> Iterator[str]:
    """Yield the last lines of the function that runs a step."""
    outputs = [(output.name, writer.tensor(output.name)) for output in program.outputs]
    new = [
        (name, writer.tensor(version))
        for name, version in versions(program).items()
        if writer.values[version].text != writer.values[name].text
    ]
    for name, entries in (("outputs", outputs), ("new", new)):
        yield broken(f"    {name} = {{{', '.join(f'{key!r}: {text}' for key, text in entries)}}}".replace("'", '"'))
    yield "    return outputs, new"
