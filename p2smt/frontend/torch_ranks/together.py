"""Programs of all ranks from their traces: shared statements if possible, or separate ones per rank."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.torch_ranks.annotations import layouts_of
from p2smt.frontend.torch_ranks.folding import needed_calls
from p2smt.frontend.torch_ranks.lowering import local_source, one_rank, rank_by_itself
from p2smt.frontend.torch_ranks.messages import RanksAnswer, RankTrace
from p2smt.tensor.expression import Source
from p2smt.tensor.placing import Mesh, part_of, resolved, world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.aligning import aligned
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, joined_statements
from p2smt.tensor.ranks.parts import lengths
from p2smt.tensor.ranks.programs import RankPrograms, RankStatement, new_version
from p2smt.tensor.reason import Refusal

Pairs = tuple[tuple[str, str], ...]


def together(answer: RanksAnswer, function: str, mesh: Mesh, single: Program) -> RankPrograms:
    """Return the function as a program of all ranks. CaptureError or UnlikeRanksError if that is not supported."""
    placed = {name: layouts_of(name, text) for name, text in answer.layouts.items()}
    sources = tuple(replace(each, layouts=placed.get(each.name, ())) for each in single.sources)
    given = [_local_sources(sources, mesh, rank) for rank in range(world(mesh))]
    alike = _alike(answer.ranks, given)
    if alike is not None:
        ranks, statements = alike
        return RankPrograms(
            name=function,
            mesh=mesh,
            sources=sources,
            statements=statements,
            shapes=tuple(rank.shapes for rank in ranks),
            outputs=_outputs(ranks[0].outputs, ranks[0].updates, single),
            updates=ranks[0].updates,
        )
    keys = needed_calls(answer.ranks)
    ranks = [rank_by_itself(trace, local, keys) for trace, local in zip(answer.ranks, given, strict=True)]
    found = aligned(ranks, [{source.name: source.shape for source in local} for local in given])
    return RankPrograms(
        name=function,
        mesh=mesh,
        sources=sources,
        statements=found.statements,
        shapes=found.shapes,
        outputs=_outputs(found.outputs, found.updates, single),
        updates=found.updates,
    )


def _alike(
    traces: Sequence[RankTrace], given: Sequence[list[Source]]
) -> tuple[list[OneRank], tuple[RankStatement, ...]] | None:
    """One program for all ranks; None if they run different statements."""
    if any(node.operation == "collective.exchange" for trace in traces for node in trace.nodes):
        return None
    try:
        ranks = [one_rank(trace, local) for trace, local in zip(traces, given, strict=True)]
        return ranks, joined_statements(ranks)
    except UnlikeRanksError:
        return None


def _local_sources(sources: Sequence[Source], mesh: Mesh, rank: int) -> list[Source]:
    empty = Program(name="", mesh=mesh, sources=(), statements=(), outputs=())
    found = []
    for source in sources:
        layouts = resolved(source.layouts, empty, source.shape)
        if isinstance(layouts, Refusal):
            raise VerifyError(f"{source.name}: {layouts}")
        found.append(local_source(source, lengths(part_of(layouts, mesh, source.shape, rank))))
    return found


def _outputs(outputs: Pairs, updates: Pairs, single: Program) -> Pairs:
    """Return the results under the single-device program's names; new versions of sources already have these."""
    ends = {name: source for source, name in versions(single).items()}
    updated = {source for source, _ in updates}
    names = [output.name for output in single.outputs]
    versioned = {name: new_version(ends[name]) for name in names if ends.get(name) in updated}
    left = [name for name in names if name not in versioned]
    named = {name: value for name, value in outputs if name}
    listed = [value for name, value in outputs if not name]
    wanted = names if len(listed) == len(names) else left
    if named and (unknown := sorted(named.keys() - set(names))):
        raise VerifyError(
            f"the function returns {unknown[0]!r}, which is not an output of {single.name}; its outputs are "
            f"{', '.join(names)[:300]}"
        )
    if listed and len(listed) != len(wanted):
        raise VerifyError(
            f"the function returns {len(listed)} tensors; {single.name} has the outputs "
            f"{', '.join(wanted)[:300]}; give as many, or a dict by name"
        )
    returned = named | dict(zip(wanted, listed, strict=False))
    return tuple(
        (name, versioned.get(name) or returned[name]) for name in names if name in versioned or name in returned
    )
