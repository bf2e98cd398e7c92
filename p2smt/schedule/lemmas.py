"""Lemmas about conversions used by transforms, as obligations for the solver.

A tensor is a function of rank and index, and a slicing is any function from indices to ranks, so no sizes or
numbers of ranks occur. A sum over ranks is an uninterpreted total of a table (`tensor/rules/`).
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from p2smt.smt.tables import Index, Value, agreement, chosen, index, owned, same, table, total, value
from p2smt.smt.terms import Bool, conj, implies
from p2smt.tensor.rules.schema import RuleObligation

_AT, _RANK, _OTHER = index("i"), index("rank"), index("other")


def _mine(rank: Index, at: Index = _AT) -> Bool:
    return owned("owner", at, rank)


def _sum(at: Index) -> Value:
    """Return the element of AllReduce(x): the total over all ranks' elements."""
    return total("sum", table("summands", [at], lambda q: value("x", [q[0], at])))


def _part(name: str, rank: Index, at: Index, whole: Value) -> Value:
    """Return a rank's element of a sliced tensor: its own elements, and unknown values outside its slice."""
    return chosen(_mine(rank, at), whole, value(f"beyond_{name}", [rank, at]))


def _gathered(name: str, scattered: Callable[[Index], Value], claim: Value) -> RuleObligation:
    """Return the obligation that the element gathered from an index's owner equals the claim."""
    return RuleObligation(name, (_mine(_RANK),), same(scattered(_RANK), claim))


def _gather_of_scattered_sum() -> RuleObligation:
    """Return the lemma AllGather(ReduceScatter(x)) = AllReduce(x), for the same owners."""
    return _gathered("a gather of the scattered sum", lambda q: _part("sum", q, _AT, _sum(_AT)), _sum(_AT))


def _gather_of_slices() -> RuleObligation:
    """Return the lemma AllGather(Slice(x)) = x, and Slice(AllGather(y)) = y for owned indices."""
    whole = value("whole", [_AT])
    taken = value("gathered", [_AT])
    known = (_mine(_RANK), _mine(_OTHER), same(taken, value("y", [_OTHER, _AT])))
    both = [same(_part("x", _RANK, _AT, whole), whole), same(_part("y", _RANK, _AT, taken), value("y", [_RANK, _AT]))]
    return RuleObligation("a gather of slices", known, conj(both))


def _gather_of_parts() -> RuleObligation:
    """Return the lemma that gathering the ranks' parts gives the whole, if each part is correct."""
    whole, computed = value("whole", [_AT]), value("computed", [_RANK, _AT])
    rule = implies(_mine(_RANK), same(computed, whole))
    assert not isinstance(rule, bool)
    return RuleObligation("a gather of parts", (rule, _mine(_RANK)), same(computed, whole))


def _part_of_the_whole() -> RuleObligation:
    """Return the lemma that Slice(x) of a replicated tensor has the right element on its owner."""
    whole = value("whole", [_AT])
    claim = implies(_mine(_RANK), same(_part("x", _RANK, _AT, whole), whole))
    return RuleObligation("a part of what every rank has", (), claim)


def _slice_of_sum() -> RuleObligation:
    """Return the lemma Slice(AllReduce(x)) = ReduceScatter(x), for owned indices."""
    sliced, scattered = _part("slice", _RANK, _AT, _sum(_AT)), _part("scatter", _RANK, _AT, _sum(_AT))
    return RuleObligation("a slice of the sum", (_mine(_RANK),), same(sliced, scattered))


def _at_root(rank: Index, root: Index, held: Value) -> Value:
    return chosen(same(rank, root), held, value("nothing", [rank]))


def _broadcast_of_sum() -> RuleObligation:
    """Return the lemma Broadcast(Reduce(x)) = AllReduce(x)."""
    root = index("root")
    return RuleObligation("a broadcast of the root's sum", (), same(_at_root(root, root, _sum(_AT)), _sum(_AT)))


def _broadcast_of_root() -> RuleObligation:
    """Return the lemma s(Broadcast(x)) = Broadcast(s(x)), if all other operands are equal on all ranks."""
    root = index("root")
    held = _at_root(root, root, value("x", [_AT]))
    same_rest = same(value("rest", [_RANK, _AT]), value("rest", [root, _AT]))
    behind = value("s", [value("x", [_AT]), value("rest", [_RANK, _AT])])
    before = value("s", [held, value("rest", [root, _AT])])
    return RuleObligation("a broadcast of what the root has", (same_rest,), same(before, behind))


def _sent() -> RuleObligation:
    """Return the lemma that a group receives exactly what the previous group's members hold.

    With the same owners, a gather is then the same.
    """
    group, after = index("group"), index("next")
    received = same(value("received", [after, _RANK, _AT]), value("sent", [group, _RANK, _AT]))
    whole = value("whole", [group, _AT])
    own = implies(_mine(_RANK), same(value("sent", [group, _RANK, _AT]), whole))
    assert not isinstance(own, bool)
    claim = same(value("received", [after, _RANK, _AT]), whole)
    return RuleObligation("what is sent is what is received", (received, own, _mine(_RANK)), claim)


def _sums_of_chunk(chunk: Index) -> tuple[tuple[Bool, ...], Value, Value]:
    """Return facts about an index inside a chunk, the sum of the chunk there, and the sum of the whole.

    The sums are equal by an instance of table agreement at any rank.
    """
    inside = owned("chunk_of", _AT, chunk)

    def cut(q: Sequence[Index]) -> Value:
        return chosen(inside, value("x", [q[0], _AT]), value("beyond_chunk", [chunk, q[0], _AT]))

    pieces = table("chunk_summands", [chunk, _AT], cut)
    whole = table("summands", [_AT], lambda q: value("x", [q[0], _AT]))
    return (inside, *agreement(pieces, whole, [index("any_rank")])), total("sum", pieces), total("sum", whole)


def _chunk_of_sum() -> RuleObligation:
    """Return the lemma that the sum over ranks of a chunk is the chunk of the sum."""
    known, pieces, whole = _sums_of_chunk(index("chunk"))
    return RuleObligation("a sum of chunks", known, same(pieces, whole))


def _chunk_of_scattered_sum() -> RuleObligation:
    """Return the lemma that ReduceScatter of a chunk, with unchanged owners, is the chunk of every rank's slice."""
    known, pieces, whole = _sums_of_chunk(index("chunk"))
    scattered, sliced = _part("pieces", _RANK, _AT, pieces), _part("slice", _RANK, _AT, whole)
    return RuleObligation("a scattered sum of chunks", (*known, _mine(_RANK)), same(scattered, sliced))


def _chunk_of_slices_moved() -> RuleObligation:
    """Return the lemma that gathers and exchanges of a chunk take elements inside their owner's slice."""
    chunk = index("chunk")
    inside = owned("chunk_of", _AT, chunk)
    held = conj([inside, _mine(_RANK)])
    assert not isinstance(held, bool)
    piece = chosen(held, value("y", [_RANK, _AT]), value("beyond_chunk", [chunk, _RANK, _AT]))
    known = (inside, _mine(_RANK))
    return RuleObligation("a chunk of slices is moved like the slices", known, same(piece, value("y", [_RANK, _AT])))


def _chunk_moved() -> RuleObligation:
    """Return the lemma that gathering, broadcasting or sending a chunk gives the chunk of the result."""
    chunk = index("chunk")
    inside = owned("chunk_of", _AT, chunk)
    whole = value("y", [_RANK, _AT])
    piece = chosen(inside, whole, value("beyond_chunk", [chunk, _RANK, _AT]))
    return RuleObligation("a chunk is moved like the whole", (inside,), same(piece, whole))


LEMMAS: Mapping[str, Callable[[], RuleObligation]] = MappingProxyType(
    {
        "a gather of the scattered sum": _gather_of_scattered_sum,
        "a gather of slices": _gather_of_slices,
        "a gather of parts": _gather_of_parts,
        "a part of what every rank has": _part_of_the_whole,
        "a slice of the sum": _slice_of_sum,
        "a broadcast of the root's sum": _broadcast_of_sum,
        "a broadcast of what the root has": _broadcast_of_root,
        "what is sent is what is received": _sent,
        "a sum of chunks": _chunk_of_sum,
        "a scattered sum of chunks": _chunk_of_scattered_sum,
        "a chunk of slices is moved like the slices": _chunk_of_slices_moved,
        "a chunk is moved like the whole": _chunk_moved,
    }
)
"""All lemmas, by name."""
