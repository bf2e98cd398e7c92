"""Writer of a scheduled program's statements.

Collectives use their chosen implementations, and are asynchronous in loops.
"""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.emit.torch.program.calls import number_tensor
from p2smt.emit.torch.program.conversions import EmittedAxis
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.statements import StatementWriter
from p2smt.emit.torch.program.value import Value, type_text
from p2smt.schedule.emission.exchanges import GATHER, SCATTER, Exchanges
from p2smt.schedule.kernel import sends
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.judgement import InferenceStep, Layouts
from p2smt.tensor.program import Program


class ScheduleWriter(StatementWriter):
    """Writes statements; those in loops work on chunks.

    `exchanged` has the collectives emitted as block exchanges. With `ordered`, sums are computed in rank
    order, so that results are equal bit for bit however a schedule slices them. `programs` has the functions
    of reduction programs, by statement, conversion and axis number. Names are not deleted here, but at the
    end of functions.
    """

    def __init__(
        self, program: Program, reserved: frozenset[str], cuts: Cuts, exchanged: Exchanges, *, ordered: bool
    ) -> None:
        super().__init__(program, reserved, {}, cuts)
        self._exchanged = exchanged
        self._ordered = ordered
        self.in_loop = False
        self.programs: Mapping[tuple[str, Conversion, int], str] = {}
        self._named_values: dict[str, Value] = {}

    @property
    def is_ordered(self) -> bool:
        """True if sums are computed in rank order."""
        return self._ordered

    def known(self) -> dict[str, Value]:
        """Return the value behind every name that lines assign or receive."""
        return {each.text: each for each in self.values.values() if each.is_name} | self._named_values

    def _assign(self, name: str, value: Value) -> None:
        self._named_values[name] = value
        super()._assign(name, value)

    def is_overwritten(self, update: str) -> bool:
        """True if an update overwrites the old version."""
        return update in self._overwriting

    def axes_with(self, value: Value) -> str:
        """Return the condition that holds on ranks with a value; empty if all ranks have it."""
        return self._where(value).removesuffix(" else None").removeprefix(" if ")

    def comment(self, value: Value) -> str:
        """Return the layouts of a value in words."""
        return self._words(value)

    def _delete(self) -> None:
        self._dead = []

    def _converted(self, conversion: Conversion, held: Value, along: EmittedAxis, step: InferenceStep) -> Value:
        value = super()._converted(conversion, held, along, step)
        if not sends(conversion):
            return value
        name, _, rest = value.text.partition("(")
        name = self._function(name, step.statement, conversion, along)
        return replace(value, text=f"{'begin_' if self.in_loop else ''}{name}({rest}")

    def _function(self, name: str, statement: str, conversion: Conversion, along: EmittedAxis) -> str:
        if (statement, conversion, along.number) in self.programs:
            return self.programs[statement, conversion, along.number]
        for function in (SCATTER, GATHER):
            is_exchange = (statement, function) in self._exchanged or (self._ordered and function == SCATTER)
            if is_exchange and name.startswith(function):
                return f"{function}_exchanged"
        return f"{name}_ordered" if self._ordered and name in ("all_reduce", "reduce") else name

    def _updated(self, statement: str, operands: list[Value], layouts: Layouts) -> Value:
        """Return the updated value; in a loop only the new version's chunk, which the loop writer stores."""
        if not self.in_loop:
            return super()._updated(statement, operands, layouts)
        old, new = operands[0], number_tensor(operands[1], self.real)
        if new.dtype is not old.dtype:
            assert old.dtype is not None
            text = f"{new.operand}.to({type_text(old.dtype, self.real)})"
            return replace(old, text=text, layouts=layouts, is_name=False)
        return replace(new, layouts=layouts, shape=old.shape, chunked=old.chunked)
