"""Emission of a scheduled optimizer as a replacement of a torch.optim class, for all parameters of a model.

The schedule must scatter the gradients, store all states but the parameter in slices, and gather the updated
parameter. Each element is then updated on its owner, however the parameters are sliced.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2smt.emit.target import KernelLanguage
from p2smt.emit.template import filled, only_used
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.lines import broken
from p2smt.emit.torch.program.source import MODULE_NAMES, defined, with_imports
from p2smt.emit.torch.program.value import Value
from p2smt.errors import ProgramError
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.emission.description import schedule_text
from p2smt.schedule.emission.kernels import Kernels, kernel_helpers, kernels_main, with_triton
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.outcome import schedule_word
from p2smt.tensor.conversion import AllGather, AllReduce, ReduceScatter, Slice
from p2smt.tensor.expression import (
    Call,
    Convert,
    Expression,
    Number,
    ProgramAxis,
    Ranks,
    Read,
    Source,
    SourceKind,
    Statement,
)
from p2smt.tensor.judgement import InferenceStep
from p2smt.tensor.layout import Partial, ReductionOp, Sliced
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program, versions
from p2smt.verify.verdict import Proved

_NUMBERS: Mapping[str, tuple[str, str, str]] = {
    "lr": ("lr", "1e-3", ""),
    "beta1": ("betas", "(0.9, 0.999)", "[0]"),
    "beta2": ("betas", "(0.9, 0.999)", "[1]"),
    "eps": ("eps", "1e-8", ""),
    "decay": ("weight_decay", "0.01", ""),
    "momentum": ("momentum", "0.9", ""),
    "trust": ("trust_coefficient", "0.001", ""),
}
"""Scalars of optimizer programs: torch.optim's name, its default, and the index into a tuple."""
_STATES = {"m": "exp_avg", "v": "exp_avg_sq"}
_OTHERS = {"weight_decay": "0.0", "dampening": "0.0", "nesterov": "False"}
_TITLES = {"adam": "Adam", "adamw": "AdamW", "lamb": "LAMB", "lars": "LARS", "sgd": "SGD"}
_RANKS, _STEP = "ranks", "step"
_RESERVED = frozenset({"at", "states", "group", "updated", "compare"})


@dataclass(frozen=True, slots=True)
class _Shape:
    """Roles of names in an optimizer program: gradient, parameter, other states, and hyperparameters."""

    gradient: Source
    parameter: Source
    states: tuple[Source, ...]
    numbers: tuple[str, ...]


def emit_optimizer(checked: CheckedSchedule, *, kernels: KernelLanguage = KernelLanguage.TORCH) -> str:
    """Return the text of a module with the optimizer, with updates written in `kernels`.

    ProgramError for a schedule that is invalid or not that of an optimizer.
    """
    if not isinstance(checked.verdict, Proved):
        raise ProgramError(f"the schedule is {schedule_word(checked.verdict)}; p2smt schedule explains it")
    if kernels is KernelLanguage.TRITON_FUSED:  # only: no other kernels communicate
        raise ProgramError(
            "an emitted optimizer calls collectives on buckets of parameters, so its kernels are not fused with them; "
            "use --kernels triton, or leave out --optimizer"
        )
    shape = _shape(checked)
    title = _TITLES.get(checked.start.name) or "".join(
        part.capitalize() for part in re.split(r"[^A-Za-z0-9]+", checked.start.name)
    )
    known = {name: _STATES.get(name, name) for name in (each.name for each in shape.states)}
    if "beta1" not in shape.numbers and "m" in known:
        known["m"] = "momentum_buffer"
    defaults = {_NUMBERS[name][0]: _NUMBERS[name][1] for name in shape.numbers}
    others = {name: text for name, text in _OTHERS.items() if name not in defaults}
    main = filled(
        "torch/templates/main.py.in", subject=title, reference="the untouched program", verb="equals", results="tensors"
    )
    helpers = kernel_helpers(kernels, "Whole")
    text = filled(
        "torch/templates/schedule/optimizer.py.in",
        title=title,
        needs="torch, triton" if helpers else "torch",
        schedule=schedule_text(checked),
        states=_table("STATES", {name: f'"{each}"' for name, each in known.items()}),
        defaults=_table("DEFAULTS", defaults) + _table("OTHERS", others),
        ranks=f'WORLD = int(os.environ.get("WORLD_SIZE", "{world(checked.start.mesh)}"))\n',
        update=_update(checked.start, shape, helpers),
        main=kernels_main(main) if helpers else main,
    )
    return with_triton(with_imports(only_used(text))) if helpers else with_imports(text)


def _table(name: str, entries: Mapping[str, str]) -> str:
    listed = ", ".join(f'"{key}": {text}' for key, text in entries.items())
    return broken(f"{name} = {{{listed}}}") + "\n"


def _refuse(detail: str) -> ProgramError:
    return ProgramError(
        f"{detail}; an emitted optimizer has to reduce-scatter one sum of gradients, update slices element by "
        "element, keep all states but the parameter in slices, and gather the parameter; "
        "`p2smt example optimizer-steps` prints steps that do, --top of schedule others that are nearly as fast"
    )


def _shape(checked: CheckedSchedule) -> _Shape:
    """Return the roles of the names.

    ProgramError unless this is an optimizer with only the parameter unsharded.
    """
    start, scheduled = checked.start, checked.scheduled
    if len(start.mesh) != 1 or scheduled.loops or scheduled.implementations:
        raise _refuse("the schedule has several mesh axes, loops over chunks, or reduction programs")
    gradients = [each for each in start.sources if each.kind is SourceKind.INPUT]
    if len(gradients) != 1 or [each.layout for each in gradients[0].layouts] != [Partial(ReductionOp.SUM)]:
        raise _refuse(f"{start.name} does not have exactly one input that is partial(+)")
    (gradient,) = gradients
    kept = [each for each in start.sources if each.kind in (SourceKind.PARAMETER, SourceKind.STATE)]
    for each in kept:
        if (each.shape, each.dtype) != (gradient.shape, gradient.dtype) or len(each.shape) != 1:
            raise _refuse(f"{each.name} is not {gradient.dtype}[{gradient.shape[0]}] like the gradient {gradient.name}")
    later = {each.name: each for each in scheduled.program.sources}
    # only Sliced: a dimension that is not sliced counts whole, an upper bound
    whole = [each for each in kept if not any(isinstance(one.layout, Sliced) for one in later[each.name].layouts)]
    if len(whole) != 1:
        raise _refuse(f"{len(whole)} of {', '.join(each.name for each in kept)} are kept unsharded")
    numbers = [each.name for each in start.sources if each.kind is SourceKind.SCALAR]
    unknown = [name for name in numbers if name != _STEP and name not in _NUMBERS]
    if unknown:
        raise _refuse(f"the scalar {unknown[0]} is not one of {', '.join(_NUMBERS)}, step")
    _computes(start, gradient.name)
    _slices(checked)
    return _Shape(
        gradient=gradient,
        parameter=whole[0],
        states=tuple(each for each in kept if each != whole[0]),
        numbers=tuple(name for name in numbers if name != _STEP),
    )


def _computes(program: Program, gradient: str) -> None:
    """Check that everything is elementwise, except for sums over all elements."""
    for part in program.expressions():
        match part:
            case Convert(AllReduce(ReductionOp.SUM), Read(name)) if name == gradient:
                pass
            case Convert():
                raise _refuse("the step has a collective other than the sum of gradients")
            case Call("sum", _, ((),)):
                pass
            # only: all others are refused
            case Call(operation) if OPERATIONS[operation].kind not in (Kind.MAP, Kind.UPDATE) or operation == "cast":
                raise _refuse(f"{operation} does not compute element by element")
            case _:
                pass


def _slices(checked: CheckedSchedule) -> None:
    """Check that the gradient is scattered and one whole tensor is gathered."""
    found = [each for each in checked.scheduled.program.expressions() if isinstance(each, Convert)]
    known = typed(checked.scheduled.program)
    scattered = sum(isinstance(each.conversion, ReduceScatter) for each in found)
    gathered = sum(isinstance(each.conversion, AllGather) for each in found)
    others = [each for each in found if not isinstance(each.conversion, ReduceScatter | AllGather | Slice)]
    if (scattered, gathered) != (1, 1) or any(known.shape_of(each) for each in others):
        raise _refuse(f"{scattered} sums are scattered and {gathered} tensors gathered")


class _Writer(ScheduleWriter):
    """Writes statements on elements in any layout; sums over all elements call `at.total`."""

    def __init__(self, program: Program, reserved: frozenset[str]) -> None:
        super().__init__(program, reserved, Cuts(), frozenset(), ordered=False)

    def _line(self, text: str, value: Value) -> None:
        del value
        self.lines.append(broken(f"    {text}"))

    def _called(self, call: Call, step: InferenceStep) -> Value:
        if call.operation != "sum":
            return super()._called(call, step)
        (operand,) = self._operands(call, step)
        summed = Value(text=f"at.total({operand.text})", layouts=step.layouts, dtype=operand.dtype)
        return self._named(summed)


def _update(program: Program, shape: _Shape, helpers: str) -> str:
    """Return the function that updates elements in place, given their summed gradients; its kernels come first."""
    program = _on_one(program, shape.gradient)
    writer = _Writer(program, _RESERVED | MODULE_NAMES | defined([helpers]))
    for statement in program.statements:
        writer.write(statement)
    texts = {name: value.text for name, value in writer.values.items()}
    lines = [f'    {texts[each.name]} = states["{each.name}"]' for each in shape.states]
    for name in shape.numbers:
        known, _, part = _NUMBERS[name]
        lines.append(f'    {texts[name]} = group["{known}"]{part}')
    lines += ['    step = group["steps"]'] if any("step" in line for line in writer.lines) else []
    updates = writer.lines
    updates += [
        f"    {texts[name]}.copy_({texts[new]})" for name, new in versions(program).items() if texts[name] != texts[new]
    ]
    if any("at.number(" in line or "at.real" in line for line in updates):
        raise _refuse("a number is used as a tensor")
    made = Kernels(writer, helpers)
    lines += made.put("updated", updates, []) if helpers else updates
    function = (
        "\n".join(
            [
                "def updated(",
                "    at: Whole,",
                f"    {texts[shape.gradient.name]}: torch.Tensor,",
                f"    {texts[shape.parameter.name]}: torch.Tensor,",
                "    states: dict[str, torch.Tensor],",
                "    group: dict[str, object],",
                f"    {_RANKS}: int,",
                ") -> None:",
                '    """Update elements and their states in place, by the sum of their gradients over so many '
                'ranks."""',
                *lines,
            ]
        )
        + "\n"
    )
    return "\n\n".join([helpers, *made.texts, function] if helpers else [function])


def _on_one(program: Program, gradient: Source) -> Program:
    """Return the single-device program whose inputs are the summed gradient and the number of ranks."""
    sources = [replace(each, layouts=()) if each == gradient else each for each in program.sources]
    sources.append(Source(kind=SourceKind.SCALAR, name=_RANKS))
    statements = tuple(Statement(each.name, _plain(each.expression)) for each in program.statements)
    return replace(program, mesh=(ProgramAxis("rank", 1),), sources=tuple(sources), statements=statements)


def _plain(expression: Expression) -> Expression:
    match expression:
        case Convert(_, operand):
            return _plain(operand)
        case Ranks():
            return Read(_RANKS)
        case Call(operation, operands, attributes):
            return Call(operation, tuple(map(_plain, operands)), attributes)
        case Read() | Number():
            return expression
