"""Checkpointed regions of a model: recomputed in the backward pass, or kept in memory.

`p2smt capture` names statements that `torch.utils.checkpoint` recomputes `recomputed.NAME`. A graph keeps them apart
from the equal statements of the forward pass, whose values can thus be freed. Without the prefix the two are merged,
and the value is kept.
"""

from dataclasses import dataclass

from p2smt.spmd.model.checkpoint_treatment import CheckpointTreatment
from p2smt.tensor.expression import RECOMPUTED
from p2smt.tensor.fresh_names import fresh_name
from p2smt.tensor.program import Program
from p2smt.tensor.tidying import renamed
from p2smt.wording import counted


@dataclass(frozen=True, slots=True)
class Regions:
    """A program whose checkpointed regions are kept or dropped as requested, and notes for the user."""

    program: Program
    notes: tuple[str, ...]


def regions(program: Program, checkpoints: CheckpointTreatment) -> Regions:
    r"""Return the program with checkpointed regions kept or dropped.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> text = "program p\ninput x : f32[4]\ny = exp(x)\nrecomputed.y = exp(x)\nz = recomputed.y * y\noutput z\n"
    >>> [each.name for each in regions(parse_program(text), CheckpointTreatment.DROP).program.statements]
    ['y', 'y.1', 'z']
    """
    again = [each.name for each in program.statements if each.name.startswith(RECOMPUTED)]
    if not again:
        return Regions(program, ())
    what = counted(len(again), "statement")
    match checkpoints:
        case CheckpointTreatment.KEEP:
            return Regions(program, (f"checkpointed: {what} computed again in the backward pass, as the model says",))
        case CheckpointTreatment.DROP:
            taken = {each.name for each in program.sources} | {each.name for each in program.statements}
            names = {name: fresh_name(name.removeprefix(RECOMPUTED), taken) for name in again}
            return Regions(renamed(program, names), (f"checkpoints dropped: {what} not computed again",))
