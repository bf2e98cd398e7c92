"""Bounded program synthesis (paper, section 3.5): valid programs of at most `limit` instructions, or none.

The queries are those of the engines `levels` and `bitvec`; their models over the code bits are the programs. Where
`MatrixRules` writes states as k x k bits per device, `LevelRules` writes 2n bits per class of devices, whatever the
sizes; both must have the same programs.
"""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.catalogue.queries import SOURCE_LEVELS, BoundedQuery, code_in_words
from p2smt.reduction.language.instruction import Grouping
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term, conj, disj, neg

_ALL = (
    BoundedQuery(1, 5),
    BoundedQuery(2, 5),
    BoundedQuery(2, 5, Grammar.PAPER),
    BoundedQuery(3, 3),
    BoundedQuery(3, 3, Grammar.PAPER),
    BoundedQuery(3, 4, Grammar.PAPER),
    BoundedQuery(4, 2),
    BoundedQuery(2, 3, sizes=(2, 2)),
    BoundedQuery(2, 3, Grammar.PAPER, (2, 2)),
    BoundedQuery(2, 5, Grammar.PAPER, (2, 2)),
    BoundedQuery(2, 3, sizes=(2, 3)),
    BoundedQuery(3, 2, sizes=(2, 2, 2)),
)
_SOME = (BoundedQuery(3, 5), BoundedQuery(2, 5, sizes=(2, 2)))
_EXACTLY_NONE = (
    BoundedQuery(2, 5, Grammar.PAPER),
    BoundedQuery(2, 6),
    BoundedQuery(2, 5, Grammar.PAPER, (2, 2)),
)
_ENDS_SCATTERED = (BoundedQuery(2, 3), BoundedQuery(3, 4), BoundedQuery(2, 3, sizes=(2, 2)))


def programs() -> Iterator[Script]:
    """Yield the scripts of the folder `programs`."""
    for query in _ALL:
        yield _all(query)
    for query in _SOME:
        yield _some(query)
    for query in _EXACTLY_NONE:
        yield _exactly(query)
    for query in _ENDS_SCATTERED:
        yield _ends_scattered(query)
    yield from _one_level_at_a_time()
    yield from _with_holes()
    yield _agreement()


def _all(query: BoundedQuery) -> Script:
    about = f"All valid reduction programs of at most {query.limit} instructions {query.about}."
    return query.script(f"limit-{query.limit}-{query.grammar}", about, Status.SAT, [], counts=True)


def _some(query: BoundedQuery) -> Script:
    about = f"Some program of exactly {query.limit} instructions {query.about}."
    name = f"exactly-{query.limit}-{query.grammar}"
    return query.script(name, about, Status.SAT, [_last_is_used(query)])


def _exactly(query: BoundedQuery) -> Script:
    about = f"No valid program {query.about} has exactly {query.limit} instructions."
    name = f"exactly-{query.limit}-{query.grammar}"
    return query.script(name, about, Status.UNSAT, [_last_is_used(query)])


def _last_is_used(query: BoundedQuery) -> tuple[str, tuple[Term, ...]]:
    last = query.code().choice(query.limit - 1)
    return f"The program does not end before instruction {query.limit}.", (neg(last.ended),)


def _ends_scattered(query: BoundedQuery) -> Script:
    last = query.code().choice(query.limit - 1)
    extra = (f"Instruction {query.limit} is a ReduceScatter.", (last.collectives[Collective.REDUCE_SCATTER],))
    about = f"No valid program of {query.limit} instructions {query.about} ends with a ReduceScatter."
    return query.script(f"limit-{query.limit}-ends-with-reduce-scatter", about, Status.UNSAT, [extra])


def _one_level_at_a_time() -> Iterator[Script]:
    """Yield scripts that need one step per level: n - 1 steps are too few, n are enough."""
    for limit, status in ((2, Status.UNSAT), (3, Status.SAT)):
        query = BoundedQuery(3, limit)
        code = query.code()
        wide = [
            neg(chosen)
            for place in range(limit)
            for grouping, chosen in code.choice(place).groupings.items()
            if len(grouping.levels) > 1
        ]
        extra = ("No instruction runs over more than one level.", tuple(wide))
        about = f"Programs of at most {limit} instructions {query.about}, each over one level only."
        name = f"limit-{limit}-one-level-at-a-time"
        yield query.script(name, about, status, [extra], counts=status is Status.SAT)


def _with_holes() -> Iterator[Script]:
    """Yield scripts of figure 10 with a hole in the middle: the steps that fit between a step and its inverse."""
    # only: an example
    pairs = ((Collective.REDUCE_SCATTER, Collective.ALL_GATHER), (Collective.REDUCE, Collective.BROADCAST))
    for first, last in pairs:
        for levels, limit in ((2, 3), (3, 4)):
            query = BoundedQuery(levels, limit)
            code = query.code()
            inner = Grouping(levels - 1, levels)
            ends = [
                choice
                for place, kind in ((0, first), (limit - 1, last))
                for at in [code.choice(place)]
                for choice in (at.collectives[kind], at.groupings[inner])
            ]
            extra = (
                f"Instruction 1 is a {first}, instruction {limit} a {last}, both over the innermost level.",
                tuple(ends),
            )
            about = f"What can stand between {first} and {last} over the innermost level, {query.about}."
            name = f"limit-{limit}-between-{slug(first)}-and-{slug(last)}"
            yield query.script(name, about, Status.SAT, [extra], counts=True)


def _agreement() -> Script:
    """Build the script that both state encodings agree: a code is valid on one exactly if it is on the other."""
    by_levels, by_matrices = BoundedQuery(2, 5), BoundedQuery(2, 5, sizes=(2, 2))
    code = by_levels.code()
    one, other = (conj(term for _, terms in query.groups(code) for term in terms) for query in (by_levels, by_matrices))
    differ = (
        "The code is a valid program for one of them only.",
        (disj((conj((one, neg(other))), conj((neg(one), other)))),),
    )
    return Script(
        "levels-2-agree-with-matrices-2x2-limit-5",
        "The level algebra and the state matrices have the same valid programs of at most 5 instructions over two "
        f"levels of size 2. {code_in_words(by_levels.language)}",
        SOURCE_LEVELS,
        Status.UNSAT,
        tuple(code.bits),
        (differ,),
    )
