"""A group of devices with symbolic state matrices: the subject of triples, sums and sequences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import or_

from p2smt.collective import Collective
from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.rules.matrix_rules import GroupStates, Rows, group_of
from p2smt.reduction.semantics.groups import groups_of, own_chunks
from p2smt.smt.bitvectors import BitVec, bitvector
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term, conj

SOURCE = "P2 (MLSys 2022), figure 8 (rules of the collectives)"


@dataclass(frozen=True, slots=True)
class SymbolicGroup:
    """A device group with symbolic states.

    Bit `j` of constant `m{member}_c{chunk}` is set if the member's chunk has `j`'s part.
    """

    constants: tuple[BitVec, ...]
    group: GroupStates

    @property
    def places(self) -> range:
        """Return the chunk numbers; there are as many contributors as chunks."""
        return range(len(self.group.states[0]))

    @property
    def name(self) -> str:
        """Return the numbers of members and chunks, for a file name."""
        return f"{len(self.group.states)}-members-{len(self.places)}-chunks"

    @property
    def about(self) -> str:
        """Describe the numbers of members and chunks in words."""
        return (
            f"A group of {len(self.group.states)} members, {len(self.places)} chunks, {len(self.places)} contributors; "
            "m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j."
        )

    def script(
        self,
        name: str,
        about: str,
        status: Status,
        groups: Sequence[tuple[str, Term]],
        more: tuple[BitVec, ...] = (),
        counts: bool = False,
    ) -> Script:
        """Build a script about the group; `more` are constants in addition to its states."""
        named = tuple((sentence, (term,)) for sentence, term in groups)
        constants = (*self.constants, *more)
        counted = constants if counts else ()
        return Script(f"{name}-{self.name}", f"{about} {self.about}", SOURCE, status, constants, named, counted)


def case_of(sizes: tuple[int, ...], grouping: Grouping) -> SymbolicGroup:
    """Return the first group of a grouping on a hierarchy with these level sizes, with symbolic states."""
    members = groups_of(sizes, grouping)[0]
    chunks = range(prod(sizes))
    states = [tuple(bitvector(f"m{m}_c{c}", len(chunks)) for c in chunks) for m in range(len(members))]
    blocks = tuple(own_chunks(sizes, device, grouping.levels) for device in members)
    return SymbolicGroup(tuple(row for state in states for row in state), grouped(states, blocks))


def grouped(states: Sequence[Rows], blocks: tuple[frozenset[int], ...]) -> GroupStates:
    """Return a group whose members have these states; `blocks` are the members' own chunks."""
    return group_of(states, blocks, [tuple(row != 0 for row in state) for state in states])


def together(states: Sequence[Rows], chunk: int) -> BitVec:
    """Return the union of the contributions to a chunk over all members."""
    return reduce(or_, [state[chunk] for state in states])


def equal(left: Sequence[Rows], right: Sequence[Rows]) -> Term:
    """A term: both sequences of states are equal, member by member."""
    pairs = zip(left, right, strict=True)
    return conj(a == b for ours, theirs in pairs for a, b in zip(ours, theirs, strict=True))


def allowed(kind: Collective, needs: Term) -> tuple[str, Term]:
    """Return the assertion that the precondition of a collective holds, after a sentence that explains it."""
    return f"{kind} is allowed.", needs


def named(kind: Collective, what: str) -> str:
    """Return a file name from the collective and the property that the script is about."""
    return f"{slug(kind)}-{what}"
