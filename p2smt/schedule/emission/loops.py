"""Emission of a loop over chunks as a function.

Method: software pipelining (Lam, "Software pipelining: an effective scheduling technique for VLIW machines", 1988).
With stages 0, 1, ..., s - 1 and n chunks, turn t of the function runs
    stage k on chunk t - k,   if 0 <= t - k < n,   for t = 0, 1, ..., n + s - 2,
so a collective that one stage begins is under way while earlier stages compute on later chunks; the first stage that
reads it waits for it. A chunk lives from the stage that makes it to the last one that reads it, which removes it from
its table. Results that are read outside are written chunk by chunk into a whole tensor.
Complexity: the emitted text is linear in the statements of the loop, whatever n.

Example: a product (stage 0) whose AllReduce stage 1 reads, in 4 chunks: 5 turns. Turn 2 multiplies chunk 2, begins its
AllReduce, and works on chunk 1, whose AllReduce has run meanwhile.
"""

from dataclasses import replace

from p2smt.emit.torch.program.cuts import DimensionCut, cut_of
from p2smt.emit.torch.program.lines import WIDTH, broken
from p2smt.emit.torch.program.source import says
from p2smt.emit.torch.program.value import Value, type_text
from p2smt.errors import ProgramError
from p2smt.schedule.chunks import Chunker
from p2smt.schedule.emission.functions import CalledFunction, Scope, unit
from p2smt.schedule.emission.kernels import Kernels
from p2smt.schedule.emission.reading import chunk_name, on_chunk
from p2smt.schedule.emission.symmetric import symmetric_lines
from p2smt.schedule.emission.turns import Turn, is_collective, turns
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.graph import observed, readers, statements
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.tensor.expression import Call, Read

_INSIDE = " " * 12


class LoopWriter:
    """Writes one loop; afterwards the writer knows its results as whole tensors."""

    def __init__(
        self, writer: ScheduleWriter, scheduled: ScheduledProgram, loop: Loop, kernels: Kernels | None = None
    ) -> None:
        self._writer = writer
        self._scheduled = scheduled
        self._kernels = kernels
        self._loop = loop
        self._program = scheduled.program
        self._typed = typed(scheduled.program)
        self._expressions = statements(scheduled.program)
        inside = {name for stage in loop.stages for name in scheduled.members(stage)}
        names = [each.name for each in scheduled.program.statements if each.name in inside]
        self._chunking = Chunker(self._typed, names, loop.dimension)
        self._chunking.run()
        self._slices = self._chunking.chunks().slices
        self._turns = turns(scheduled, loop, self._chunking)
        self._turn_of = {name: number for number, turn in enumerate(self._turns) for name in turn}
        self._outside = self._read_outside(inside)
        self._readers = self._reading_turns()
        self._buffers: dict[str, str] = {}
        self._tables: dict[str, str] = {}
        self._results: list[str] = []
        self._head: list[str] = []

    def _read_outside(self, inside: set[str]) -> set[str]:
        """Return the statements needed as whole tensors: by others, by the caller, or as a new version of a state."""
        read_by, seen = readers(self._program), observed(self._program)
        return {
            name
            for name in inside
            if set(read_by[name]) - inside or name in seen or self._old_version(name) is not None
        }

    def _old_version(self, name: str) -> str | None:
        match self._expressions[name]:
            case Call("update", (Read(old), _)):
                return old
            case _:
                return None

    def _reading_turns(self) -> dict[str, list[int]]:
        """Return the turns that read each statement's chunk."""
        found: dict[str, list[int]] = {name: [] for name in self._turn_of}
        for name, number in self._turn_of.items():
            _, chunks = on_chunk(self._expressions[name], self._chunking.dimensions[name], self._typed)
            for read, _ in chunks.values():
                if read in found and number not in found[read]:
                    found[read].append(number)
        return {name: sorted(numbers) for name, numbers in found.items()}

    def _is_collective(self, name: str) -> bool:
        return is_collective(self._expressions[name])

    def _arrives(self, name: str) -> int:
        """Return the turn in which a value is available.

        For a collective, this is its first reader's turn, or one past the last.
        """
        if not self._is_collective(name):
            return self._turn_of[name]
        return (self._readers[name] or [len(self._turns)])[0]

    def write(self, words: str, scope: Scope) -> CalledFunction:
        """Return the loop's function."""
        writer, count = self._writer, self._loop.chunks
        writer.cuts.even_chunks = len(set(self._slices)) == 1
        blocks = [self._block(number, turn) for number, turn in enumerate(self._turns)]
        last = [name for name in self._turn_of if self._arrives(name) == len(self._turns)]
        if last:
            blocks.append(self._block(len(self._turns), tuple(last)))
        turning = [f"    for turn in range({count + len(blocks) - 1}):"]
        for number, (lines, turn) in enumerate(blocks):
            when = f"0 <= (chunk := turn - {number}) < {count}" if number else f"(chunk := turn) < {count}"
            turning += [f"        # {turn}", f"        if {when}:", *lines]
        sizes = ", ".join(map(str, self._slices))
        rows = broken(f"    rows = Chunks({count}, ({sizes}{',' if len(self._slices) == 1 else ''}))")
        symmetric = symmetric_lines(writer, self._scheduled, self._loop, tuple(self._buffers))
        return unit(writer, self._loop.name, words, [*symmetric, rows, *self._head, *turning], self._results, scope)

    def _block(self, number: int, turn: Turn) -> tuple[list[str], str]:
        """Return a turn's lines on a chunk, and a description of the turn."""
        writer = self._writer
        writer.lines, writer.indent, writer.in_loop = [], _INSIDE, True
        behind = number == len(self._turns)
        known: set[str] = set()
        for name in turn:
            if behind:
                self._waited(name)
            else:
                self._statement(name, number, known)
        lines, writer.lines = writer.lines, []
        writer.indent, writer.in_loop = "    ", False
        words = f"what is left of {', '.join(turn)}" if behind else ", ".join(turn)
        chunks = self._chunks_of(lines)
        if self._kernels is not None:
            lines = self._kernels.put(self._loop.name, lines, ())
        return [*chunks, *lines], words

    def _chunks_of(self, lines: list[str]) -> list[str]:
        """Return the chunk definitions that a turn's lines need, as its first lines.

        ProgramError for operations that need a single interval.
        """
        text, found = "\n".join(lines), []
        for name, cut in self._writer.cuts.known_chunks():
            if not says(text, name):
                continue
            # One start is all that emitted code asks for; a chunk of several slices has as many blocks.
            if says(text, rf"{name}\.start") and self._is_scattered(cut):
                raise ProgramError(
                    f"the loop {self._loop.name} has an operation that depends on element indices, such as "
                    "dropout, but its chunks are not contiguous; leave that operation out of the loop"
                )
            literal = self._writer.cuts.constant(cut) if cut.axes else f"Cut(({cut.length},), ())"
            found.append(f"{_INSIDE}{name} = rows.block(at, {literal}, chunk)")
        return found

    def _is_scattered(self, cut: DimensionCut) -> bool:
        """True if a rank's chunk consists of several blocks."""
        unit_length = max(1, cut.length // max(1, sum(self._slices)))
        ends, begin = [], 0
        for size in self._slices:
            ends.append(begin * unit_length)
            begin += size
        start = 0
        for size in cut.sizes:
            if sum(start <= end < start + size for end in ends) > 1:
                return True
            start += size
        return False

    def _statement(self, name: str, number: int, known: set[str]) -> None:
        """Write one statement on a chunk."""
        writer, dimension = self._writer, self._chunking.dimensions[name]
        expression, chunks = on_chunk(self._expressions[name], dimension, self._typed)
        for key, (read, along) in chunks.items():
            if key not in known:
                known.add(key)
                self._read(key, read, along, number)
        value = replace(writer.value(name, expression), chunked=dimension)
        if self._is_collective(name):
            self._begun(name, value, known)
        else:
            self._assigned(name, writer.names.of(name), value)
            known.add(chunk_name(name, dimension))
            self._arrived(name, number)

    def _read(self, key: str, name: str, dimension: int, number: int) -> None:
        """Write the read of a chunk that was computed in an earlier turn, or lies outside the loop."""
        writer = self._writer
        if name not in self._turn_of:
            whole = writer.values[name]
            local = writer.names.fresh(f"{whole.text}_chunk")
            part = writer.cuts.chunk(cut_of(whole.layouts, dimension) or DimensionCut((whole.shape[dimension],), ()))
            self._line(f"{local} = {part}.of({whole.text}, {dimension})")
            writer.values[key] = replace(whole, text=local, is_name=True, chunked=dimension)
        elif self._is_collective(name) and self._arrives(name) == number:
            self._waited(name)
        elif number > self._arrives(name):
            local, table = writer.names.of(name), self._table(name)
            # The last reader takes the chunk out, so that its memory is free from then on.
            taken = f"{table}.pop(chunk)" if self._readers[name][-1] == number else f"{table}[chunk]"
            self._line(f"{local} = {taken}")

    def _begun(self, name: str, value: Value, known: set[str]) -> None:
        """Write the start of a collective, which the turn that first reads it awaits."""
        writer = self._writer
        local = writer.names.of(name)
        key = chunk_name(name, self._chunking.dimensions[name])
        writer.values[key] = replace(value, text=local, is_atom=True, is_name=True, along=None)
        condition = writer.axes_with(value)
        text = f"{value.text}{f' if {condition} else None' if condition else ''}"
        if self._arrives(name) == self._turn_of[name]:
            self._line(f"{local} = waited({text})", value)
            known.add(key)
            self._arrived(name, self._turn_of[name])
        else:
            self._line(f"{self._table(name, 'begun')}[chunk] = {text}", value)

    def _waited(self, name: str) -> None:
        self._line(f"{self._writer.names.of(name)} = waited({self._table(name, 'begun')}.pop(chunk))")
        self._arrived(name, self._arrives(name))

    def _assigned(self, name: str, local: str, value: Value) -> None:
        writer = self._writer
        condition = writer.axes_with(value)
        self._line(f"{local} = {value.text}{f' if {condition} else None' if condition else ''}", value)
        key = chunk_name(name, self._chunking.dimensions[name])
        writer.values[key] = replace(value, text=local, is_atom=True, is_name=True, along=None)

    def _arrived(self, name: str, number: int) -> None:
        """Write the lines that keep a chunk for later turns, and copy it into the whole tensor if needed."""
        local, dimension = self._writer.names.of(name), self._chunking.dimensions[name]
        if any(turn > number for turn in self._readers[name]):
            self._line(f"{self._table(name)}[chunk] = {local}")
        if name in self._outside:
            value = self._writer.values[chunk_name(name, dimension)]
            cut = cut_of(value.layouts, dimension) or DimensionCut((value.shape[dimension],), ())
            self._line(f"{self._writer.cuts.chunk(cut)}.put({self._buffer(name, value)}, {dimension}, {local})")

    def _table(self, name: str, word: str = "chunks") -> str:
        """Return the name of the table of a value's chunks, or of the pending collectives that compute them."""
        key = f"{name} {word}"
        if key not in self._tables:
            self._tables[key] = self._writer.names.fresh(f"{self._writer.names.of(name)}_{word}")
            kind = "Pending | None" if word == "begun" else "torch.Tensor"
            self._head.append(f"    {self._tables[key]}: dict[int, {kind}] = {{}}")
        return self._tables[key]

    def _buffer(self, name: str, value: Value) -> str:
        """Return the whole tensor that chunks of a value are written into; an overwritten state's own tensor."""
        writer, old = self._writer, self._old_version(name)
        if old is not None and writer.is_overwritten(name):
            writer.values[name] = writer.values[old]
            return writer.values[old].text
        if name not in self._buffers:
            whole = replace(value, chunked=None)
            text = self._buffers[name] = writer.names.fresh(f"{writer.names.of(name)}_whole")
            lengths = [span.length for span in writer.cuts.spans(value.shape, value.layouts)]
            assert value.dtype is not None
            shape = f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
            empty = f"torch.empty({shape}, dtype={type_text(value.dtype, writer.real)}, device=at.device)"
            condition = writer.axes_with(whole)
            self._head.append(broken(f"    {text} = {empty}{f' if {condition} else None' if condition else ''}"))
            self._results.append(text)
            writer.values[name] = replace(whole, text=text, is_atom=True, is_name=True)
        return self._buffers[name]

    def _line(self, text: str, value: Value | None = None) -> None:
        comment = "" if value is None else f"  # {self._writer.comment(value)}"
        line = f"{_INSIDE}{text}"
        together = f"{line}{comment}"
        if len(together) <= WIDTH:
            self._writer.lines.append(together)
        else:
            self._writer.lines += [*([f"{_INSIDE}{comment.strip()}"] if comment else []), broken(line)]
