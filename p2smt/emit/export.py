"""Formats of distributed programs."""

from enum import StrEnum

from p2smt.tensor.program import Program


class Export(StrEnum):
    """Formats of distributed programs to write."""

    PROGRAM = "program"
    DTENSOR = "dtensor"
    JAX = "jax"


def exported(program: Program, export: Export) -> str:
    """The text of the file. ProgramError where a framework cannot keep what is stored as the program does."""
    match export:
        case Export.PROGRAM:
            from p2smt.tensor.text.printer import print_program

            return print_program(program)
        case Export.DTENSOR:
            from p2smt.emit.torch.placements import emit_placements

            return emit_placements(program)
        case Export.JAX:
            from p2smt.emit.jax.partition_specs import emit_partition_specs

            return emit_partition_specs(program)
