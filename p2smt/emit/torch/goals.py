"""Texts about goals in emitted torch files, and the form of their results."""

from dataclasses import dataclass

from p2smt.collective import Collective

_ROOT = "self.root = next(ranks[0] for ranks in groups_of(REDUCTION) if self.rank in ranks)\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalWords:
    """The texts about one goal: `does` describes the class of a plan; `use` are docstring lines that show a call.

    `reference` is torch's function for the goal; `fields` are lines at the end of `Reduction.__init__`.
    """

    does: str
    use: str
    reference: str
    fields: str = ""


def words_of(goal: Collective) -> GoalWords:
    """Return the texts of an emitted file that depend on the goal: descriptions, an example call, a reference."""
    match goal:
        case Collective.ALL_REDUCE:
            return GoalWords(
                does="Sums a tensor over the rank's reduction group",
                use="    total = reduction(tensor)  # or in place: reduction(tensor, out=tensor)\n",
                reference="dist.all_reduce",
            )
        case Collective.REDUCE_SCATTER:
            return GoalWords(
                does="Leaves every rank its shard of its group's sum",
                use=_SCATTERED,
                reference="dist.reduce_scatter_tensor",
            )
        case Collective.ALL_GATHER:
            return GoalWords(
                does="Puts the shards of the rank's group behind one another",
                use=_GATHERED,
                reference="dist.all_gather_into_tensor",
            )
        case Collective.REDUCE:
            return GoalWords(
                does="Sums a tensor on the first rank of every group",
                use=_REDUCED,
                reference="dist.reduce",
                fields=_ROOT,
            )
        case Collective.BROADCAST:
            return GoalWords(
                does="Gives a group's ranks the tensor of the first of them",
                use=_BROADCAST,
                reference="dist.broadcast",
                fields=_ROOT,
            )


_SCATTERED = """\
    shard = reduction(tensor)  # or into a tensor: reduction(tensor, out=shard)

The elements of the tensor, followed by as few zeros as will do, are cut into as many blocks of one length as a group
has ranks. Block i of the sum is the shard of the i-th rank in ascending order, as with the plain collective.
"""
_GATHERED = """\
    whole = reduction(shard)  # or into a tensor that may be shorter: reduction(shard, out=tensor)

The shards of a group have one length; they follow each other in the ascending order of ranks, as with the plain
collective. A tensor whose length the shards were filled up from with zeros gets its own elements alone.
"""
_REDUCED = """\
    total = reduction(tensor)  # or in place: reduction(tensor, out=tensor)

The first rank of a group has the sum; all others get a tensor without elements, and what an `out` that is the tensor
itself then holds is undefined there.
"""
_BROADCAST = """\
    reduction(tensor, out=tensor)  # or into a new tensor: same = reduction(tensor)

The tensor of the first rank of a group counts; that of the others says what shape and type they receive.
"""
