"""Emission of a scheduled program as one Python file.

It needs only torch, and compares itself with the unscheduled program.
"""

from p2smt.cost.network.backend import Nccl
from p2smt.emit.target import KernelLanguage
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.ranks import ranks_text
from p2smt.emit.torch.program.source import (
    MODULE_NAMES,
    axes_text,
    batch_text,
    cuts_literal,
    defined,
    function_text,
    returned,
    sends_text,
    with_imports,
)
from p2smt.emit.torch.program.tensors import (
    differing,
    output_entries,
    outputs_literal,
    tensor_entries,
    tensors_literal,
)
from p2smt.emit.torch.program.value import FLOATS, TORCH_TYPES
from p2smt.errors import ProgramError
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.emission.description import facts, fitting, group_words, schedule_text
from p2smt.schedule.emission.exchanges import Exchanges, exchanges
from p2smt.schedule.emission.functions import CalledFunction, Scope, deleted, names_in, unit
from p2smt.schedule.emission.fused import kernels_in
from p2smt.schedule.emission.hoisting import hoisted
from p2smt.schedule.emission.kernel_share import KernelShare, by_unit
from p2smt.schedule.emission.kernels import kernel_helpers, kernels_main, with_triton
from p2smt.schedule.emission.loops import LoopWriter
from p2smt.schedule.emission.programs import EmittedPrograms
from p2smt.schedule.emission.sharing import refuse_spanning
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.graph import observed, readers
from p2smt.schedule.outcome import schedule_word
from p2smt.schedule.scheduled import KernelGroup
from p2smt.schedule.summing import adding
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, SourceKind
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.verify.verdict import Proved
from p2smt.wording import counted

_PROGRAM, _SCHEDULE, _MAIN = "torch/templates/program", "torch/templates/schedule", "torch/templates/main.py.in"
_RESERVED = ("rows", "turn", "chunk", "compute", "untouched", "Step", "Form", "STEPS", "tl", "triton")
_NARROW = (DType.BF16, DType.F16, DType.F32)
"""Floating-point types, in order of increasing precision."""


def emit_schedule(
    checked: CheckedSchedule,
    machine: Machine | None = None,
    *,
    bitwise: bool = False,
    kernels: KernelLanguage = KernelLanguage.TORCH,
    exchanged: Exchanges | None = None,
) -> str:
    """Return the text of a module with a class `Step` in two forms: scheduled and unscheduled.

    A ReduceScatter is emitted as a block exchange summed by every rank, or on a `machine` as a library call
    where that is faster. An AllGather is an exchange where measured rates favour it. With `bitwise`, both
    forms sum in rank order and are compared bit for bit. `kernels` is the language of groups and loops;
    `exchanged` overrides the choice of exchanges. ProgramError for a schedule that is invalid or cannot be
    emitted.
    """
    _refuse(checked, bitwise=bitwise)
    if bitwise and kernels is not KernelLanguage.TORCH:  # only: all others round when they store
        raise ProgramError(
            f"kernels in {kernels} round when they store and sum by blocks, so results are not bitwise "
            "equal; leave out --kernels or --bitwise"
        )
    if kernels is KernelLanguage.TRITON_FUSED and machine is not None:  # only: no other kernels communicate
        refuse_spanning(checked.scheduled, machine)
    return _File(checked, machine, kernels, bitwise=bitwise, exchanged=exchanged).text()


def kernel_shares(checked: CheckedSchedule) -> tuple[KernelShare, ...]:
    """Return, for every group and loop, its number of kernels and the names left to torch.

    ProgramError if there is no kernel.
    """
    _refuse(checked, bitwise=False)
    file = _File(checked, None, KernelLanguage.TRITON, bitwise=False)
    file.text()
    return file.shares


def _refuse(checked: CheckedSchedule, *, bitwise: bool) -> None:
    """Raise ProgramError for a schedule that cannot be emitted."""
    if not isinstance(checked.verdict, Proved):
        raise ProgramError(f"the schedule is {schedule_word(checked.verdict)}; p2smt schedule explains it")
    for noted in checked.scheduled.implementations:
        if bitwise and adding(checked.scheduled.program, (noted.statement,)):
            raise ProgramError(
                f"{noted.statement} sums by a reduction program, in another order than that of the ranks; "
                "leave out that step or --bitwise"
            )


class _File:
    def __init__(
        self,
        checked: CheckedSchedule,
        machine: Machine | None,
        language: KernelLanguage,
        *,
        bitwise: bool,
        exchanged: Exchanges | None = None,
    ) -> None:
        self._checked = checked
        self._scheduled = hoisted(checked.scheduled)
        self._bitwise = bitwise
        self.shares: tuple[KernelShare, ...] = ()
        self._parts = self._templates(language)
        helpers = kernel_helpers(language, "Ranks")
        reserved = defined([*self._parts.values(), helpers]) | {*_RESERVED} | MODULE_NAMES
        cuts = Cuts()
        program = self._scheduled.program
        chosen = exchanges(self._scheduled, machine) if exchanged is None else exchanged
        self._writer = ScheduleWriter(program, reserved, cuts, chosen, ordered=bitwise)
        self._programs = EmittedPrograms(self._scheduled, self._writer.names, library=_is_scattering(machine))
        self._writer.programs = self._programs.calls
        self._kernels = kernels_in(language, self._writer, "Ranks")
        self._plain = ScheduleWriter(checked.start, reserved, cuts, frozenset(), ordered=bitwise)

    def _templates(self, language: KernelLanguage) -> dict[str, str]:
        """Return the parts of the file that do not depend on the program's values."""
        loops, programs = bool(self._scheduled.loops), bool(self._scheduled.implementations)
        found = {name: filled(f"{_PROGRAM}/{name}.py.in") for name in ("top", "collectives", "operations")}
        names = [f"{_PROGRAM}/pending"] if loops or self._bitwise else []
        names += [f"{_SCHEDULE}/ordered"] if self._bitwise else []
        names += [f"{_PROGRAM}/programs"] if programs else []
        names += [f"{_SCHEDULE}/chunks", f"{_SCHEDULE}/symmetric"] if loops else []
        chunks = "\n\n".join(filled(f"{name}.py.in") for name in names)
        memories = language is KernelLanguage.TRITON_FUSED  # only: no other kernels share memory
        return {**found, "ranks": ranks_text(inside=programs, memories=memories), "chunks": chunks}

    def text(self) -> str:
        """Return the whole file."""
        program, start, writer, plain = self._scheduled.program, self._checked.start, self._writer, self._plain
        for statement in start.statements:
            plain.write(statement)
        untouched = function_text(start, plain, "untouched")
        units, compute = self._computed()
        functions = [*self._programs.texts, *(each.text for each in units)]
        tensors = tensors_literal(program, writer, in_parts=True)
        tensors += outputs_literal(program, writer, in_parts=True)
        tensors += "# The same of the program as it was.\n"
        before, after = ((start, plain), (program, writer))
        pairs = [
            (name, entries(*before, in_parts=True), entries(*after, in_parts=True))
            for name, entries in (("TENSORS", tensor_entries), ("OUTPUTS", output_entries))
        ]
        tensors += "".join(differing(f"UNTOUCHED_{name}", old, name, new) for name, old, new in pairs)
        differ = filled(f"{_SCHEDULE}/{'differ_in_a_bit' if self._bitwise else 'differ'}.py.in")
        devices = world(program.mesh)
        text = filled(
            f"{_SCHEDULE}/file.py.in",
            name=program.name,
            devices=counted(devices, "rank"),
            mesh=", ".join(f"{axis.name}={axis.size}" for axis in program.mesh),
            count=str(devices),
            needs="torch" if self._kernels is None else "torch, triton",
            sums=self._sums(),
            schedule=schedule_text(self._checked),
            batch=batch_text(program),
            facts=facts(program),
            axes=axes_text(program),
            sends=sends_text(program, untouched, compute, *functions),
            groups=self._programs.constants(),
            real=self._types(),
            exact=self._exact(),
            cuts=cuts_literal(writer),
            tensors=tensors,
            untouched=untouched,
            units="\n\n".join([*self._kernel_texts(), *functions]),
            compute=compute,
            main=self._main(),
            **self._parts,
            **{"class": filled(f"{_SCHEDULE}/class.py.in", differ=differ)},
        )
        text = with_imports(_tidy(only_used(text), self._parts["top"]))
        return text if self._kernels is None else with_triton(text)

    def _kernel_texts(self) -> list[str]:
        if self._kernels is None:
            return []
        self.shares = tuple(by_unit(self._kernels.shares))
        return self._kernels.all_texts()

    def _main(self) -> str:
        main = filled(_MAIN, subject="schedule", reference="the untouched program", verb="equals", results="tensors")
        return main if self._kernels is None else kernels_main(main)

    def _sums(self) -> str:
        if self._bitwise:
            return "All sums are made in the order of the ranks: results are the same bit for bit however they are cut."
        words = "" if self._kernels is None else self._kernels.words()
        return (
            f"Where a ReduceScatter is an exchange of blocks, every rank adds them up in the order of the ranks.{words}"
        )

    def _types(self) -> str:
        real = self._writer.real
        checked = real if self._bitwise or real not in FLOATS else DType.F64
        return f"REAL = {TORCH_TYPES[real]}\nCHECKED = {TORCH_TYPES[checked]}\n"

    def _exact(self) -> str:
        if self._bitwise:
            return "# Results are the same bit for bit.\nBITWISE = True\n"
        others = _types_of(self._scheduled.program) | _types_of(self._checked.start)
        narrow = next((each for each in _NARROW if each in others - {self._writer.real}), DType.F64)
        words = "# Results differ by rounding alone; the narrowest type beside REAL.\n"
        return f"{words}BITWISE = False\nNARROWEST = {TORCH_TYPES[narrow]}\n"

    def _computed(self) -> tuple[list[CalledFunction], str]:
        """Return the functions of groups and loops, and the function that calls them in order."""
        writer, scheduled = self._writer, self._scheduled
        units: list[CalledFunction] = []
        blocks: list[list[str]] = []
        for label, loop in scheduled.units():
            if loop is not None:
                if self._kernels is not None:
                    self._kernels.note_loop(loop, (each for name in loop.stages if (each := scheduled.group(name))))
                words = f"{', '.join(loop.stages)} on {loop.chunks} chunks, each beside the next on the one before."
                units.append(LoopWriter(writer, scheduled, loop, self._kernels).write(fitting(words), self._scope()))
                blocks.append([units[-1].call])
            elif (group := scheduled.group(label)) is not None:
                units.append(self._grouped(group))
                blocks.append([units[-1].call])
            else:
                writer.write(next(each for each in scheduled.program.statements if each.name == label))
                blocks.append(writer.lines)
            writer.lines = []
        end = list(returned(scheduled.program, writer))
        writer.lines = deleted(blocks, names_in([line for line in end if "return" not in line])[0])
        return units, function_text(scheduled.program, writer)

    def _grouped(self, group: KernelGroup) -> CalledFunction:
        """Return a group as one function."""
        writer, program, scope = self._writer, self._scheduled.program, self._scope()
        inside = set(group.members)
        for statement in program.statements:
            if statement.name in inside:
                writer.write(statement)
        body, writer.lines = writer.lines, []
        read_by, seen = readers(program), observed(program)
        wanted = [name for name in group.members if set(read_by[name]) - inside or name in seen]
        texts = dict.fromkeys(writer.values[name].text for name in wanted)
        made = names_in(body)[1]
        results = [text for text in texts if text in made]
        if self._kernels is not None:
            body = self._kernels.put_group(group, body, results)
        return unit(writer, group.name, group_words(group), body, results, scope)

    def _scope(self) -> Scope:
        """Return the names defined so far, with their types."""
        named = {
            each.text: "float" if each.dtype is None else "torch.Tensor"
            for key, each in self._writer.values.items()
            if each.is_name and "@" not in key
        }
        return {**named, "step": "int"}


def _is_scattering(machine: Machine | None) -> bool:
    """True if the machine's library has a real ReduceScatter; gloo's is an all-reduce."""
    return machine is not None and isinstance(machine.backend, Nccl)


def _types_of(program: Program) -> set[DType]:
    """Return the types of non-scalar sources and of cast targets."""
    casts = {
        DType(str(each.attributes[0]))
        for each in program.expressions()
        if isinstance(each, Call) and each.operation == "cast"
    }
    return casts | {source.dtype for source in program.sources if source.kind is not SourceKind.SCALAR}


def _tidy(text: str, top: str) -> str:
    """Return the text without the class Top if it is unused, and without gaps left by empty parts."""
    if text.count("Top(") < 2:
        text = text.replace(f"\n\n{top}", "")
    while "\n\n\n\n" in text:
        text = text.replace("\n\n\n\n", "\n\n\n")
    return text
