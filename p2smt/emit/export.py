"""Export formats of distributed programs."""

from enum import StrEnum

from p2smt.tensor.program import Program


class Export(StrEnum):
    """The export formats of distributed programs."""

    PROGRAM = "program"
    DTENSOR = "dtensor"
    JAX = "jax"


def exported(program: Program, export: Export) -> str:
    """Return the exported text. Raises ProgramError if the framework cannot store tensors as the program does."""
    match export:
        case Export.PROGRAM:
            from p2smt.tensor.printer import print_program

            return print_program(program)
        case Export.DTENSOR:
            from p2smt.emit.torch.placements import emit_placements

            return emit_placements(program)
        case Export.JAX:
            from p2smt.emit.jax.partition_specs import emit_partition_specs

            return emit_partition_specs(program)
