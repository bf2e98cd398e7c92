"""Folding of moves around a collective into its dimension, and of splits into slices.

    gather(x, 0), split into n, cat along d   ->   gather(x, d)
    split along d into n, cat along 0, reduce_scatter(., 0)   ->   reduce_scatter(., d)
    split(x)[i]   ->   slice of x
PyTorch's collectives work along dimension 0 only, so other dimensions are written with such moves. They are recognised
by what reads them; which calls are kept is a fixed point, because a call that one rank needs is needed by all its
members.
Complexity: a few passes over each rank's nodes, at most one round for each call.
Reference: McKeeman, "Peephole optimization", 1965.
"""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.frontend.torch_graph.graph import Argument, Item, Meta, Reference, TorchNode, needed
from p2smt.frontend.torch_ranks.messages import RankTrace

_SAME = ("view", "_unsafe_view", "reshape", "alias", "detach", "clone", "contiguous")
_SPLITS = ("split", "split_with_sizes", "unsafe_split", "unsafe_split_with_sizes", "chunk", "unbind")


def needed_calls(traces: Sequence[RankTrace]) -> frozenset[str]:
    """Return the keys of collectives and messages that some rank's results depend on, even through other ranks."""
    keys: frozenset[str] = frozenset()
    while True:
        found = {key for trace in traces for node in kept_nodes(trace, keys) if (key := key_of(node))}
        if found <= keys:
            return keys
        keys |= found


def kept_nodes(trace: RankTrace, keys: frozenset[str]) -> list[TorchNode]:
    """Return the nodes that a rank's results depend on, and its nodes for the calls with these keys."""
    calls = [Reference(node.name) for node in trace.nodes if key_of(node) in keys]
    return needed(trace.nodes, [*calls, *(reference for _, reference in (*trace.outputs, *trace.updates))])


def key_of(node: TorchNode) -> str:
    """Return the key of a collective call in its communicator; empty for other nodes."""
    return str(node.keywords.get("key", "")) if node.operation.startswith("collective.") else ""


def plainly_named(trace: RankTrace, keys: frozenset[str]) -> RankTrace:
    """Return the trace reduced to its results and the calls with these keys, without folding collectives."""
    slices = _Slices(kept_nodes(trace, keys))
    outputs = [(name, slices.item(reference)) for name, reference in trace.outputs]
    updates = [(name, slices.item(reference)) for name, reference in trace.updates]
    return _named(replace(trace, nodes=slices.nodes, outputs=outputs, updates=updates))


def folded(trace: RankTrace) -> RankTrace:
    """Return the trace with collectives along the intended dimension, and with slices in place of splits.

    If gathered blocks are concatenated along another dimension, or blocks of another dimension are concatenated
    before a reduce-scatter, the collective is changed to that dimension. The part of a split that a rank uses
    becomes a slice, whose name does not depend on the index of the part, so that names agree between ranks.
    """
    nodes = _Collectives(trace.nodes).nodes()
    slices = _Slices(nodes)
    outputs = [(name, slices.item(reference)) for name, reference in trace.outputs]
    updates = [(name, slices.item(reference)) for name, reference in trace.updates]
    kept = needed(slices.nodes, [reference for _, reference in (*outputs, *updates)])
    return _named(replace(trace, nodes=kept, outputs=outputs, updates=updates))


def _named(trace: RankTrace) -> RankTrace:
    """Return the trace with names by operation and line, which agree on ranks that do the same."""
    names: dict[str, str] = {}
    counts: dict[str, int] = {}
    for node in trace.nodes:
        line = node.line.rpartition(":")[2]
        words = f"{base_name(node)}.line{line}" if line else base_name(node)
        count = counts[words] = counts.get(words, 0) + 1
        names[node.name] = words if count == 1 else f"{words}.{count}"

    def item(reference: Reference) -> Reference:
        return Reference(names.get(reference.node, reference.node), reference.result)

    def argument(given: Argument) -> Argument:
        if isinstance(given, list):
            return [item(each) if isinstance(each, Reference) else each for each in given]
        return item(given) if isinstance(given, Reference) else given

    nodes = [
        replace(
            node,
            name=names[node.name],
            arguments=[argument(each) for each in node.arguments],
            keywords={name: argument(each) for name, each in node.keywords.items()},
        )
        for node in trace.nodes
    ]
    outputs = [(name, item(reference)) for name, reference in trace.outputs]
    return replace(trace, nodes=nodes, outputs=outputs, updates=[(name, item(each)) for name, each in trace.updates])


def base_name(node: TorchNode) -> str:
    """The operation without `aten.` and overload."""
    return node.operation.split(".")[1] if "." in node.operation else node.operation


class _Collectives:
    def __init__(self, nodes: Sequence[TorchNode]) -> None:
        self._given = nodes
        self._by_name = {node.name: node for node in nodes}

    def nodes(self) -> list[TorchNode]:
        return [self._gathered(self._scattered(node)) for node in self._given]

    def _of(self, argument: Argument) -> TorchNode | None:
        """Return the node that produces a result, skipping operations that move nothing."""
        if not isinstance(argument, Reference) or argument.result:
            return None
        node = self._by_name.get(argument.node)
        if node is not None and base_name(node) in _SAME and isinstance(first := node.arguments[0], Reference):
            before = self._by_name.get(first.node)
            if before is not None and before.results[first.result] == node.results[0]:
                return self._of(first)
        return node

    def _pieces(self, node: TorchNode | None) -> TorchNode | None:
        """Return the node whose results, all of them in order, this node concatenates."""
        if node is None or node.operation != "aten.cat.default" or not isinstance(node.arguments[0], list):
            return None
        references = [item for item in node.arguments[0] if isinstance(item, Reference)]
        if not references or len(references) < len(node.arguments[0]):
            return None
        source = self._by_name.get(references[0].node)
        if source is None or references != [Reference(source.name, number) for number in range(len(source.results))]:
            return None
        metas = {None if meta is None else meta.shape for meta in source.results}
        return source if base_name(source) in _SPLITS and len(metas) == 1 else None

    def _gathered(self, node: TorchNode) -> TorchNode:
        """Return an all-gather along another dimension, if the node concatenates blocks gathered along the first."""
        source = self._pieces(node)
        gather = None if source is None else self._of(source.arguments[0])
        if source is None or gather is None or gather.operation != "collective.all_gather":
            return node
        operand = gather.arguments[0]
        if _dim(source) != 0 or len(source.results) != _size(gather):
            return node
        if base_name(source) == "unbind":
            single = self._of(operand)
            if single is None or base_name(single) != "unsqueeze":
                return node
            operand = single.arguments[0]
        return replace(gather, name=node.name, arguments=[operand, _joined_dim(node)], results=node.results)

    def _scattered(self, node: TorchNode) -> TorchNode:
        """Return a reduce-scatter along another dimension, if its blocks were concatenated along the first before."""
        if not node.operation.startswith("collective.reduce_scatter"):
            return node
        joined = self._of(node.arguments[0])
        source = self._pieces(joined)
        if joined is None or source is None or _joined_dim(joined) != 0 or len(source.results) != _size(node):
            return node
        if base_name(source) == "unbind":
            return node
        return replace(node, arguments=[source.arguments[0], _dim(source)])


def _size(collective: TorchNode) -> int:
    group = collective.keywords["group"]
    return len(group) if isinstance(group, list) else 0


def _dim(split: TorchNode) -> int:
    """Return the dimension of a split, normalized to be nonnegative."""
    at = 1 if base_name(split) == "unbind" else 2
    found = split.arguments[at] if at < len(split.arguments) else split.keywords.get("dim", 0)
    meta = split.results[0]
    rank = (0 if meta is None else len(meta.shape)) + (base_name(split) == "unbind")
    number = found if isinstance(found, int) else 0
    return number + rank if number < 0 else number


def _joined_dim(cat: TorchNode) -> int:
    found = cat.arguments[1] if len(cat.arguments) > 1 else cat.keywords.get("dim", 0)
    meta = cat.results[0]
    number = found if isinstance(found, int) else 0
    return number + len(meta.shape) if number < 0 and meta is not None else number


class _Slices:
    """A rewriter that replaces parts of splits by slices."""

    def __init__(self, nodes: Sequence[TorchNode]) -> None:
        self._splits = {node.name: node for node in nodes if base_name(node) in _SPLITS}
        self._made: dict[Reference, Reference] = {}
        self._counts: dict[str, int] = {}
        self.nodes: list[TorchNode] = []
        for node in nodes:
            if node.name not in self._splits:
                arguments = [self._argument(each) for each in node.arguments]
                keywords = {name: self._argument(each) for name, each in node.keywords.items()}
                self.nodes.append(replace(node, arguments=arguments, keywords=keywords))

    def _argument(self, argument: Argument) -> Argument:
        if isinstance(argument, list):
            return [self.item(item) if isinstance(item, Reference) else item for item in argument]
        return self.item(argument) if isinstance(argument, Reference) else argument

    def item(self, reference: Reference) -> Reference:
        """The reference with a part of a split replaced by its slice."""
        split = self._splits.get(reference.node)
        if split is None:
            return reference
        if reference not in self._made:
            count = self._counts[split.name] = self._counts.get(split.name, 0) + 1
            name = f"{split.name}.part" if count == 1 else f"{split.name}.part{count}"
            source = self._argument(split.arguments[0])
            assert isinstance(source, Reference)
            self.nodes.append(_part(split, source, reference.result, name))
            self._made[reference] = Reference(name)
        return self._made[reference]


def _part(split: TorchNode, source: Reference, position: int, name: str) -> TorchNode:
    dim = _dim(split)
    if base_name(split) == "unbind":
        arguments: list[Item] = [source, dim, position]
        operation = "aten.select.int"
    else:
        lengths = [0 if meta is None else meta.shape[dim] for meta in split.results]
        start = sum(lengths[:position])
        arguments = [source, dim, start, start + lengths[position]]
        operation = "aten.slice.Tensor"
    result: Meta | None = split.results[position]
    return TorchNode(
        name=name, operation=operation, arguments=list(arguments), keywords={}, results=[result], line=split.line
    )
