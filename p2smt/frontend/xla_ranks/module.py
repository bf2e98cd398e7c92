"""Reading of XLA texts as modules, and conversion of single-device texts to programs."""

from pathlib import Path

from p2smt.errors import VerifyError
from p2smt.frontend.format import Format
from p2smt.frontend.recognition import format_of
from p2smt.frontend.xla.hlo import hlo_module
from p2smt.frontend.xla.processes import device_count
from p2smt.frontend.xla.ssa import HloShape, Module
from p2smt.frontend.xla.stablehlo import stablehlo_module
from p2smt.frontend.xla_ranks.annotations import is_manual
from p2smt.frontend.xla_ranks.device import DeviceRun
from p2smt.frontend.xla_ranks.tilings import UncoveredError
from p2smt.frontend.xla_ranks.values import DeviceTensor, dtype_of
from p2smt.problem.typed import names_file, read_bounded
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import Call, Number, Read, Source, SourceKind
from p2smt.tensor.program import Program
from p2smt.tensor.tidying import renamed, without_unused
from p2smt.verify.limits import MAX_FILE_BYTES


def is_text(path: Path) -> bool:
    """True if a file is HLO or StableHLO, by its content."""
    # only: XLA's text formats
    return names_file(path) and format_of(path, read_bounded(path, MAX_FILE_BYTES, VerifyError)) in (
        Format.HLO,
        Format.STABLEHLO,
    )


def read_module(path: Path) -> Module:
    """Read an HLO or StableHLO text. VerifyError with the line of malformed text."""
    data = read_bounded(path, MAX_FILE_BYTES, VerifyError)
    if format_of(path, data) is Format.HLO:  # only: one of XLA's two text formats
        return hlo_module(data, str(path))
    return stablehlo_module(data, str(path))


def single_program(path: Path) -> Program:
    """Return the single-device program in a text. UncoveredError, with the line, if the language lacks an operation."""
    module = read_module(path)
    if is_manual(module):
        raise VerifyError(f"{path} is a program for several devices; the reference program has to be for one device")
    names = source_names(module)
    builder = ProgramBuilder("single", names)

    def source(position: int, sharding: str, shape: HloShape) -> Read:
        return builder.source(
            Source(
                kind=SourceKind.INPUT,
                name=names[position],
                dtype=dtype_of(shape),
                shape=shape.dims,
                names=("",) * len(shape.dims),
            )
        )

    run = DeviceRun(module, str(path), 0, _devices(module), builder)
    tensors = results_of(run.results(source))
    if run.collectives.count:
        raise VerifyError(f"{path} communicates; the reference program has to be for one device")
    given: dict[str, str] = {}
    for position, tensor in enumerate(tensors):
        name = "result" if len(tensors) == 1 else f"result{position}"
        read = run.read(tensor, f"{name}.value")
        if read.name in names or read.name in given:
            read = builder.statement(f"{name}.value", Call("add", (read, Number(0))))
        given[read.name] = name
        builder.output(read.name)
    return renamed(without_unused(builder.program()), given)


def _devices(module: Module) -> int:
    """Return the number of devices that run the text; one if it is not stated, as in XLA."""
    instructions = (one for each in module.computations.values() for one in each.instructions)
    said = (module.replicas, module.partitions) != (None, None) or any(one.groups or one.pairs for one in instructions)
    return device_count(module) if said else 1


def source_names(module: Module) -> tuple[str, ...]:
    """Return the names of the parameters, made valid for program texts."""
    entry = module.computations[module.entry]
    if all(entry.called) and len(set(entry.called)) == len(entry.parameters) and "ranks" not in entry.called:
        return entry.called
    return tuple(f"arg{position}" for position in range(len(entry.parameters)))


def results_of(values: object) -> list[DeviceTensor]:
    """The tensors of a result, or of the elements of a tuple."""
    found: list[DeviceTensor] = []
    listed = list(values) if isinstance(values, list | tuple) else [values]
    for value in listed:
        match value:
            case tuple():
                found += results_of(value)
            case DeviceTensor():
                found.append(value)
            case _:
                raise UncoveredError(
                    "no device computes one of the results: the program is not partitioned there yet; give "
                    "the text of the compiled program"
                )
    return found
