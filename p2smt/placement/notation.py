"""Parse and print axis orders in the notations of frameworks: `megatron:tp-cp-dp-pp`, `deepspeed:pipe,data,model`.

Sources: Megatron-LM `megatron/core/parallel_state.py` (RankGenerator: the first name varies fastest; missing
names have size 1), torchtitan `torchtitan/distributed/parallel_dims.py` (dimensions outermost first, in a fixed
order), DeepSpeed `deepspeed/runtime/pipe/topology.py` (ProcessTopology: axes are row-major, the last varies
fastest).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from p2smt.errors import ProblemError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order, matrix_of_order, order_of
from p2smt.problem.model import Axis
from p2smt.problem.names import MAX_NAMES
from p2smt.wording import did_you_mean


class Notation(StrEnum):
    """The framework whose notation is used; AXES is p2smt's own, which lists all axes outermost first."""

    AXES = "axes"
    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    DEEPSPEED = "deepspeed"


@dataclass(frozen=True, slots=True)
class Convention:
    """Rules of a notation; `names` are the axis names that the framework knows, in its default order."""

    separator: str
    innermost_first: bool
    names: tuple[str, ...] = ()


CONVENTIONS = {
    Notation.AXES: Convention(",", innermost_first=False),
    Notation.MEGATRON: Convention("-", innermost_first=True, names=("tp", "cp", "ep", "dp", "pp")),
    Notation.TORCHTITAN: Convention(",", innermost_first=False, names=("pp", "dp_replicate", "dp_shard", "cp", "tp")),
    Notation.DEEPSPEED: Convention(",", innermost_first=False, names=("pipe", "data", "model")),
}
_MAX_TEXT = 66 * (MAX_NAMES + 8)
_SAME_AXIS = (("pp", "pipe"), ("dp", "data", "dp_shard"), ("tp", "model"))
"""Different frameworks' names of the same axis."""


def axis_words(notation: Notation, axes: Sequence[Axis]) -> tuple[str | None, ...]:
    """Return a framework's names of the axes; None if it lacks the axis, or if its name denotes another axis here.

    >>> axis_words(Notation.DEEPSPEED, [Axis("pp", 2), Axis("dp", 4), Axis("cp", 2), Axis("tp", 8)])
    ('pipe', 'data', None, 'model')
    """
    names, taken = CONVENTIONS[notation].names, {axis.name for axis in axes}
    words: list[str | None] = []
    for axis in axes:
        same = next((words for words in _SAME_AXIS if axis.name in words), ())
        other = next((word for word in same if word in names and word not in taken), None)
        words.append(axis.name if not names or axis.name in names else other)
        taken |= {other} if other is not None else set()
    return tuple(words)


def parse_order(text: str, axes: Sequence[Axis]) -> tuple[Notation, Order]:
    """Parse `NOTATION:NAMES`, or `NOTATION` for its default order.

    Axes of size 1 may be omitted, and are placed outermost. An axis is given by its name in the job or in the
    framework. Framework names that are not axes of the job are ignored, as they have size 1. Raises
    ProblemError for an unknown notation or name, a repeated axis, and a missing axis of size above 1.

    >>> axes = [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)]
    >>> parse_order("megatron:tp-cp-dp-pp", axes)
    (<Notation.MEGATRON: 'megatron'>, (0, 1, 2))
    >>> parse_order("deepspeed:data,pipe,model", axes), parse_order("torchtitan", axes)
    ((<Notation.DEEPSPEED: 'deepspeed'>, (1, 0, 2)), (<Notation.TORCHTITAN: 'torchtitan'>, (0, 1, 2)))
    """
    kind, colon, names = text.partition(":")
    if kind not in set(Notation):
        raise ProblemError(
            f"order {text[:80]!r} does not parse; write NOTATION:NAMES such as megatron:tp-cp-dp-pp, or NOTATION for "
            f"its default order; the notations are {', '.join(Notation)}{_meant(text, axes)}"
        )
    notation = Notation(kind)
    convention = CONVENTIONS[notation]
    default = convention.names or tuple(axis.name for axis in axes)
    words = [word.strip() for word in names[:_MAX_TEXT].split(convention.separator)] if colon else [*default]
    if convention.innermost_first:
        words.reverse()
    known = {word: number for number, word in enumerate(axis_words(notation, axes)) if word is not None}
    known |= {axis.name: number for number, axis in enumerate(axes)}
    order: list[int] = []
    for word in words:
        if word not in known and word not in convention.names:
            choice = ", ".join(axis.name for axis in axes)
            meant = did_you_mean(word, known)
            raise ProblemError(f"order {text[:80]!r}: {word[:80]!r} is not an axis; the axes are {choice}{meant}")
        if words.count(word) > 1 or known.get(word) in order:
            raise ProblemError(f"order {text[:80]!r} names {word} twice; name every axis once")
        order += [known[word]] if word in known else []
    if missing := [axis.name for number, axis in enumerate(axes) if axis.size > 1 and number not in order]:
        raise ProblemError(f"order {text[:80]!r} leaves out {', '.join(missing)}; only axes of size 1 may be missing")
    return notation, (*(number for number in range(len(axes)) if number not in order), *order)


def _meant(text: str, axes: Sequence[Axis]) -> str:
    """Return a suggestion for the end of a message: the notation in which a text without one is an order."""
    for notation in Notation:
        try:
            parse_order(f"{notation}:{text}", axes)
        except ProblemError:
            continue
        return f"; did you mean {notation}:{text[:80]}?"
    return did_you_mean(text, Notation)


def order_text(notation: Notation, order: Order, axes: Sequence[Axis]) -> str:
    """Return an order in the framework's names, such that `parse_order` reads it back after the notation and colon.

    Axes of size 1 that the framework lacks are omitted. Raises ProblemError if it lacks a larger axis.

    >>> axes = [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)]
    >>> order_text(Notation.MEGATRON, (0, 1, 2), axes), order_text(Notation.DEEPSPEED, (0, 1, 2), axes)
    ('tp-dp-pp', 'pipe,data,model')
    """
    convention, words = CONVENTIONS[notation], axis_words(notation, axes)
    if strange := [axes[axis].name for axis in order if words[axis] is None and axes[axis].size > 1]:
        raise ProblemError(
            f"{notation} has no axis {', '.join(strange)}; rename it to one of "
            f"{', '.join(convention.names)}, or use devicemesh, jax or a rankfile"
        )
    names = [word for word in (words[axis] for axis in order) if word is not None]
    return convention.separator.join(reversed(names) if convention.innermost_first else names)


def own_order(notation: Notation, axes: Sequence[Axis]) -> Order | None:
    """Return the framework's default order of these axes; None if it lacks an axis of size above 1.

    The default of p2smt's own notation is the job's order of axes.
    """
    words = axis_words(notation, axes)
    if any(axis.size > 1 and word is None for axis, word in zip(axes, words, strict=True)):
        return None
    return parse_order(notation, axes)[1]


def written_order(notation: Notation, matrix: ParallelismMatrix, axes: Sequence[Axis]) -> Order | None:
    """Return an order that yields a matrix, preferring the framework's default; None if no order does.

    >>> axes = [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)]
    >>> written_order(Notation.MEGATRON, ParallelismMatrix(((2, 1), (4, 1), (1, 8))), axes)
    (0, 1, 2)
    """
    own, sizes = own_order(notation, axes), [prod(column) for column in zip(*matrix.rows, strict=True)]
    if own is not None and matrix_of_order(own, [axis.size for axis in axes], sizes) == matrix:
        return own
    return order_of(matrix)


def remarks(notation: Notation, order: Order, axes: Sequence[Axis]) -> Iterator[str]:
    """Yield sentences on the differences between the framework's layout and a plain order."""
    names, words = CONVENTIONS[notation].names, axis_words(notation, axes)
    known = [(axes[axis].name, words[axis]) for axis in order if axes[axis].size > 1]
    real = [word or name for name, word in known]
    if strange := [name for name, word in known if word is None]:
        yield f"{notation} has no axis {', '.join(strange)}; its axes are {', '.join(names)}"
    if other := [f"{word} for {name}" for name, word in known if word not in (None, name)]:
        yield f"{notation} writes {', '.join(other)}"
    if notation is Notation.MEGATRON:
        yield from _megatron(real)
    fixed = [name for name in names if name in real]
    if notation is Notation.TORCHTITAN and not strange and fixed != real:
        yield f"torchtitan always lays {', '.join(fixed)}; a rankfile puts its ranks where this order has them"


def _megatron(real: Sequence[str]) -> Iterator[str]:
    """Yield sentences on requirements of RankGenerator and initialize_model_parallel on axes of size above 1."""
    if "ep" in real:
        yield (
            "Megatron lays ep by a generator of its own, in which dp is what is left beside ep, and the other "
            "layers' dp is both together; here ep is an axis of its own"
        )
    if "ep" in real and "cp" in real:
        yield "Megatron has no generator with both ep and cp; the groups of its expert layers have cp = 1"
    if "ep" in real and "pp" in real and real[0] != "pp":
        yield "Megatron asks for pp last in its order where ep is used"
