"""AutoParallel's answer for a model on a mesh of H100, as one line of JSON: `compare_autoparallel.py` runs this.

    .venv/bin/python scripts/autoparallel_answer.py AUTOPARALLEL gpt2 2,4 [--sliced]

AUTOPARALLEL is a checkout. Nothing is computed: devices are a fake process group on the CPU, and the card that
AutoParallel asks for its speed is said to be an H100. `--sliced`: AutoParallel's own limit on parameters, by which
every device keeps its even part. Collectives are those of the graph that AutoParallel makes of its answer.
"""

import argparse
import json
import re
import resource
import sys
from collections.abc import Iterator
from math import prod
from typing import Any  # Any: graphs and placements of a library that is not there when types are checked

import torch
from autoparallel_models import SIZES, batch_of, build_model
from torch.distributed.tensor import placement_types
from torch.distributed.tensor.placement_types import Placement, Replicate, Shard

KINDS = {
    "all_reduce": "AllReduce",
    "all_gather_into_tensor": "AllGather",
    "reduce_scatter_tensor": "ReduceScatter",
    "all_to_all_single": "AllToAll",
    "shard_dim_alltoall": "AllToAll",
}
"""p2smt's names for functional collectives."""

SILENT = {"wait_tensor"}

aten = torch.ops.aten
PRODUCTS = {aten.mm.default: (0, 1), aten.bmm.default: (0, 1), aten.addmm.default: (1, 2)}
"""Products of matrices, and which arguments are multiplied; einsum beside them."""


def seconds() -> float:
    """CPU seconds of this process and of the solver that it called."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def placement_text(placement: Placement) -> str:
    """A placement in the words of p2smt's conditions."""
    if isinstance(placement, Shard):
        return f"sliced({placement.dim})"
    return "replicated" if isinstance(placement, Replicate) else "partial"


def placements_of(strategy: Any) -> list[str]:
    """Where a node's value lies, axis by axis."""
    return [placement_text(each) for each in strategy.output_specs.placements]


def is_product(node: Any) -> bool:
    """Whether a node multiplies matrices."""
    return node.op == "call_function" and (node.target in PRODUCTS or node.target is aten.einsum.default)


def product_flops(node: Any) -> int:
    """Two for every multiplication: of the result's elements, each a sum along what is in no dimension of it."""
    if node.target is aten.einsum.default:
        labels = node.args[0].replace(" ", "").partition("->")[0]
        sizes: dict[str, int] = {}
        for names, operand in zip(labels.split(","), node.args[1], strict=True):
            sizes.update(zip(names, operand.meta["val"].shape, strict=True))
        return 2 * prod(sizes.values())
    left = node.args[PRODUCTS[node.target][0]].meta["val"]
    return 2 * prod(node.meta["val"].shape) * left.shape[-1]


def linear_layers(graph: Any, answer: Any, batch: int, sequence: int) -> Iterator[tuple[list[int], list[str]]]:
    """Shapes and placements of the linear layers of the forward pass, in order.

    They are products of [batch, sequence, width], or of [batch * sequence, width], which is unfolded here.
    """
    backward: set[Any] = set()
    unfolded = {"sliced(1)": "sliced(2)"}
    for node in graph.nodes:
        if node.op == "placeholder":
            if str(node.name).startswith("tangents"):
                backward.add(node)
        elif backward & set(node.all_input_nodes):
            backward.add(node)
        elif is_product(node):
            shape, placements = list(node.meta["val"].shape), placements_of(answer[node])
            if shape[:2] == [batch, sequence] and len(shape) == 3:
                yield shape, placements
            elif shape[0] == batch * sequence and len(shape) == 2:
                yield [batch, sequence, shape[1]], [unfolded.get(each, each) for each in placements]


def collectives_of(graph: Any, groups: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """Kind, axis, and the bytes that each rank brings, of every collective of a graph."""
    for node in graph.nodes:
        if node.op != "call_function" or not re.search("c10d|_dtensor", str(node.target)):
            continue
        name = str(node.target).split(".")[-2]
        if name in SILENT:
            continue
        if name not in KINDS:
            raise SystemExit(f"a collective that is not counted: {node.target}")
        given = node.args[0].meta["val"]
        group = next(each for each in reversed(node.args) if isinstance(each, str))
        yield KINDS[name], groups[group], given.numel() * given.element_size()


def exchanged(values: torch.Tensor, gathered: int, cut: int, mesh: Any, axis: int) -> torch.Tensor:
    """DTensor's exchange along an axis as one collective; on a CPU it would gather the whole tensor instead."""
    return torch.ops._dtensor.shard_dim_alltoall(values, gathered, cut, mesh.get_group(axis).group_name)


def answer(model: str, sizes: tuple[int, ...], sliced: bool) -> dict[str, object]:
    """The answer, as it is written."""
    import pulp
    from autoparallel.api import AutoParallel
    from autoparallel.cost_models import compute_estimation
    from autoparallel.cost_models.nccl_cost_model import h100_topo_config
    from torch._functorch._aot_autograd.fx_utils import get_named_param_nodes, get_plain_input_and_grad_nodes
    from torch.distributed import init_device_mesh, init_process_group
    from torch.testing._internal.distributed.fake_pg import FakeStore

    card = next(each for each in compute_estimation.DEVICE_LIMITS if each.name == "H100")
    compute_estimation._get_device_limit = lambda: card
    placement_types.shard_dim_alltoall = exchanged
    count = prod(sizes)
    init_process_group("fake", store=FakeStore(), rank=0, world_size=count)
    axes = tuple(f"axis{number}" for number in range(len(sizes)))
    mesh = init_device_mesh("cpu", sizes, mesh_dim_names=axes)
    network = h100_topo_config(num_nodes=1, gpus_per_node=count)
    module, begun = build_model(model), seconds()
    with AutoParallel(module, lambda: batch_of(model), mesh, cost_model=network) as search:
        if sliced:
            search.add_parameter_memory_constraint()
        built = seconds()
        found = search.optimize_placement()
        solved = seconds()
        parameters = get_named_param_nodes(search.gm.graph)
        inputs = get_plain_input_and_grad_nodes(search.gm.graph)
        layers = list(linear_layers(search.gm.graph, found, SIZES[model].batch, SIZES[model].sequence))
        search._apply_placement_common(found)
        groups = {mesh.get_group(axis).group_name: axis for axis in axes}
        if len(axes) > 1:
            groups[mesh._flatten().get_group().group_name] = "all"
        graph = search.parallel_gm.graph
        return {
            "build_s": built - begun,
            "solve_s": solved - built,
            "objective_us": pulp.value(search.sharding_optimizer.prob.objective),
            "parameters": {name: placements_of(found[node]) for name, node in parameters.items()},
            "inputs": [placements_of(found[node]) for node, _ in inputs.values()],
            "layers": layers,
            "collectives": list(collectives_of(graph, groups)),
            "product_flops": sum(product_flops(node) for node in graph.nodes if is_product(node)),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("autoparallel")
    parser.add_argument("model")
    parser.add_argument("mesh", type=lambda text: tuple(map(int, text.split(","))))
    parser.add_argument("--sliced", action="store_true")
    asked = parser.parse_args()
    sys.path.insert(0, asked.autoparallel)
    print(json.dumps(answer(asked.model, asked.mesh, asked.sliced)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
