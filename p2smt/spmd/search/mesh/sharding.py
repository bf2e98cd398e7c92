"""The fastest distributed program on a mesh, over its placements on the hardware, with a lower bound.

Method: best-first branch and bound, one level deep (Land and Doig, "An automatic method of solving discrete programming
problems", 1960). Each placement m has a lower bound b(m); with t the time of the best program so far,
    search m, in order of b(m), unless  b(m) >= t / e   (e = 1 if the search of m is exact, else 1.002 or more),
    bound of the answer = min over m of b(m),
which the slower bound of the placement with the least b(m) then raises, as long as that is not raised yet. A program
that exceeds the memory skips no placement.
Complexity: a bound for each placement, and a search (`search.py`) for each that is not skipped. Mirrored placements
share a bound (`mirrored.py`).

Example: placements A, B and C with bounds 90, 95 and 99 ms. A's search finds 96 ms. B's bound, 95, is below 96 / 1.002
= 95.8, so B is searched and finds 97; C is skipped. The answer is A's 96 ms with the bound 90 ms.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations as combinations_of

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.devices.cluster import Device
from p2smt.spmd.devices.device_mesh import Mesh, MeshOutcome
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.engines.engine import MEMORY, EngineOptions, ShardingEngine
from p2smt.spmd.engines.solving import for_bounds
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.computing_cache import ComputingCache
from p2smt.spmd.model.conditions import Conditions, OneAxisOf, parse_conditions
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums, marked
from p2smt.spmd.model.graph import Graph, graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.restriction import FREEDOM, Restriction
from p2smt.spmd.search.mesh.baselines import MeshBaseline, combinations
from p2smt.spmd.search.mesh.choice import shares_on
from p2smt.spmd.search.mesh.fitting import lacks
from p2smt.spmd.search.mesh.mirrored import mirrored_pair
from p2smt.spmd.search.mesh.naming import named, named_for
from p2smt.spmd.search.mesh.placement_bounds import PlacementBounds
from p2smt.spmd.search.mesh.relaxation import AxesAlone, Optima
from p2smt.spmd.search.mesh.search import Elsewhere, MeshSearch
from p2smt.spmd.search.searching import FoundProgram, rank_of
from p2smt.spmd.search.sharded import MeshScope, ShardingResult
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class _Best:
    mesh: Mesh
    search: MeshSearch
    fastest: FoundProgram
    exact: bool


def shard_on(
    program: Program,
    meshes: Iterable[Mesh],
    engine: ShardingEngine = ShardingEngine.ELIMINATION,
    conditions: Sequence[str] = (),
    *,
    shares: str = "vertices",
    certify: bool = False,
    beside: bool = True,
    memory: int = MEMORY,
    sums: GradientSums = ANYWHERE,
) -> ShardingResult:
    """Return the fastest program on any of some meshes, with baselines on its mesh if `beside`.

    `shares` is a text as in `shares_on`. Meshes whose bound shows that no program is faster than the best one (or by
    less than 0.2% if the search is not exact) are skipped. `memory` is elimination's limit in bytes; `sums`
    constrains where gradients are reduced. Raises ProblemError if the conditions are infeasible.
    """
    graph = marked(graph_of(program), sums)
    meshes = list(meshes)
    if not meshes:
        raise ProblemError("there is no mesh to search; give the sizes of its axes (--mesh)")
    read = parse_conditions(conditions, graph, [axis.name for axis in meshes[0].axes])
    restriction = read if conditions else FREEDOM
    wanted = EngineOptions(engine, certify=certify, memory=memory)
    optima = Optima(for_bounds(wanted))
    asked = _MeshSearches(graph, read, wanted, optima)
    best: _Best | None = None
    others: list[Elsewhere] = []
    tried: dict[int, MeshOutcome] = {}
    searches = asked.all([(mesh, each) for mesh in meshes for each in shares_on(mesh, shares)])
    # Promising meshes first: their results let later ones be skipped by their bounds.
    for number in _promising(searches, restriction):
        search = searches[number]
        mesh = search.mesh
        if best is not None and not lacks(best.fastest):
            enough = search.not_worthwhile(best.fastest.time)
            bound = search.lower_bound(restriction, enough).bound
            if bound >= enough:
                tried[number] = MeshOutcome(mesh.sizes, mesh.placement, None, bound)
                # Only a program that fits into memory can rule out another mesh.
                continue
        searched = search.search(restriction, others)
        if not searched.exact:
            others.append(Elsewhere(search, searched.fastest))
        found = _Best(mesh, search, search.fitting(restriction, searched.fastest), searched.exact)
        tried[number] = MeshOutcome(mesh.sizes, mesh.placement, found.fastest.time, searched.bound)
        if best is None or rank_of(found.fastest) < rank_of(best.fastest):
            best = found
    assert best is not None
    _raise_least(tried, searches, restriction)
    beside_it = _baselines(best, graph, optima.solver.notes) if beside else ()
    fastest = best.fastest
    if beside_it and not conditions:
        fastest = min((fastest, *(each.made for each in beside_it)), key=rank_of)
    looked_at = tuple(tried[number] for number in sorted(tried))
    notes = tuple(dict.fromkeys(optima.solver.notes))
    return _sharded(best, fastest, beside_it, engine, looked_at, notes, certify=certify)


@dataclass(frozen=True, slots=True)
class _MeshSearches:
    """The searches of a program on several meshes, with shared results."""

    graph: Graph
    conditions: Conditions
    search: EngineOptions
    optima: Optima
    known: dict[tuple[int, ...], Forms] = field(default_factory=dict)
    computing: dict[tuple[tuple[Device, ...], tuple[int, ...], tuple[Shares, ...]], ComputingCache] = field(
        default_factory=dict
    )

    def all(self, places: Sequence[tuple[Mesh, tuple[Shares, ...]]]) -> list[MeshSearch]:
        """Return the searches on meshes with these ratios; mirrored placements share a bound."""
        prices = [self._prices(mesh, shares) for mesh, shares in places]
        bounds: dict[int, PlacementBounds] = {}
        free = not self.conditions.each and self.search.engine is ShardingEngine.ELIMINATION
        for one, other in combinations_of(range(len(prices) if free else 0), 2):
            if one not in bounds and other not in bounds:
                pair = mirrored_pair(prices[one], prices[other])
                if pair is not None:
                    bounds[one] = bounds[other] = self._bounds(pair)
        return [self._on(pricing, bounds.get(number)) for number, pricing in enumerate(prices)]

    def _prices(self, mesh: Mesh, shares: tuple[Shares, ...]) -> Pricing:
        """Return the prices of a placement; computation is cached for equal devices, sizes and ratios."""
        cache = self.computing.setdefault((mesh.cluster.devices, mesh.sizes, shares), ComputingCache())
        return Pricing(self.graph, self._forms(mesh.sizes).classes, mesh, shares, computing=cache)

    def _bounds(self, pair: Pricing) -> PlacementBounds:
        """Return the bounds of two placements at their common prices."""
        axes = (FREEDOM,) * len(pair.mesh.axes)
        alone = AxesAlone(pair, self._forms((2,)), axes, self.optima, certify=self.search.certify)
        return PlacementBounds(OptionCache(pair, self._forms(pair.mesh.sizes)), axes, alone, self.search)

    def _on(self, pricing: Pricing, bounds: PlacementBounds | None) -> MeshSearch:
        """Return the search at some prices."""
        sizes, conditions = pricing.mesh.sizes, self.conditions
        return MeshSearch(
            OptionCache(pricing, self._forms(sizes)),
            self.search.engine,
            certify=self.search.certify,
            memory=self.search.memory,
            optima=self.optima,
            forms=self._forms((2,)),
            each_axis=[OneAxisOf(conditions, axis) if conditions.each else FREEDOM for axis in range(len(sizes))],
            bounds=bounds,
        )

    def _forms(self, sizes: tuple[int, ...]) -> Forms:
        if sizes not in self.known:
            self.known[sizes] = Forms(self.graph, classes_of(self.graph), sizes)
        return self.known[sizes]


def _promising(searches: Sequence[MeshSearch], restriction: Restriction) -> Sequence[int]:
    """Return the numbers of searches, least bound first, so that later ones can be skipped or improved less.

    Placements of one mesh are bounded anyway. Different meshes are ranked by the bound of single axes, which is
    weaker but takes a tenth of the time.
    """
    numbers = range(len(searches))
    if len(searches) < 2:
        return numbers
    if len({search.mesh.sizes for search in searches}) > 1 or searches[0].is_small or searches[0].is_apart:
        return sorted(numbers, key=lambda number: searches[number].alone.bound)
    ranked = sorted(numbers, key=lambda number: searches[number].lower_bound(restriction).bound)
    bound = searches[ranked[0]].lower_bound(restriction).bound
    first = [number for number in ranked if searches[number].lower_bound(restriction).bound == bound]
    if len(first) > 1:
        # of placements that share a bound the one where the program that both begin with costs less
        costs = {number: searches[number].begun(restriction) for number in first}
        first.sort(key=lambda number: (costs[number] is None, costs[number] or 0))
    return [*first, *ranked[len(first) :]]


def _raise_least(tried: dict[int, MeshOutcome], searches: Sequence[MeshSearch], restriction: Restriction) -> None:
    """Raise the least bound of all meshes, which is the answer's bound, until it cannot be raised further."""
    times = Counter[int]()
    while True:
        least = min(tried, key=lambda number: tried[number].bound)
        bound = searches[least].raised(restriction, times[least])
        if bound is None:
            return
        times[least] += 1
        tried[least] = replace(tried[least], bound=max(bound, tried[least].bound))


@dataclass(frozen=True, slots=True)
class _PricedBaseline:
    baseline: MeshBaseline
    made: FoundProgram


def _baselines(best: _Best, graph: Graph, notes: list[str]) -> tuple[_PricedBaseline, ...]:
    """Return the baselines that can be priced; `notes` gets a line for each baseline that is left out."""
    found = []
    for baseline in combinations(graph, classes_of(graph), best.mesh.sizes):
        try:
            made = best.search.within(baseline.restriction)
        except EngineError as cause:
            notes.append(f"{baseline.name} is left out of the comparison: {cause}")
            continue
        if made is not None:
            found.append(_PricedBaseline(baseline, made))
    return tuple(found)


def _sharded(
    best: _Best,
    fastest: FoundProgram,
    others: Sequence[_PricedBaseline],
    engine: ShardingEngine,
    tried: tuple[MeshOutcome, ...],
    notes: tuple[str, ...],
    *,
    certify: bool,
) -> ShardingResult:
    mesh = best.mesh
    candidate = replace(fastest.candidate, program=named(fastest.candidate.program))
    # Two strategies can have one program, which is named once.
    known = [(fastest.candidate.program, candidate)]
    baselines = []
    for each in others:
        mine = each.made.candidate
        made = next((made for program, made in known if program == mine.program), None)
        if made is None:
            made = replace(mine, program=named_for(mine.program, each.baseline.purposes))
            known.append((mine.program, made))
        baselines.append((each.baseline.name, made))
    return ShardingResult(
        program=candidate.program,
        cluster=mesh.cluster,
        shares=candidate.shares,
        account=candidate.account,
        lower_bound=min(each.bound for each in tried),
        candidates=(candidate,),
        baselines=tuple(baselines),
        spare=(),
        engine=engine,
        proved=certify,
        scope=MeshScope(mesh.placement, mesh.networks, tried, best.exact),
        notes=notes,
    )
