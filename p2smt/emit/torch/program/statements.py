"""The statements of a distributed program as lines of Python, one each, with their layouts as comments."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from p2smt.emit.torch.program.buckets import BucketMember, begun_call, bucket_call, gathered_once
from p2smt.emit.torch.program.calls import called, number_tensor
from p2smt.emit.torch.program.conversions import EmittedAxis, converted
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.deletions import deleting
from p2smt.emit.torch.program.in_place import in_place
from p2smt.emit.torch.program.layout_comments import layouts_text
from p2smt.emit.torch.program.lines import WIDTH, broken
from p2smt.emit.torch.program.marks import StatementLine
from p2smt.emit.torch.program.names import PythonNames
from p2smt.emit.torch.program.native import NativeCalls
from p2smt.emit.torch.program.optimizer_text import OptimizerText
from p2smt.emit.torch.program.overlap import is_gather
from p2smt.emit.torch.program.storage import last_readers, operated_on, overwriting
from p2smt.emit.torch.program.value import Value, real_type
from p2smt.errors import ProgramError
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Source, SourceKind, Statement
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import InferenceStep, Layouts, Refused
from p2smt.tensor.layout import OnRank
from p2smt.tensor.program import Program
from p2smt.tensor.way import Way
from p2smt.wording import counted

_NESTED, _NESTED_IN_UPDATE = 64, 128
_LONG = 100


class StatementWriter:
    """Writes the statements of a program in order; `lines` has the result.

    `written` has the same statements, each on one line, without deletions.

    Emitted lines use `at`, the rank's position in the mesh; `step`, the number of the step; one name per axis; and
    `cut_12` and the like, which `cuts` knows; several programs in one file share them. `programs` are the functions of
    reduction programs, by statement. Gradients that torch computes together are written so if `together`. Values that
    only one rank has are None on the others. Raises ProgramError for a program that fails inference.
    """

    def __init__(
        self,
        program: Program,
        reserved: frozenset[str],
        ways: Mapping[str, Way],
        cuts: Cuts | None = None,
        programs: Mapping[str, str] = MappingProxyType({}),
        *,
        together: bool = False,
    ) -> None:
        inferred = infer(program)
        if isinstance(inferred, Refused):
            raise ProgramError(f"program {program.name} cannot be emitted: {inferred}; p2smt verify shows the mistake")
        self._program = program
        self._inferred = inferred
        self._last = {step.statement: number for number, step in enumerate(inferred.steps)}
        self._ways, self._programs, self._kept = ways, programs, gathered_once(program)
        self._overwriting, self._operated_on = overwriting(program), operated_on(program)
        self.real = real_type(program)
        self.cuts = Cuts() if cuts is None else cuts
        self.names = PythonNames({*reserved, "at", "given", "math", "torch", "dist", "step", "prod", "outputs", "new"})
        self.axes = tuple(
            EmittedAxis(number, self.names.fresh(f"along_{axis.name}"), axis.size)
            for number, axis in enumerate(program.mesh)
        )
        self.values = {source.name: self._source(source, inferred.layouts[source.name]) for source in program.sources}
        self.lines: list[str] = []
        self.written: list[StatementLine] = []
        self.indent, self._number = "    ", 0
        self._dead: list[str] = []
        self._optimizer = OptimizerText(program, inferred)
        self.native = NativeCalls(program if together else replace(program, statements=()), inferred)
        self._ends = self.native.lives(self._optimizer.lives(last_readers(program)))
        self._begun: dict[str, tuple[str, Sequence[BucketMember]]] = {}

    def _source(self, source: Source, layouts: Layouts) -> Value:
        if source.kind is not SourceKind.SCALAR:
            name = self.names.of(source.name)
            return Value(text=name, layouts=layouts, shape=source.shape, dtype=source.dtype, is_name=True)
        text = "step" if source.name == "step" else self.names.of(source.name)
        return Value(text=text, layouts=layouts, is_name=True)

    def write(self, statement: Statement) -> None:
        """Write a statement; collectives, and parts that would make its line too long, get lines before it.

        A new version that overwrites the old one keeps its name. Values are deleted after their last reader.
        """
        if self._optimizer.absorbs(statement.name):
            self._optimize(statement)
            return
        if self.native.absorbs(statement.name, self.values):
            self._delete()
            return
        value = self.value(statement.name, statement.expression)
        match statement.expression:
            case Call("update", (Read(old), _)) if statement.name in self._overwriting and not self._where(value):
                self._line(value.text, value)
                self.values[statement.name] = self.values[old]
            case _:
                name = self.names.of(statement.name)
                if kept := self.native.left(statement.name, self.names):
                    self._line(f"{name}, {kept} = kept_{value.text}", value)
                elif value.text != name:  # a native call may have given it its name already
                    self._assign(name, value)
                self.values[statement.name] = replace(value, text=name, is_atom=True, is_name=True, along=None)
        self._delete()

    def _optimize(self, statement: Statement) -> None:
        """Leave a statement to an optimizer call, which is written at the last of these statements."""
        match statement.expression:
            case Call("update", (Read(old), _)):
                self.values[statement.name] = self.values[old]
            case _:
                pass
        if self._optimizer.is_last(statement.name):
            for table, call, comment in self._optimizer.calls(self.values, self.real):
                name = self.names.fresh("gradients")
                self._written(f"{name} = {table}", comment)
                self._written(call.format(name), comment)
                self._dead.append(name)
        self._delete()

    def write_bucket(self, statements: Sequence[Statement]) -> None:
        """Write conversions as one call; their operands get names first."""
        self._made(statements, *self._together(statements, bucket_call), "")

    def begin_bucket(self, statements: Sequence[Statement]) -> None:
        """Write the call that begins collectives; a reduction may follow its operands to another place."""
        members, call = self._together(statements, begun_call)
        name = self.names.fresh(f"bucket_{len(self._begun) + 1}")
        self._begun[statements[0].name] = name, members
        what = counted(len(members), "tensor")
        self._written(f"{name} = {call}", f"# {what}, under way", early=not is_gather(statements))
        for _ in statements:
            self._delete()

    def await_bucket(self, statements: Sequence[Statement]) -> None:
        """Write the call that waits for collectives that were begun."""
        name, members = self._begun[statements[0].name]
        self._made(statements, members, f"{name}()", f"of {name}: ")
        self._dead.append(name)

    def _together(self, statements: Sequence[Statement], text: Callable[..., str]) -> tuple[list[BucketMember], str]:
        """Return the conversions of a bucket, and their call by `text`."""
        members, along = [], self.axes[0]
        for each in statements:
            assert isinstance(each.expression, Convert)
            step = self._inferred.steps[self._last[each.name]]
            held = self._named(self.value(each.name, each.expression.operand, step.operands[0]))
            along = self.axes[self._program.axis(each.expression.axis)]
            members.append(BucketMember(each.expression.conversion, number_tensor(held, self.real), step.layouts))
        first = statements[0].name
        way, by = self._way(first), self._programs.get(first, "")
        return members, text(members, along, self.cuts, way, by, is_kept=first in self._kept)

    def _made(self, statements: Sequence[Statement], members: Sequence[BucketMember], call: str, of: str) -> None:
        """Write the assignment of a call's results to their names, with a comment that begins with `of`."""
        made = [
            replace(each.value, text=self.names.of(statement.name), layouts=each.after, is_atom=True, is_name=True)
            for each, statement in zip(members, statements, strict=True)
        ]
        words = "; ".join(dict.fromkeys(map(self._words, made)))
        comment = f"# {of}{words if len(words) < _LONG else f'a bucket of {len(made)}'}"
        targets = ", ".join(each.text for each in made)
        self._written(f"{targets if len(made) > 1 else f'({targets},)'} = {call}", comment)
        for value, statement in zip(made, statements, strict=True):
            self.values[statement.name] = value
            if not of:
                self._delete()

    def _delete(self) -> None:
        """Delete names whose values are not read any more."""
        number, self._number = self._number, self._number + 1
        self._dead += [self.values[name].text for name in self._ends.get(number, ())]
        self.lines += deleting(self._dead)
        self._dead = []

    def tensor(self, name: str) -> str:
        """Return the value of a program's name, as a tensor."""
        return number_tensor(self.values[name], self.real).text

    def _assign(self, name: str, value: Value) -> None:
        self._line(f"{name} = {value.text}{self._where(value)}", value)

    def _gradient(self, call: Call) -> Value | None:
        """Return the value of a gradient that a native call computes together with others; None if it is separate."""
        if (found := self.native.of(call)) is None:
            return None
        if not found.values:
            line = self.native.written(found, call, self.values, self.names, self.cuts, self.real)
            if not line:
                return None
            self._written(line, f"# {'; '.join(dict.fromkeys(map(self._words, found.values.values())))}")
            self._dead += [found.kept] if found.forward else []
        return found.values.get(call.operation)

    def _line(self, text: str, value: Value) -> None:
        """Write a line, with the layouts as a comment."""
        self._written(text, f"# {self._words(value)}")

    def _written(self, text: str, comment: str, *, early: bool = False) -> None:
        self.written.append(StatementLine(text, comment, early))
        line = f"{self.indent}{text}"
        together = f"{line}  {comment}"
        self.lines.extend([together] if len(together) <= WIDTH else [f"{self.indent}{comment}", broken(line)])

    def _where(self, value: Value) -> str:
        """Return the condition for ranks that compute a value, "" if all do; the others have None."""
        roots = [  # only OnRank: all ranks have the others
            f"{axis.name}.has({layout.rank})"
            for axis, layout in zip(self.axes, value.layouts, strict=True)
            if isinstance(layout, OnRank) and axis.number != value.along
        ]
        return f" if {' and '.join(roots)} else None" if roots else ""

    def _words(self, value: Value) -> str:
        """Return the layouts as programs write them, with the names of shardings."""
        return layouts_text(value, self.cuts, [axis.name for axis in self._program.mesh])

    def value(self, statement: str, expression: Expression, number: int | None = None) -> Value:
        """Return the value of a statement's expression, whole or on a chunk; parts that need names are written first.

        `number` is the number of the step for a part of the expression.
        """
        step = self._inferred.steps[self._last[statement] if number is None else number]
        match expression:
            case Read(name):
                value = self.values[name]
                return replace(value, in_place=value.text) if self._operated_on.get(statement) == name else value
            case Number(written):
                return Value(text=repr(written), layouts=step.layouts, is_atom=written >= 0)
            case Ranks(axis):
                return Value(text=str(self.axes[self._program.axis(axis)].ranks), layouts=step.layouts)
            case Call():
                return self._called(expression, step)
            case Convert(conversion, operand, axis):
                held = self._named(self.value(statement, operand, step.operands[0]))
                return self._converted(conversion, held, self.axes[self._program.axis(axis)], step)

    def _converted(self, conversion: Conversion, held: Value, along: EmittedAxis, step: InferenceStep) -> Value:
        way, by = self._way(step.statement), self._programs.get(step.statement, "")
        return converted(conversion, held, step.layouts, along, self.cuts, way, self.real, by)

    def _way(self, statement: str) -> Way:
        return self._ways.get(statement, Way.PADDED)

    def _operands(self, call: Call, step: InferenceStep) -> list[Value]:
        pairs = zip(call.operands, step.operands, strict=True)
        return [self.value(step.statement, operand, number) for operand, number in pairs]

    def _called(self, call: Call, step: InferenceStep) -> Value:
        if (gradient := self._gradient(call)) is not None:
            return gradient
        operands = self._operands(call, step)
        for number, operand in enumerate(call.operands):
            if isinstance(operand, Convert):
                operands[number] = self._named(operands[number])
        most = _NESTED_IN_UPDATE if call.operation == "update" else _NESTED
        while sum(len(operand.text) for operand in operands) > most:
            weights = [(not operand.stays, len(operand.text)) for operand in operands]
            longest = weights.index(max(weights))
            if operands[longest].stays:
                break
            operands[longest] = self._named(operands[longest])
        if call.operation == "update":
            return self._updated(step.statement, operands, step.layouts)
        emitted = self.native.emitted(step.statement, call, self.values, self._dead)
        made = called(call, operands, step.layouts, self.cuts, self.real, emitted)
        return replace(made, in_place=in_place(call.operation, operands, made))

    def _updated(self, statement: str, operands: list[Value], layouts: Layouts) -> Value:
        old, new = operands[0], number_tensor(operands[1], self.real)
        written = new.in_place or f"{old.text}.copy_({new.text})"
        text = written if statement in self._overwriting else f"{new.operand}.clone()"
        return replace(old, text=text, layouts=layouts, is_name=False, in_place="")

    def _named(self, value: Value) -> Value:
        """Assign the value to a name of its own, unless it is a name."""
        if value.is_name:
            return value
        name = self.names.fresh("value")
        self._assign(name, value)
        self._dead.append(name)
        return replace(value, text=name, is_atom=True, is_name=True, along=None, in_place="")
