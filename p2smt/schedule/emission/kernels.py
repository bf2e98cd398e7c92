"""Replacement of elementwise lines of groups and loop turns by kernels.

Consecutive elementwise lines become one kernel. Lines that only view tensors or await collectives move before
it; all other lines stay in torch.
"""

import ast
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import assert_never

from p2smt.emit.target import KernelLanguage
from p2smt.emit.template import filled
from p2smt.emit.torch.program.lines import WIDTH, broken
from p2smt.emit.torch.program.value import FLOATS, Value, type_text
from p2smt.errors import ProgramError
from p2smt.schedule.emission.elementwise import NotElementwiseError, Translator
from p2smt.schedule.emission.functions import names_in
from p2smt.schedule.emission.kernel_share import KernelShare
from p2smt.schedule.emission.kernel_text import KernelReduction, KernelText, WrittenKernel
from p2smt.schedule.emission.parsed_lines import ParsedLine, functions_in, indent_of, only_looks, parsed, with_comments
from p2smt.schedule.emission.reductions import ReductionExtractor
from p2smt.schedule.emission.spaces import Space, space_of, together
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.scheduled import KernelGroup, Loop

_COMMUNICATES = (
    "all_reduce",
    "reduce_scatter",
    "all_gather",
    "all_to_all",
    "rebalance",
    "reduce",
    "broadcast",
    "send",
    "kept_on",
    "begin_",
    "dict",
    "total",
)
_IMPORT, _TRITON = "import torch.distributed as dist\n", "import triton\nimport triton.language as tl\n"


def kernel_helpers(language: KernelLanguage, place: str) -> str:
    """Return the helper functions used by kernels and launch lines; empty for torch.

    `place` is the type of `at`.
    """
    match language:
        case KernelLanguage.TORCH:
            return ""
        case KernelLanguage.TRITON:
            return filled("torch/templates/schedule/kernels.py.in").replace("at: Ranks", f"at: {place}")
        case KernelLanguage.TRITON_FUSED:
            fused = filled("torch/templates/schedule/fused.py.in")
            return "\n\n".join([kernel_helpers(KernelLanguage.TRITON, place), fused])
        case _:
            assert_never(language)


def kernels_main(main: str) -> str:
    """Return the main section of a file, stating what kernels need to run."""
    return main.partition("if __name__")[0] + filled("torch/templates/schedule/kernels_main.py.in")


def with_triton(text: str) -> str:
    """Return the file text with triton imported after torch."""
    return text.replace(_IMPORT, f"{_IMPORT}{_TRITON}", 1)


@dataclass(frozen=True, slots=True)
class Element:
    """A line that can be part of a kernel: its index space, and the reductions it contains."""

    line: ParsedLine
    node: ast.expr
    space: Space
    reduced: tuple[KernelReduction, ...] = ()


@dataclass(slots=True)
class _Run:
    """Consecutive lines that form one kernel."""

    elements: list[Element] = field(default_factory=list)
    space: Space = ()

    @property
    def made(self) -> set[str]:
        """The names that the run assigns or overwrites."""
        return {element.line.target for element in self.elements}

    @property
    def reduced(self) -> set[str]:
        """The names available only after the kernel."""
        return {element.line.target for element in self.elements if element.reduced}


class Kernels:
    """Writes the kernels of a file into `texts`; lines left to torch get a comment with the reason.

    `helpers` has the functions that kernels and launch lines call.
    """

    def __init__(self, writer: ScheduleWriter, helpers: str) -> None:
        self._writer = writer
        self.helpers = helpers
        self._table: dict[str, Value] = {}
        self._kept: dict[str, str] = {}
        self.texts: list[str] = []
        self.shares: list[KernelShare] = []

    def put_group(self, group: KernelGroup, lines: Sequence[str], results: Iterable[str]) -> list[str]:
        """Return the lines of a group with kernels where possible; `results` are read afterwards."""
        return self.put(group.name, lines, results)

    def note_loop(self, loop: Loop, groups: Iterable[KernelGroup]) -> None:
        """Learn that a loop carries out groups chunk by chunk."""

    def words(self) -> str:
        """Return lines on kernels that communicate, for the file's docstring."""
        return ""

    def all_texts(self) -> list[str]:
        """Return all kernels, after the helpers they call. ProgramError if there are none."""
        if not self.texts:
            raise ProgramError(
                "no group or loop of the schedule is element-wise; fuse element-wise statements, or leave "
                "out --kernels triton"
            )
        return [self.helpers, *self.texts]

    def put(self, label: str, lines: Sequence[str], results: Iterable[str]) -> list[str]:
        """Return the lines of a unit with kernels where possible; `results` are read afterwards."""
        self._begin()
        before = len(self.texts)
        read = [parsed(line) for line in with_comments(lines)]
        later = [set(results)]
        # From the end: the names that are read behind each line. Only those have to be stored by a kernel.
        for line in reversed(read):
            later.append(later[-1] | line.reads)
        found: list[str] = []
        run = _Run()
        for line, read_later in zip(read, later[-2::-1], strict=True):
            element = self._element(line)
            if isinstance(element, Element) and (space := self._joined(run, element)) is not None:
                run.elements.append(element)
                run.space = space
                continue
            if (only_looks(line) or self._is_number(line)) and not line.reads & run.made:
                found.append(line.text)
                continue
            found += self._kernel(label, run, read_later | line.reads)
            run = _Run()
            if isinstance(element, Element):
                run = _Run([element], element.space)
                continue
            if isinstance(element, str):
                self._kept[line.target] = element
                found.append(f"{indent_of(line.text)}# By torch: {element}")
            found.append(line.text)
        found += self._kernel(label, run, set(results))
        self.shares.append(KernelShare(label, len(self.texts) - before, tuple(self._kept.items())))
        return found

    def _begin(self) -> None:
        """Learn which values lines have."""
        self._table, self._kept = self._writer.known(), {}

    def _is_number(self, line: ParsedLine) -> bool:
        """True if a line computes a number."""
        return line.target in self._table and self._table[line.target].dtype is None

    def _joined(self, run: _Run, element: Element) -> Space | None:
        """Return the index space of a run extended by this line; None if they cannot share a kernel."""
        if not run.elements:
            return element.space
        if element.line.condition != run.elements[0].line.condition or element.line.reads & run.reduced:
            return None
        return together((run.space, element.space))

    def _element(self, line: ParsedLine) -> Element | str | None:
        """Return the line as part of a kernel, the reason why it cannot be, or None if it does not compute."""
        if line.node is None or line.target not in self._table or self._table[line.target].dtype is None:
            return None
        if any(name.startswith(_COMMUNICATES) for name in functions_in(line.node)) or only_looks(line):
            return None
        translator = Translator(self._table, lambda name: name, lambda text, _: text, lambda _: "0", lambda _: "value")
        try:
            taking = ReductionExtractor(line.target, translator, self._writer, self._ended_type(line.target))
            node = taking.visit(deepcopy(line.node))
            if taking.reduced:
                return Element(line, node, taking.space, tuple(taking.reduced))
            space = translator.term(line.node).space
        except NotElementwiseError as error:
            return str(error)
        if line.overwrites:
            target = space_of(self._table[line.target])
            if together((space, target)) != target:
                return "what is not of the shape that it writes over"
            space = target
        return Element(line, line.node, space)

    def _ended_type(self, name: str) -> str:
        """Return the torch type of a reduced value."""
        dtype, real = self._table[name].dtype, self._writer.real
        return type_text(dtype if dtype in FLOATS else real, real)

    def _kernel(self, label: str, run: _Run, read_later: set[str]) -> list[str]:
        """Return the lines that launch a kernel, and the lines next to it that stay in torch."""
        before = _smaller(run, read_later)
        inside = [element for element in run.elements if element not in before]
        self._kept |= {element.line.target: "has another shape than the kernel's elements" for element in before}
        if not run.space or all(isinstance(element.node, ast.Name) for element in inside):
            self._kept |= {element.line.target: "is one number" for element in inside if not element.space}
            return [element.line.text for element in run.elements]
        text = KernelText(self._writer.names.fresh(f"{label}_kernel"), self._table, run.space)
        for element in inside:
            for reduced in element.reduced:
                text.reduce(reduced)
            if element.line.overwrites:
                text.overwrite(element.line.target, element.node)
            elif not element.reduced:
                text.assign(element.line.target, element.node)
        wanted, behind = _wanted(inside, read_later)
        real = self._writer.real
        types = {name: type_text(dtype, real) for name in wanted if (dtype := self._table[name].dtype) is not None}
        made = text.made(types, _words(inside))
        self.texts.append(made.text)
        return [element.line.text for element in before] + _started(inside[0].line, made, behind)


def _smaller(run: _Run, read_later: set[str]) -> list[Element]:
    """Return the lines of other shapes whose results are read after the kernel."""
    found: list[Element] = []
    needed = set(read_later)
    for element in reversed(run.elements):
        if element.space != run.space and (element.line.target in needed or element.line.overwrites or element.reduced):
            found.insert(0, element)
            needed |= element.line.reads
    return found


def _wanted(inside: Sequence[Element], read_later: set[str]) -> tuple[list[str], list[str]]:
    """Return the names that a kernel stores, and the lines after it: aliases, and ends of reductions."""
    ends = [element for element in inside if element.reduced]
    needed = read_later.union(*(names_in([_text(element)])[0] for element in ends))
    wanted: list[str] = []
    behind: list[str] = []
    for element in reversed(inside):
        target = element.line.target
        if target not in needed or element.line.overwrites or element.reduced:
            continue
        if isinstance(element.node, ast.Name):
            needed.add(element.node.id)
            behind.insert(0, _text(element))
        elif target not in wanted:
            wanted.insert(0, target)
    return wanted, behind + [_text(element) for element in ends]


def _text(element: Element) -> str:
    """Return a line in torch, without its condition, and with partial reductions combined."""
    made = ast.unparse(element.node)
    return f"{element.line.target}.copy_({made})" if element.line.overwrites else f"{element.line.target} = {made}"


def _words(inside: Sequence[Element]) -> str:
    """Return a kernel's docstring."""
    names = ", ".join(dict.fromkeys(element.line.target for element in inside))
    words = f"{names}, element by element."
    most = WIDTH - len('    """"""')
    return words if len(words) <= most else f"{names[: most - 30].rpartition(',')[0]}, ..., element by element."


def _started(first: ParsedLine, made: WrittenKernel, behind: Sequence[str]) -> list[str]:
    """Return the lines that launch a kernel, and those after it, on the ranks that hold its elements."""
    indent = indent_of(first.text)
    target = f"{', '.join(made.names)} = " if len(made.names) != 1 else f"({made.names[0]},) = "
    lines = [f"{target if made.names else ''}{made.call}", *behind]
    if not first.condition:
        return [broken(f"{indent}{line}") for line in lines]
    known = sorted(names_in(lines)[1])
    nothing = [f"{indent}{' = '.join(known)} = None"] if known else []
    return [*nothing, f"{indent}if {first.condition}:\n" + "\n".join(broken(f"{indent}    {line}") for line in lines)]
