"""A traced training step as plain values, in which the tracing process sends it: torch's operations by name."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from p2smt.frontend.torch_graph.settings import Settings


@dataclass(frozen=True, slots=True)
class Reference:
    """A result of a node or a source; `result` selects one of a node's several results."""

    node: str
    result: int = 0


Item = Reference | bool | int | float | str | None
Argument = Item | list[Item]
"""An argument of an operation; element types, devices and similar values are given by name."""


def argument_of(argument: object, reference: Callable[[object], Reference | None]) -> Argument:
    """Convert an argument of a torch call; `reference` resolves tensors, and other objects become names."""
    if isinstance(argument, list | tuple):
        return [_item(item, reference) for item in argument]
    return _item(argument, reference)


def _item(item: object, reference: Callable[[object], Reference | None]) -> Item:
    known = reference(item)
    if known is not None:
        return known
    match item:
        case bool() | int() | float() | str() | None:
            return item
        case _:
            return str(item)


@dataclass(frozen=True, slots=True)
class Meta:
    """Shape and element type (torch's name) of a tensor."""

    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchNode:
    """A call of an operation; a result that is not a tensor has None as meta.

    `elements` holds the known results as consecutive 64-bit numbers, None for unknown ones; it is empty if all
    are unknown. `recomputed`: the node recomputes a checkpointed operation in the backward pass. `drawn`: the
    number of its random draw, from 1, or 0 if it draws nothing; a recomputed node has that of the forward pass.
    """

    name: str
    operation: str
    arguments: list[Argument]
    keywords: dict[str, Argument]
    results: list[Meta | None]
    line: str = ""
    backward: bool = False
    recomputed: bool = False
    elements: list[bytes | None] = field(default_factory=list)
    drawn: int = 0


def references(node: TorchNode) -> list[Reference]:
    """The results of other nodes that a node takes."""
    given = (*node.arguments, *node.keywords.values())
    listed = [item for each in given for item in (each if isinstance(each, list) else [each])]
    return [item for item in listed if isinstance(item, Reference)]


def needed(nodes: Sequence[TorchNode], results: Iterable[Reference]) -> list[TorchNode]:
    """Return the nodes that results depend on, without assertions."""
    wanted = {reference.node for reference in results}
    kept = []
    for node in reversed(nodes):
        if node.name in wanted:
            kept.append(node)
            wanted |= {item.node for item in references(node)}
    return kept[::-1]


@dataclass(frozen=True, slots=True)
class GraphSource:
    """A source of the graph under the user's name; `node` is its name in the graph."""

    node: str
    name: str
    meta: Meta


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateRule:
    """An optimizer's update rule for one group of parameters; torch's names and defaults.

    For SGD, the first of `betas` is the momentum. `kind` is sgd, adam or adamw. `rate` is the scalar input that
    holds the learning rate; if empty, `lr` is a literal of the program.
    """

    kind: str
    parameters: tuple[str, ...]
    lr: float
    rate: str = ""
    betas: tuple[float, float] = (0.0, 0.0)
    eps: float = 0.0
    weight_decay: float = 0.0
    nesterov: bool = False
    amsgrad: bool = False
    maximize: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizerGraph:
    """The step of an optimizer as a graph.

    `parameters` and `gradients` are keyed by parameter name; `states` are called PARAMETER.KEY and are zero
    before the first step; `counters` are nodes equal to the step number minus 1. `updated` and `kept` pair the
    name of a parameter or state with its new value. `offsets`: states with a nonzero initial value are stored as
    the difference from it.
    """

    nodes: list[TorchNode]
    parameters: list[GraphSource]
    gradients: list[GraphSource]
    states: list[GraphSource]
    counters: list[str]
    updated: list[tuple[str, Reference]]
    kept: list[tuple[str, Reference]]
    offsets: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """Additions of `p2smt.shard` to the model's and the optimizer's step.

    `rates`: the learning rates of torch's SGD, Adam and AdamW are scalar inputs, one per parameter group.
    `accumulate`: the number of micro-batches over which gradients are averaged; PARAMETER.accumulated is the
    running sum. `norm`: the joint norm of all gradients, before clipping, is an output. `ema`: the decay of
    moving averages of parameters, kept in the states PARAMETER.ema; None if there are none.
    """

    rates: bool = False
    accumulate: int = 1
    norm: bool = False
    ema: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingGraph:
    """Forward and backward of a step, with the updates of parameters and buffers.

    `gradients` pairs the name of a parameter with its gradient; `mutated` pairs the name of a buffer with its new
    value. `touched` has a truth value for each parameter that PyTorch leaves as it is where that is false, and is None
    if the step skips no code.
    """

    name: str
    inputs: list[GraphSource]
    parameters: list[GraphSource]
    buffers: list[GraphSource]
    tangent: str
    nodes: list[TorchNode]
    loss: Reference
    gradients: list[tuple[str, Reference]]
    mutated: list[tuple[str, Reference]]
    touched: list[tuple[str, Reference]] | None = None
    rules: list[UpdateRule] = field(default_factory=list)
    max_norm: float | None = None
    stepped: OptimizerGraph | None = None
    added: Additions = field(default_factory=Additions)


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An operation that prevents capture, the model's line that calls it, and the reason.

    `operation` is empty if the obstacle is not a single torch operation.
    """

    operation: str
    line: str
    why: str
    backward: bool = False


@dataclass(slots=True)
class Survey:
    """A step traced past obstacles: its sources, its nodes, and the obstacles.

    `begun`: tracing has begun. `ended`: an obstacle ended tracing, and nothing after it is known.
    """

    given: list[GraphSource] = field(default_factory=list)
    nodes: list[TorchNode] = field(default_factory=list)
    obstacles: list[Obstacle] = field(default_factory=list)
    begun: bool = False
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRequest:
    """A request to the tracing process: a function of a file, or a packaged example with its settings."""

    path: str = ""
    function: str = ""
    example: str = ""
    settings: Settings | None = None
    optimizer: str = ""
    max_norm: float | None = None
    whole_attention: bool = True
    survey: bool = False


@dataclass(frozen=True, slots=True)
class TraceAnswer:
    """The graph, or the error (the user's or ours) that prevented tracing, or a survey if one was requested."""

    graph: TrainingGraph | None = None
    mistake: str = ""
    defect: str = ""
    survey: Survey | None = None
