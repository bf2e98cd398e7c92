"""CUDA's streams and events in functions: what they order, and what they leave open."""

import random
from collections import Counter

import networkx as nx
import pytest
from frontend.torch_function.tracing import source, traced, verdict
from looped import looped
from tiers import is_full, sample

from p2smt.verify.plan_verdict import PlanMistake, PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

HEAD = "side, here = torch.cuda.Stream(), torch.cuda.current_stream()\n"
ON_SIDE = "with torch.cuda.stream(side):\n    "

RIGHT = {
    "both wait": "side.wait_stream(here)\n" + ON_SIDE + "dist.all_reduce(tensor)\nhere.wait_stream(side)",
    "the call is waited for here": "side.wait_stream(here)\n"
    + ON_SIDE
    + "work = dist.all_reduce(tensor, async_op=True)\nwork.wait()",
    "events": "begun, ended = torch.cuda.Event(), torch.cuda.Event(enable_timing=True)\nbegun.record()\n"
    "side.wait_event(begun)\n" + ON_SIDE + "tensor.record_stream(side)\n    dist.all_reduce(tensor)\n    "
    "ended.record()\nended.wait()",
    "an event of the stream": "here.synchronize()\nwith side:\n    dist.all_reduce(tensor)\n"
    "side.record_event().synchronize()\nreturn tensor.clone()",
    "everything is waited for": "torch.cuda.synchronize()\n" + ON_SIDE + "dist.all_reduce(tensor)\n"
    "torch.cuda.synchronize()",
    "set and set back": "side.wait_stream(here)\ntorch.cuda.set_stream(side)\ndist.all_reduce(tensor)\n"
    "torch.cuda.set_stream(here)\ntorch.cuda.default_stream().wait_stream(side)",
    "a copy beside a call": "half = tensor[:4]\nside.wait_stream(here)\nwork = dist.all_reduce(half, async_op=True)\n"
    + ON_SIDE
    + "dist.all_reduce(tensor[4:])\nhere.wait_stream(side)\nwork.wait()",
    "only read by both": "side.wait_stream(here)\n" + ON_SIDE + "kept = tensor.clone()\nother = tensor.clone()\n"
    "dist.all_reduce(other)\nhere.wait_stream(side)\nreturn other",
}

WRONG = {
    "begins too early": (
        ON_SIDE + "dist.all_reduce(tensor)\nhere.wait_stream(side)",
        "rank 0: whoever calls the function writes what line 8 (step 1: all_reduce) reads, and nothing orders the two",
    ),
    "given back too early": (
        "side.wait_stream(here)\n" + ON_SIDE + "dist.all_reduce(tensor)",
        "line 9 (step 1: all_reduce) writes what whoever calls the function reads",
    ),
    "waited for on the other stream": (
        "side.wait_stream(here)\n" + ON_SIDE + "work = dist.all_reduce(tensor, async_op=True)\n    work.wait()\n"
        "return tensor.clone()",
        "line 9 (step 1: all_reduce) writes what line 11 (stream 0) reads",
    ),
    "recorded before the work": (
        "side.wait_stream(here)\nevent = side.record_event()\n" + ON_SIDE + "dist.all_reduce(tensor)\nevent.wait()",
        "writes what whoever calls the function reads",
    ),
    "the call before is waited for": (
        "one, other = (dist.all_reduce(half, async_op=True) for half in tensor.chunk(2))\n"
        + ON_SIDE
        + "other.wait()\none.wait()\nreturn tensor.clone()",
        "line 7 (step 2: all_reduce) writes what line 11 (stream 0) reads",
    ),
    "never recorded": (
        "side.wait_stream(here)\n" + ON_SIDE + "dist.all_reduce(tensor)\ntorch.cuda.Event().wait()",
        "writes what whoever calls the function reads",
    ),
    "written on both": (
        "side.wait_stream(here)\n" + ON_SIDE + "tensor.mul_(2)\ntensor.div_(2)\nhere.wait_stream(side)\n"
        "dist.all_reduce(tensor)",
        "line 9 (stream 1) writes what line 10 (stream 0)",
    ),
}


@looped("name", RIGHT)
def test_right_streams(tmp_path, name):
    assert isinstance(verdict(tmp_path, HEAD + RIGHT[name], elements=8), Proved)


@looped("name", WRONG)
def test_wrong_streams(tmp_path, name):
    body, words = WRONG[name]
    found = verdict(tmp_path, HEAD + body, elements=8)
    assert isinstance(found, Refuted)
    assert (found.counter_example.rule, words in found.counter_example.message) == (PlanRule.RACE, True), (
        found.counter_example.message
    )


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            "if side.query():\n    dist.all_reduce(tensor)",
            "line 7: the state of a stream or an event depends on timing",
        ),
        (
            "torch.cuda.Event().elapsed_time(None)",
            "line 7: the duration of an operation depends on timing; do not measure it in the function",
        ),
        ("x = tensor.cuda()\ndist.all_reduce(x)", "line 7: AssertionError: Torch not compiled with CUDA enabled"),
    ],
)
def test_what_a_gpu_alone_knows_is_unknown(tmp_path, body, words):
    found = verdict(tmp_path, HEAD + body, elements=8)
    assert isinstance(found, Unknown)
    assert words in found.reason


STREAMS, BUFFERS = 3, 3


def drawn(rng):
    """Statements of one rank: (kind, ...), with streams, events and buffers by their numbers."""
    kinds, calls = ["on", "copy", "copy", "call", "call", "wait", "stream", "event", "join", "sync"], 0
    found = []
    for _ in range(rng.randrange(4, 14)):
        kind, a, b = rng.choice(kinds), rng.randrange(STREAMS), rng.randrange(STREAMS)
        if kind == "call":
            calls += 1
            found.append((kind, calls, rng.randrange(BUFFERS)))
        elif kind == "wait" and calls:
            found.append((kind, rng.randrange(1, calls + 1)))
        elif kind == "copy":
            found.append((kind, rng.randrange(BUFFERS), rng.randrange(BUFFERS)))
        elif kind != "wait":
            found.append((kind, a, b))
    return [*found, *(("wait", call) for call in range(1, calls + 1)), ("on", 0, 0)]


def text(statements):
    lines = [
        "s = [torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()]",
        "e, w = [torch.cuda.Event() for _ in s], {}",
        "b = [tensor, torch.empty_like(tensor), torch.empty_like(tensor)]",
    ]
    for kind, a, *more in statements:
        match kind:
            case "on":
                lines.append(f"torch.cuda.set_stream(s[{a}])")
            case "copy":
                lines.append(f"b[{a}].copy_(b[{more[0]}])")
            case "call":
                lines.append(f"w[{a}] = dist.all_reduce(b[{more[0]}], async_op=True)")
            case "wait":
                lines.append(f"w[{a}].wait()")
            case "stream":
                lines.append(f"s[{a}].wait_stream(s[{more[0]}])")
            case "event":
                lines.append(f"e[{a}].record(s[{more[0]}])")
            case "join":
                lines.append(f"s[{a}].wait_event(e[{more[0]}])")
            case "sync":
                lines.append(f"s[{a}].synchronize()")
    return "\n".join(lines)


class Graph:
    """What comes before what; `last` are the nodes that the next thing of a stream, or of the program, comes after."""

    def __init__(self):
        self.graph = nx.DiGraph()
        self.last, self.host = {}, []
        self.accesses = [(self.node(0), 0, True)]  # whoever calls the function wrote the payload

    def after(self, stream):
        return self.last.get(stream, [])

    def node(self, stream, *also):
        number = len(self.graph)
        self.graph.add_node(number)
        self.graph.add_edges_from((one, number) for one in (*self.after(stream), *self.host, *also))
        self.last[stream] = [number]
        return number

    def races(self):
        reached = {one: nx.descendants(self.graph, one) for one in self.graph}
        return any(
            i != j and one == other and (writes or also) and j not in reached[i] and i not in reached[j]
            for i, one, writes in self.accesses
            for j, other, also in self.accesses
        )


def races_by_graph(statements):
    """Whether two accesses to a buffer, one of them a write, have no path between them."""
    graph, current, calls, events = Graph(), 0, {}, {}
    for kind, a, *more in statements:
        match kind:
            case "on":
                current = a
            case "copy":
                number = graph.node(current)
                graph.accesses += [(number, more[0], False), (number, a, True)]
            case "call":
                calls[a] = graph.node("nccl", *graph.after(current))
                graph.accesses.append((calls[a], more[0], True))
            case "wait":
                graph.last[current] = [*graph.after(current), calls[a]]
            case "stream":
                graph.last[a] = [*graph.after(a), *graph.after(more[0])]
            case "event":
                events[a] = graph.after(more[0])
            case "join":
                graph.last[a] = [*graph.after(a), *events.get(more[0], ())]
            case "sync":
                graph.host = [*graph.host, *graph.after(a)]
    graph.accesses.append((graph.node(0), 0, False))
    return graph.races()


def raced(tmp_path, statements):
    """Whether streams are said to leave two accesses open; None: gloo's own order is said to be broken before."""
    found = traced(source(tmp_path, text(statements)), 2, elements=2)
    if not isinstance(found, PlanMistake):
        return False
    return True if "on a GPU" in found.message else None


@pytest.mark.parametrize("seed", sample(range(2), 1))
def test_random_streams_agree_with_a_graph_of_what_comes_before_what(tmp_path, seed):
    rng, seen = random.Random(seed), Counter()
    for _ in range(60 if is_full() else 30):
        statements = drawn(rng)
        found = raced(tmp_path, statements)
        if found is not None:
            assert found == races_by_graph(statements), text(statements)
        seen[found] += 1
    assert min(seen[True], seen[False]) >= 2, seen
