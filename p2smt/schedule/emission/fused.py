"""Fused all-reduces as one kernel each: a ReduceScatter, what is computed on slices, and an AllGather.

With x[p] the summands of rank p and S[r] the slice of rank r, rank r computes, and all ranks then read,
    y[S[r]] = f(sum over p of x[p][S[r]], state[r], totals),
where f is element-wise, state[r] stays in slices, and totals are sums, largest or smallest elements over all ranks.
Method: the lines of the group as they are emitted without the kernel are read again. Between the two collectives a
chain of lines is cut into parts wherever a reduction has to be of all ranks before a later line can read it; a part is
one pass over the slice (`fused_text.py`). Lines that need nothing from the kernel stay outside of it.
Complexity: linear in the lines, times the parts, of which there is one more than reductions that are waited for.
Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 5.2 (fused communication collectives).

Example: LAMB divides by the norm of its update. Part 1 adds up gradients, updates moments and squares the update; all
blocks of all ranks meet; part 2 scales the update by the norms, and stores the parameter's slice for all ranks.

A group that cannot be one kernel is written as `Kernels` does, with the reason.
"""

import ast
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import assert_never

from p2smt.emit.target import KernelLanguage
from p2smt.emit.torch.program.lines import WIDTH, broken
from p2smt.emit.torch.program.value import FLOATS, type_text
from p2smt.errors import ProgramError
from p2smt.schedule.emission.fused_chain import ChainEnds, ChainPart, NotFusedError, only_call, summed_over_ranks
from p2smt.schedule.emission.fused_text import FusedChain, FusedText
from p2smt.schedule.emission.kernel_share import KernelShare
from p2smt.schedule.emission.kernel_text import KernelText, WrittenPart
from p2smt.schedule.emission.kernels import Element, Kernels, kernel_helpers
from p2smt.schedule.emission.parsed_lines import ParsedLine, only_looks, parsed, with_comments
from p2smt.schedule.emission.spaces import Space, space_of, together
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.scheduled import Kernel, KernelGroup, Loop

_SCATTER, _GATHER = "reduce_scatter", "all_gather"


class FusedKernels(Kernels):
    """Writes fused all-reduces as one kernel each, and other groups as `Kernels` does.

    `refused` has the reason for every fused all-reduce that is not one kernel.
    """

    def __init__(self, writer: ScheduleWriter, helpers: str) -> None:
        super().__init__(writer, helpers)
        self.fused: list[str] = []
        self.refused: dict[str, str] = {}

    def note_loop(self, loop: Loop, groups: Iterable[KernelGroup]) -> None:
        """Note why the fused all-reduces of a loop are not kernels."""
        reason = f"the loop {loop.name} carries it out chunk by chunk"
        self.refused |= {group.name: reason for group in groups if group.kernel is Kernel.ALL_REDUCE}

    def words(self) -> str:
        """Return lines on kernels that communicate, for the file's docstring."""
        named = ", ".join(self.fused)
        words = (
            f"One kernel each, with the collectives: {named}. Its ranks are GPUs of one machine with symmetric memory, "
            "or processes of one machine where triton's interpreter runs kernels. p2smt schedule prices it as the "
            "library's collectives in one launch, not as reads of other GPUs' memory."
        )
        return "\n" + "\n".join(wrap(words, WIDTH))

    def all_texts(self) -> list[str]:
        """Return all kernels, after the helpers they call. ProgramError if no fused all-reduce is one."""
        if not self.fused:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in self.refused.items())
            raise ProgramError(
                f"no fused all-reduce of the schedule is one kernel{f' ({reasons})' if reasons else ''}; fuse a "
                "ReduceScatter, what is computed on its slices, and the AllGather, or use --kernels triton"
            )
        return super().all_texts()

    def put_group(self, group: KernelGroup, lines: Sequence[str], results: Iterable[str]) -> list[str]:
        """Return the lines of a group, one kernel if it is a fused all-reduce; `results` are read afterwards."""
        if group.kernel is not Kernel.ALL_REDUCE:
            return super().put_group(group, lines, results)
        label = group.name
        read, wanted = [parsed(line) for line in with_comments(lines)], set(results)
        try:
            return self._fused(label, read, wanted)
        except NotFusedError as error:
            self.refused[label] = str(error)
            return [f"    # Not one kernel: {error}", *self.put(label, lines, wanted)]

    def _fused(self, label: str, read: Sequence[ParsedLine], wanted: set[str]) -> list[str]:
        self._begin()
        first, last = (only_call(read, function) for function in (_SCATTER, _GATHER))
        before, inside, behind = read[:first], read[first + 1 : last], read[last + 1 :]
        ends = self._ends(read[first], read[last])
        read_later = wanted | {name for line in behind for name in line.reads}
        outside, parts = self._parts(inside, ends)
        text = self._text(label, ends, parts, read_later)
        lines = self.put(
            label, [line.text for line in before], wanted | {name for line in read[first:] for name in line.reads}
        )
        lines += [line.text for line in outside]
        self.texts.append(text.text(_words(ends, parts)))
        self.fused.append(label)
        self.shares.append(KernelShare(label, 1, ()))
        lines.append(broken(f"    {text.call()}"))
        return lines + self.put(label, [line.text for line in behind], wanted)

    def _ends(self, scattered: ParsedLine, gathered: ParsedLine) -> ChainEnds:
        if scattered.condition or gathered.condition:
            raise NotFusedError("only some ranks compute it")
        match scattered.node, gathered.node:
            case (
                ast.Call(_, [ast.Name(summands), axis, ast.Constant(int(cut)), part], []),
                ast.Call(_, [operand, other, ast.Constant(int(dimension)), theirs], []),
            ):
                pass
            case _:
                raise NotFusedError("its ReduceScatter does not add up a tensor, or is of an expression")
        if (ast.unparse(axis), cut, ast.unparse(part)) != (ast.unparse(other), dimension, ast.unparse(theirs)):
            raise NotFusedError("its AllGather puts slices together along another dimension")
        for name in (summands, gathered.target):
            if self._table[name].dtype not in FLOATS:
                raise NotFusedError(f"{name} has no floating-point numbers")
        return ChainEnds(scattered, gathered, summands, operand, ast.unparse(axis), cut, ast.unparse(part))

    def _parts(self, lines: Iterable[ParsedLine], ends: ChainEnds) -> tuple[list[ParsedLine], list[ChainPart]]:
        """Return the lines that need nothing from the kernel, and the parts of the kernel."""
        outside: list[ParsedLine] = []
        parts = [ChainPart()]
        made = {ends.scattered.target}
        for line in lines:
            partial = summed_over_ranks(line, parts[-1], ends.axis)
            if partial is not None:
                parts[-1].ends[partial.name] = line.target
            elif not line.reads & made and (only_looks(line) or self._is_number(line)):
                # A view of a state or a number: torch makes it before the launch, and the kernel is given it.
                outside.append(line)
                continue
            else:
                # Behind a total of all ranks a line may read it, and every block has to have it then.
                if parts[-1].ends:
                    parts.append(ChainPart())
                parts[-1].elements.append(self._computing(line, parts))
            made.add(line.target)
        for part in parts:
            for element in part.elements:
                if any(reduced.name not in part.ends for reduced in element.reduced):
                    raise NotFusedError(f"{element.line.target} is not only summed over all ranks")
        return outside, parts

    def _computing(self, line: ParsedLine, parts: Sequence[ChainPart]) -> Element:
        """Return the line as one that the kernel computes."""
        element = self._element(line)
        if not isinstance(element, Element):
            raise NotFusedError(f"torch computes {line.target or line.text.strip()}{f', {element}' if element else ''}")
        if line.condition:
            raise NotFusedError("only some ranks compute it")
        if line.reads & {other.line.target for part in parts for other in part.elements if other.reduced}:
            raise NotFusedError(f"{line.target} reads a sum over the own slice alone")
        return element

    def _text(self, label: str, ends: ChainEnds, parts: Sequence[ChainPart], read_later: set[str]) -> FusedText:
        """Return the kernel of a chain."""
        name = self._writer.names.fresh(f"{label}_kernel")
        space = space_of(self._table[ends.scattered.target])
        whole, real = ends.gathered.target, self._writer.real
        types = {
            each: type_text(dtype, real) for each, value in self._table.items() if (dtype := value.dtype) is not None
        }
        operands = {node.id for node in ast.walk(ends.operand) if isinstance(node, ast.Name)}
        written: list[WrittenPart] = []
        stored: list[str] = []
        values = {ends.scattered.target}
        for number, part in enumerate(parts):
            # Each part is a loop of its own over the slice, so what a later one reads has to be stored: in a result of
            # the kernel if lines behind it read that too, else in scratch memory.
            later = {each for other in parts[number + 1 :] for element in other.elements for each in element.line.reads}
            is_last = number == len(parts) - 1
            later |= set() if is_last else operands
            reads = {each for element in part.elements for each in element.line.reads}
            reads |= operands if is_last else set()
            # The scattered sum is added up where it is first read, and stored only if it is read again.
            kept = number == 0 and ends.scattered.target in later | read_later
            known = sorted(values & (reads | ({ends.scattered.target} if kept else set())))
            text = KernelText(self._writer.names.fresh(f"{label}_part"), self._table, space, known)
            wanted = self._assigned(text, part, space, later | read_later)
            if kept:
                wanted.insert(0, ends.scattered.target)
                values.discard(ends.scattered.target)
            stored += [each for each in wanted if each not in stored]
            if is_last:
                text.assign(whole, ends.operand)
                wanted = [*wanted, whole]
            written.append(text.part(wanted, f"{', '.join(sorted(part.made)) or whole}, element by element."))
            values |= {*part.ends.values()}
        made = {each: types[each] for each in stored if each in read_later}
        return FusedText(
            FusedChain(
                name=name,
                summands=ends.summands,
                scattered=ends.scattered.target,
                whole=whole,
                whole_type=types[whole],
                along=(ends.axis, ends.part),
                cut=ends.cut,
                rank=len(space),
                parts=tuple(written),
                ends=tuple(part.ends for part in parts),
                made=made,
                scratch={each: types[each] for each in stored if each not in made},
            )
        )

    def _assigned(self, text: KernelText, part: ChainPart, space: Space, later: set[str]) -> list[str]:
        """Write the lines of a part; return the names that it stores for what reads them later."""
        wanted: list[str] = []
        for element in part.elements:
            target = element.line.target
            if together((space, element.space)) != space:
                raise NotFusedError(f"{target} has more elements than the slice")
            for reduced in element.reduced:
                text.reduce(reduced)
            if element.line.overwrites:
                text.overwrite(target, element.node)
            elif not element.reduced:
                text.assign(target, element.node)
                if target in later and target not in wanted:
                    if element.space != space:
                        raise NotFusedError(f"{target} has fewer elements than the slice, and is read later")
                    wanted.append(target)
        return wanted


def kernels_in(language: KernelLanguage, writer: ScheduleWriter, place: str) -> Kernels | None:
    """Return the writer of kernels in a language; None where torch computes. `place` is the type of `at`."""
    match language:
        case KernelLanguage.TORCH:
            return None
        case KernelLanguage.TRITON:
            return Kernels(writer, kernel_helpers(language, place))
        case KernelLanguage.TRITON_FUSED:
            return FusedKernels(writer, kernel_helpers(language, place))
        case _:
            assert_never(language)


def _words(ends: ChainEnds, parts: Sequence[ChainPart]) -> str:
    """Return a kernel's docstring."""
    names = ", ".join(dict.fromkeys(element.line.target for part in parts for element in part.elements))
    names = f"{ends.scattered.target}, {names}{', ' if names else ''}{ends.gathered.target}"
    words = f"{names}, on slices, in one kernel."
    most = WIDTH - len('    """"""')
    return words if len(words) <= most else f"{names[: most - 40].rpartition(',')[0]}, ..., on slices, in one kernel."
