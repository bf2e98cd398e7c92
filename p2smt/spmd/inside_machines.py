"""Write a sharding over machines (`--virtual`) for all devices: the machines' layouts, data parallel inside.

The program over machines fixes the layouts on the outer axis of a mesh, machines x devices inside. On the inner axis
parameters and states are replicated and samples are sharded evenly (HAP, section 3.1); conversions on both axes are
searched. HAP collects every tensor on the first device of a machine, exchanges it among first devices, and spreads the
result (section 6). Here devices with the same number exchange their own parts, and a gradient is summed inside in
whichever way the search finds cheapest, such as ReduceScatter inside, AllReduce across, AllGather inside.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.spmd.devices.meshes import mesh_of_machines
from p2smt.spmd.devices.shares import even
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.gradient_sums import marked
from p2smt.spmd.model.graph import Graph, Node, graph_of
from p2smt.spmd.model.layouts import layout_of, without_sizes
from p2smt.spmd.model.number_type import dtype_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.restriction import PerAxis
from p2smt.spmd.reading.given_program import GivenProgram, account_on
from p2smt.spmd.request import ShardingRequest, prepared_step
from p2smt.spmd.search.baselines import data_parallel
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Layout
from p2smt.tensor.program import Program
from p2smt.tensor.rule import Rule


def for_all_devices(
    program: Program, machines: ShardingResult, system: System, request: ShardingRequest
) -> GivenProgram:
    """Return the program of all devices for a step that was sharded over the machines of a system.

    Raises ProblemError if machines differ in size, if the system has measured prices of all its devices alone, or if
    the step cannot be data parallel inside machines with these layouts.
    """
    step = prepared_step(program, request)
    graph = marked(graph_of(step.program), step.sums)
    classes = classes_of(graph)
    cluster = cluster_of(system, request.backend, request.speed, dtype_of(step.program), tf32=request.tf32)
    mesh = mesh_of_machines(system, cluster, request.backend)
    shares = (machines.shares, even(mesh.sizes[1]))
    inferred = infer(machines.program)
    assert isinstance(inferred, Inferred)
    restriction = PerAxis((_Machines(_layouts(graph, inferred)), data_parallel(graph, classes)))
    pricing = Pricing(graph, Forms(graph, classes, mesh.sizes).classes, mesh, shares)
    try:
        sharding = build(OptionCache(pricing), restriction)
        best = JointSolver.aside(request.search).solve(sharding.problem).answer
    except ProblemError:
        best = None
    if not isinstance(best, Best):
        raise ProblemError(
            "the layouts of the machines leave no samples to share inside them; use --mesh, which searches both axes"
        )
    made = with_whole_outputs(emit(sharding, best.assignment))
    return GivenProgram(account_on(made, mesh, request.buckets), mesh.cluster)


@dataclass(frozen=True, slots=True)
class _Machines:
    """A restriction of the outer axis to the layouts of the program over machines, by tensor number."""

    layouts: Mapping[int, Layout]

    def stored(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return the layout in which machines store the tensor."""
        known = self.layouts.get(tensor)
        return layouts if known is None else tuple([each for each in layouts if without_sizes(each) == known])

    def outputs(self, tensor: int, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Return all layouts: outputs are whole after the step."""
        return layouts

    def rules(self, node: Node, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
        """Return the rules that produce the node's result in the layout that machines compute it in."""
        known = self.layouts.get(node.result)
        return rules if known is None else tuple([each for each in rules if layout_of(each.result) == known])

    def alike(self, node: Node) -> Hashable:
        """Return a key that operations with the same known layout share."""
        return self.layouts.get(node.result)


def _layouts(graph: Graph, inferred: Inferred) -> dict[int, Layout]:
    """Return the layouts of named values of the program over machines; outputs and new versions stay free."""
    free = {*graph.outputs, *(version.result for version in graph.versions)}
    return {
        tensor: without_sizes(inferred.layouts[name][0])
        for name, tensor in graph.named.items()
        if name in inferred.layouts and tensor not in free
    }
