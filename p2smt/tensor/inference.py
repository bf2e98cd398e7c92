"""Layout inference: the layout of every value of a distributed program, or the reason why a statement has none."""

from p2smt.tensor.conversion import Conversion
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.judgement import InferenceStep, Inferred, Layouts, Refused
from p2smt.tensor.layout import Layout, Partial, Replicated, has_to_be_declared, layout_text
from p2smt.tensor.placing import mixed, resolved
from p2smt.tensor.program import Call, Convert, Number, Output, Program, Ranks, Read, Source, SourceKind
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.refusals import refusal
from p2smt.tensor.rule import RuleName, applied, rules
from p2smt.tensor.shapes import Whole, signature
from p2smt.tensor.signature import Shape, Signature
from p2smt.tensor.typed_walk import TypedExpression, typed_walk


def infer_axis(signed: Signature, layouts: tuple[Layout, ...]) -> tuple[RuleName, Layout] | Refusal:
    """Return the rule that applies to the operands' layouts along one axis, and the layout of the result."""
    for rule in rules(signed):
        result = applied(rule, layouts)
        if result is not None:
            return rule.name, result
    return refusal(signed, layouts)


def infer(program: Program) -> Inferred | Refused:
    """Infer the layouts of a program on its mesh.

    ProgramError if shapes do not fit, or an axis is unknown.
    """
    return _Inference(program).run()


_Judgement = tuple[tuple[RuleName, ...], Layouts, int]
"""The rules of a step along each axis, its layouts, and its kind."""


class _RefusedError(Exception):
    def __init__(self, refusal: Refusal, axis: int | None = None) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.axis = axis


class _Inference:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._walk = typed_walk(program)
        self._shapes = {source.name: source.shape for source in program.sources}
        self._layouts: dict[str, Layouts] = {}
        self._steps: list[InferenceStep] = []
        self._kinds: dict[tuple[Layouts, Whole], int] = {}
        self._kind_of: dict[str, int] = {}
        self._known: dict[tuple[object, ...], _Judgement] = {}
        self._everywhere: Layouts = (Replicated(),) * len(program.mesh)
        self._literal: _Judgement = (), self._everywhere, self._kind(self._everywhere, Whole())
        self._statement = ""

    def run(self) -> Inferred | Refused:
        try:
            for source in self._program.sources:
                self._statement = source.name
                self._layouts[source.name] = self._declared(source)
                whole = Whole(source.shape, source.dtype)
                self._kind_of[source.name] = self._kind(self._layouts[source.name], whole)
            for each in self._walk:
                self._statement = each.statement
                judgement = self._judged(each)
                self._steps.append(InferenceStep(*each, *judgement))
                # The last expression of a statement is its value.
                _, self._layouts[each.statement], self._kind_of[each.statement] = judgement
                self._shapes[each.statement] = each.whole.shape
            for output in self._program.outputs:
                self._statement = output.name
                self._output(output)
        except _RefusedError as refused:
            return Refused(self._statement, refused.refusal, refused.axis)
        return Inferred(self._layouts, tuple(self._steps))

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

    def _kind(self, layouts: Layouts, whole: Whole) -> int:
        return self._kinds.setdefault((layouts, whole), len(self._kinds))

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
        if key not in self._known:
            rules, layouts = self._inferred(call, tuple([(each.layouts, each.whole.shape) for each in given]))
            self._known[key] = rules, layouts, self._kind(layouts, typed.whole)
        return self._known[key]

    def _convert(self, conversion: Conversion, axis: int, typed: TypedExpression) -> _Judgement:
        """Return the judgement of a conversion, cached by the kind of its operand."""
        given = self._steps[typed.operands[0]]
        key = (conversion, axis, given.kind)
        if key not in self._known:
            after = converted(conversion, given.layouts, self._program.mesh, axis, typed.whole.shape)
            if isinstance(after, Refusal):
                raise _RefusedError(after, axis)
            layouts = (*given.layouts[:axis], after, *given.layouts[axis + 1 :])
            self._known[key] = (), layouts, self._kind(layouts, typed.whole)
        return self._known[key]

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
        declared = resolved(output.layouts, self._program, self._shapes[output.name])
        if isinstance(declared, Refusal):
            raise _RefusedError(declared)
        named = {self._program.axis(placed.axis) for placed in output.layouts}
        for axis, (layout, wanted) in enumerate(zip(self._layouts[output.name], declared, strict=True)):
            strict = axis in named or has_to_be_declared(layout)
            if strict and layout != wanted:
                detail = f"it is {layout_text(layout)}, declared {layout_text(wanted)}"
                raise _RefusedError(Refusal(Reason.OUTPUT_LAYOUT, detail), axis)
