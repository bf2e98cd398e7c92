"""Layout inference: the layout of every value of a distributed program, or the reason why a statement has none.

Type inference, with layouts as types: a statement's layouts follow from those of its operands, axis by axis,
    layout(y)[a] = result of the first rule of the operation whose operands match layout(x1)[a], layout(x2)[a], ...
so one pass in program order finds the only layouts, or the first statement that has none. Statements of one form
(`statement_form.py`) with operands of the same kinds have one judgement, which is looked up.
Complexity: O(statements x axes) look-ups, and a search of the rules for each different form.
Reference: Xu et al., "GSPMD: general and scalable parallelization for ML computation graphs", 2021, for rules by axis.

Example: x sliced by rows, w replicated: matmul has a rule (rows, whole) -> rows, so y is sliced by rows.
"""

from p2smt.errors import ProgramError
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.expression import Call, Convert, Number, Output, Ranks, Read, Source, SourceKind, Statement, parts
from p2smt.tensor.judgement import InferenceStep, Inferred, JudgedProgram, Layouts, Refused, StatementJudgement
from p2smt.tensor.layout import Layout, Partial, Replicated, has_to_be_declared, layout_text
from p2smt.tensor.placing import mixed, resolved
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.refusals import refusal
from p2smt.tensor.rule import RuleName, applied, rules
from p2smt.tensor.shapes import Whole, signature
from p2smt.tensor.signature import Shape, Signature
from p2smt.tensor.statement_form import Form, FormReader
from p2smt.tensor.typed_walk import TypedExpression, typed_statement, typed_walk


def infer_axis(signed: Signature, layouts: tuple[Layout, ...]) -> tuple[RuleName, Layout] | Refusal:
    """Return the rule that applies to the operands' layouts along one axis, and the layout of the result."""
    for rule in rules(signed):
        result = applied(rule, layouts)
        if result is not None:
            return rule.name, result
    return refusal(signed, layouts)


class JudgementTable:
    """Judgements of statements by their forms, for all programs on meshes of the same sizes."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        self.kinds: dict[tuple[Layouts, Whole], int] = {}
        self.judgements: dict[tuple[Form | int, ...], StatementJudgement] = {}
        self.steps: dict[tuple[object, ...], _Judgement] = {}

    def kind(self, layouts: Layouts, whole: Whole) -> int:
        """Return the number of these layouts, shape and element type."""
        return self.kinds.setdefault((layouts, whole), len(self.kinds))


def infer(program: Program) -> Inferred | Refused:
    """Infer the layouts of a program on its mesh.

    ProgramError if shapes do not fit, or an axis is unknown.
    """
    judged = judge(program)
    return judged if isinstance(judged, Refused) else Inferred(judged.layouts, _steps_of(program, judged))


def judge(program: Program, table: JudgementTable | None = None) -> JudgedProgram | Refused:
    """Infer the layouts of a program, statement by statement; statements of one form are judged once.

    `table` shares judgements with other programs on meshes of the same sizes. ProgramError as in `infer`.
    """
    sizes = tuple([axis.size for axis in program.mesh])
    try:
        return _Inference(program, JudgementTable(sizes) if table is None or table.sizes != sizes else table).run()
    except _RefusedError as refused:
        # A statement whose shapes do not fit is reported first, wherever it stands.
        typed_walk(program)
        return Refused(refused.statement, refused.refusal, refused.axis)
    except ProgramError:
        typed_walk(program)
        raise


def _steps_of(program: Program, judged: JudgedProgram) -> tuple[InferenceStep, ...]:
    """Return the steps of all statements, numbered through the program."""
    found: list[InferenceStep] = []
    for statement, judgement in zip(program.statements, judged.statements, strict=True):
        first = len(found)
        for expression, step in zip(parts(statement.expression), judgement.steps, strict=True):
            operands = tuple([first + number for number in step.operands])
            found.append(InferenceStep(statement.name, expression, step.whole, operands, *step[4:]))
    return tuple(found)


_Judgement = tuple[tuple[RuleName, ...], Layouts, int]
"""The rules of a step along each axis, its layouts, and its kind."""


class _RefusedError(Exception):
    def __init__(self, refusal: Refusal, axis: int | None = None, statement: str = "") -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.axis = axis
        self.statement = statement


class _Inference:
    def __init__(self, program: Program, table: JudgementTable) -> None:
        self._program = program
        self._table = table
        self._layouts: dict[str, Layouts] = {}
        self._wholes: dict[str, Whole] = {}
        self._kind_of: dict[str, int] = {}
        self._steps: list[InferenceStep] = []
        self._everywhere: Layouts = (Replicated(),) * len(program.mesh)
        self._literal: _Judgement = (), self._everywhere, table.kind(self._everywhere, Whole())

    def run(self) -> JudgedProgram:
        name = ""
        try:
            for source in self._program.sources:
                name = source.name
                layouts, whole = self._declared(source), Whole(source.shape, source.dtype)
                self._know(name, layouts, whole, self._table.kind(layouts, whole))
            judgements, reads = self._statements()
            for output in self._program.outputs:
                name = output.name
                self._output(output)
        except _RefusedError as refused:
            refused.statement = refused.statement or name
            raise
        return JudgedProgram(self._layouts, tuple(judgements), tuple(reads))

    def _know(self, name: str, layouts: Layouts, whole: Whole, kind: int) -> None:
        self._layouts[name], self._wholes[name], self._kind_of[name] = layouts, whole, kind

    def _statements(self) -> tuple[list[StatementJudgement], list[tuple[str, ...]]]:
        """Return the judgement of each statement, and the names that it reads."""
        reader, known, kind_of = FormReader(self._program), self._table.judgements, self._kind_of
        judgements, every = [], []
        for statement in self._program.statements:
            form, reads = reader.form(statement.expression)
            key = (form, *[kind_of[name] for name in reads])
            judgement = known.get(key)
            if judgement is None:
                judgement = known[key] = self._judgement(len(known), statement, reads)
            value = judgement.steps[-1]
            self._know(statement.name, value.layouts, value.whole, value.kind)
            judgements.append(judgement)
            every.append(reads)
        return judgements, every

    def _judgement(self, number: int, statement: Statement, reads: tuple[str, ...]) -> StatementJudgement:
        """Return the judgement of a statement, by the layouts of the values that it reads."""
        self._steps = []
        axes = []
        try:
            for each in typed_statement(statement, {name: self._wholes[name] for name in reads}):
                self._steps.append(InferenceStep(*each, *self._judged(each)))
                if isinstance(each.expression, Convert):
                    axes.append(self._program.axis(each.expression.axis))
        except _RefusedError as refused:
            refused.statement = statement.name
            raise
        return StatementJudgement(number, tuple(self._steps), tuple(axes))

    def _declared(self, source: Source) -> Layouts:
        layouts = resolved(source.layouts, self._program, source.shape)
        if isinstance(layouts, Refusal):
            raise _RefusedError(layouts)
        # only Partial: others are neither summed nor generated; a match beside it has what each is given
        if source.kind is SourceKind.CONSTANT and any(isinstance(each, Partial) for each in layouts):
            raise _RefusedError(
                Refusal(Reason.NOT_REPLICATED, "a constant is the same on all ranks, so it is not partial")
            )
        return layouts

    def _judged(self, typed: TypedExpression) -> _Judgement:
        match typed.expression:
            case Read(name):
                return (), self._layouts[name], self._kind_of[name]
            case Number():
                return self._literal
            case Ranks(axis):
                self._program.axis(axis)
                return self._literal
            case Call() as call:
                return self._call(call, typed)
            case Convert(conversion, _, axis):
                return self._convert(conversion, self._program.axis(axis), typed)

    def _call(self, call: Call, typed: TypedExpression) -> _Judgement:
        """Return the judgement of a call, cached by the kinds of its operands."""
        given = [self._steps[number] for number in typed.operands]
        key = (call.operation, call.attributes, *[each.kind for each in given])
        if key not in self._table.steps:
            rules, layouts = self._inferred(call, tuple([(each.layouts, each.whole.shape) for each in given]))
            self._table.steps[key] = rules, layouts, self._table.kind(layouts, typed.whole)
        return self._table.steps[key]

    def _convert(self, conversion: Conversion, axis: int, typed: TypedExpression) -> _Judgement:
        """Return the judgement of a conversion, cached by the kind of its operand."""
        given = self._steps[typed.operands[0]]
        key = (conversion, axis, given.kind)
        if key not in self._table.steps:
            after = converted(conversion, given.layouts, self._program.mesh, axis, typed.whole.shape)
            if isinstance(after, Refusal):
                raise _RefusedError(after, axis)
            layouts = (*given.layouts[:axis], after, *given.layouts[axis + 1 :])
            self._table.steps[key] = (), layouts, self._table.kind(layouts, typed.whole)
        return self._table.steps[key]

    def _inferred(
        self, call: Call, operands: tuple[tuple[Layouts, Shape], ...]
    ) -> tuple[tuple[RuleName, ...], Layouts]:
        if call.operation == "update" and operands[0][0] != operands[1][0]:
            texts = [", ".join(map(layout_text, layouts)) for layouts, _ in operands]
            raise _RefusedError(Refusal(Reason.UPDATE_LAYOUT, f"stored {texts[0]}, new {texts[1]}"))
        signed = signature(call, tuple(shape for _, shape in operands))
        names, results = [], []
        for axis in range(len(self._program.mesh)):
            result = infer_axis(signed, tuple(layouts[axis] for layouts, _ in operands))
            if isinstance(result, Refusal):
                raise _RefusedError(result, axis)
            names.append(result[0])
            results.append(result[1])
        if (clash := mixed(tuple(results))) is not None:
            raise _RefusedError(clash)
        return tuple(names), tuple(results)

    def _output(self, output: Output) -> None:
        """Check the layouts of an output.

        Partial and Local layouts must be declared, and a declared layout must equal the inferred one.
        """
        declared = resolved(output.layouts, self._program, self._wholes[output.name].shape)
        if isinstance(declared, Refusal):
            raise _RefusedError(declared)
        named = {self._program.axis(placed.axis) for placed in output.layouts}
        for axis, (layout, wanted) in enumerate(zip(self._layouts[output.name], declared, strict=True)):
            strict = axis in named or has_to_be_declared(layout)
            if strict and layout != wanted:
                detail = f"it is {layout_text(layout)}, declared {layout_text(wanted)}"
                raise _RefusedError(Refusal(Reason.OUTPUT_LAYOUT, detail), axis)
