"""Lemmas of the transforms about conversions, as obligations for the solver.

A tensor is a function of rank and index, a slicing any function from indices to ranks, so nothing is said of sizes or
of how many ranks there are. A sum over ranks is an uninterpreted total of a table (`tensor/rules/`).
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
    """The element of AllReduce(x): the total of what all ranks have there."""
    return total("sum", table("summands", [at], lambda q: value("x", [q[0], at])))


def _part(name: str, rank: Index, at: Index, whole: Value) -> Value:
    """A rank's part of a tensor that is cut: its own elements, and beyond them something unknown."""
    return chosen(_mine(rank, at), whole, value(f"beyond_{name}", [rank, at]))


def _gathered(name: str, scattered: Callable[[Index], Value], claim: Value) -> RuleObligation:
    """An obligation: the value that a gather takes from the owner of an index, who is some rank, is the claim."""
    return RuleObligation(name, (_mine(_RANK),), same(scattered(_RANK), claim))


def _gather_of_scattered_sum() -> RuleObligation:
    """AllGather(ReduceScatter(x)) = AllReduce(x), for the same owners."""
    return _gathered("a gather of the scattered sum", lambda q: _part("sum", q, _AT, _sum(_AT)), _sum(_AT))


def _gather_of_slices() -> RuleObligation:
    """AllGather(Slice(x)) = x, and Slice(AllGather(y)) = y where y is owned."""
    whole = value("whole", [_AT])
    taken = value("gathered", [_AT])
    known = (_mine(_RANK), _mine(_OTHER), same(taken, value("y", [_OTHER, _AT])))
    both = [same(_part("x", _RANK, _AT, whole), whole), same(_part("y", _RANK, _AT, taken), value("y", [_RANK, _AT]))]
    return RuleObligation("a gather of slices", known, conj(both))


def _gather_of_parts() -> RuleObligation:
    """A gather of what each rank computes of its own indices is the whole, if each computes what is there."""
    whole, computed = value("whole", [_AT]), value("computed", [_RANK, _AT])
    rule = implies(_mine(_RANK), same(computed, whole))
    assert not isinstance(rule, bool)
    return RuleObligation("a gather of parts", (rule, _mine(_RANK)), same(computed, whole))


def _part_of_the_whole() -> RuleObligation:
    """Slice(x) of what is the same on all ranks is, for the owner, the element that is there."""
    whole = value("whole", [_AT])
    claim = implies(_mine(_RANK), same(_part("x", _RANK, _AT, whole), whole))
    return RuleObligation("a part of what every rank has", (), claim)


def _slice_of_sum() -> RuleObligation:
    """Slice(AllReduce(x)) = ReduceScatter(x) where it is owned."""
    sliced, scattered = _part("slice", _RANK, _AT, _sum(_AT)), _part("scatter", _RANK, _AT, _sum(_AT))
    return RuleObligation("a slice of the sum", (_mine(_RANK),), same(sliced, scattered))


def _at_root(rank: Index, root: Index, held: Value) -> Value:
    return chosen(same(rank, root), held, value("nothing", [rank]))


def _broadcast_of_sum() -> RuleObligation:
    """Broadcast(Reduce(x)) = AllReduce(x)."""
    root = index("root")
    return RuleObligation("a broadcast of the root's sum", (), same(_at_root(root, root, _sum(_AT)), _sum(_AT)))


def _broadcast_of_root() -> RuleObligation:
    """s(Broadcast(x)) = Broadcast(s(x)) where all other operands are the same on all ranks."""
    root = index("root")
    held = _at_root(root, root, value("x", [_AT]))
    same_rest = same(value("rest", [_RANK, _AT]), value("rest", [root, _AT]))
    behind = value("s", [value("x", [_AT]), value("rest", [_RANK, _AT])])
    before = value("s", [held, value("rest", [root, _AT])])
    return RuleObligation("a broadcast of what the root has", (same_rest,), same(before, behind))


def _sent() -> RuleObligation:
    """Member j of a group receives what member j of the one before has: with the same owners, a gather is the same."""
    group, after = index("group"), index("next")
    received = same(value("received", [after, _RANK, _AT]), value("sent", [group, _RANK, _AT]))
    whole = value("whole", [group, _AT])
    own = implies(_mine(_RANK), same(value("sent", [group, _RANK, _AT]), whole))
    assert not isinstance(own, bool)
    claim = same(value("received", [after, _RANK, _AT]), whole)
    return RuleObligation("what is sent is what is received", (received, own, _mine(_RANK)), claim)


def _sums_of_chunk(chunk: Index) -> tuple[tuple[Bool, ...], Value, Value]:
    """Facts about an index inside a chunk, the sum over ranks of the chunk there, and that of the whole.

    They are equal by an instance of agreement of tables at any rank.
    """
    inside = owned("chunk_of", _AT, chunk)

    def cut(q: Sequence[Index]) -> Value:
        return chosen(inside, value("x", [q[0], _AT]), value("beyond_chunk", [chunk, q[0], _AT]))

    pieces = table("chunk_summands", [chunk, _AT], cut)
    whole = table("summands", [_AT], lambda q: value("x", [q[0], _AT]))
    return (inside, *agreement(pieces, whole, [index("any_rank")])), total("sum", pieces), total("sum", whole)


def _chunk_of_sum() -> RuleObligation:
    """The sum over ranks of a chunk is the chunk of the sum."""
    known, pieces, whole = _sums_of_chunk(index("chunk"))
    return RuleObligation("a sum of chunks", known, same(pieces, whole))


def _chunk_of_scattered_sum() -> RuleObligation:
    """ReduceScatter of a chunk, whose elements have the owners that they had, is the chunk of every rank's slice."""
    known, pieces, whole = _sums_of_chunk(index("chunk"))
    scattered, sliced = _part("pieces", _RANK, _AT, pieces), _part("slice", _RANK, _AT, whole)
    return RuleObligation("a scattered sum of chunks", (*known, _mine(_RANK)), same(scattered, sliced))


def _chunk_of_slices_moved() -> RuleObligation:
    """An obligation: the part of a chunk that a gather or exchange takes from its owner lies in the owner's slice."""
    chunk = index("chunk")
    inside = owned("chunk_of", _AT, chunk)
    held = conj([inside, _mine(_RANK)])
    assert not isinstance(held, bool)
    piece = chosen(held, value("y", [_RANK, _AT]), value("beyond_chunk", [chunk, _RANK, _AT]))
    known = (inside, _mine(_RANK))
    return RuleObligation("a chunk of slices is moved like the slices", known, same(piece, value("y", [_RANK, _AT])))


def _chunk_moved() -> RuleObligation:
    """A chunk that is gathered, broadcast or sent is the chunk of what is gathered, broadcast or sent."""
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
"""Every lemma by its name."""
