"""Random functions whose calls are waited for later, and what they do, by a graph of what happens before what.

A function is a list of statements that all ranks carry out, or one alone. Every call of a rank has three nodes: its
start, its work, its wait. Work comes after the starts of all members and before the wait, but what is sent may be read
before anybody takes it; everything but work comes in the order of the rank's program. Two accesses to an element race
if no path leads from either to the other.
"""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

import networkx as nx

RANKS, LENGTH = 4, 4
GROUPS = {
    "world": lambda rank: (0, 1, 2, 3),
    "pair": lambda rank: (rank // 2 * 2, rank // 2 * 2 + 1),
    "across": lambda rank: (rank % 2, rank % 2 + 2),
}
HEAD = """\
rank = dist.get_rank()
pairs, rails = [dist.new_group([0, 1]), dist.new_group([2, 3])], [dist.new_group([0, 2]), dist.new_group([1, 3])]
world, pair, across = None, pairs[rank // 2], rails[rank % 2]
a, b, c = tensor, torch.zeros_like(tensor), torch.empty_like(tensor)
"""


@dataclass(frozen=True)
class Statement:
    """`kind` is all_reduce, send, recv (with `peer`, by which bit), wait (of `call`), copy, add or zero."""

    kind: str
    call: int = 0
    target: str = ""
    source: str = ""
    span: tuple[int, int] = (0, LENGTH)
    group: str = "world"
    bit: int = 1
    only: int | None = None

    @property
    def starts(self):
        return self.kind in ("all_reduce", "send", "recv")

    def text(self):
        part = f"[{self.span[0]}:{self.span[1]}]"
        match self.kind:
            case "all_reduce":
                line = f"w{self.call} = dist.all_reduce({self.target}{part}, group={self.group}, async_op=True)"
            case "send" | "recv":
                line = f"w{self.call} = dist.i{self.kind}({self.target}{part}, rank ^ {self.bit})"
            case "wait":
                line = f"w{self.call}.wait()"
            case "zero":
                line = f"{self.target}{part}.zero_()"
            case _:
                line = f"{self.target}{part}.{'copy_' if self.kind == 'copy' else 'add_'}({self.source}{part})"
        return line if self.only is None else f"if rank == {self.only}:\n    {line}"


def body(statements):
    return HEAD + "\n".join([*(statement.text() for statement in statements), "return a"])


def generated(random):
    """A right reduction, with something else between, and up to three changes."""
    statements, calls = [], 0
    for span in random.choice([((0, 4),), ((0, 2), (2, 4)), ((0, 1), (1, 4))]):
        for group in random.choice([("world",), ("pair", "across"), ("messages",)]):
            new = _exchange(calls, span) if group == "messages" else _reduced(calls, span, group)
            calls += len({s.call for s in new if s.starts})
            statements += new
    for _ in range(random.randrange(4)):
        kind = random.choice(["copy", "add", "zero"])
        span = random.choice([(0, 4), (0, 2), (2, 4), (1, 2)])
        statements.insert(random.randrange(len(statements) + 1), Statement(kind, target="b", source="a", span=span))
    if random.random() < 0.6:
        span, group = random.choice([(0, 4), (1, 3)]), random.choice(list(GROUPS))
        first = random.randrange(len(statements) + 1)
        new = [Statement("all_reduce", calls, "b", span=span, group=group), Statement("wait", calls)]
        statements = [*statements[:first], *new[: random.choice([1, 2, 2, 2])], *statements[first:]]
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        changed = _changed(statements, random)
        statements = changed if _can_run(changed) else statements
    return statements


def _reduced(call, span, group):
    return [Statement("all_reduce", call, "a", span=span, group=group), Statement("wait", call)]


def _exchange(call, span):
    found = []
    for step, bit in enumerate((1, 2)):
        sent, taken = call + 2 * step, call + 2 * step + 1
        found += [
            Statement("send", sent, "a", span=span, bit=bit),
            Statement("recv", taken, "c", span=span, bit=bit),
            Statement("wait", sent),
            Statement("wait", taken),
            Statement("add", target="a", source="c", span=span),
        ]
    return found


def _changed(statements, random):
    at = random.randrange(len(statements))
    one, rest = statements[at], [*statements[:at], *statements[at + 1 :]]
    match random.choice(["move", "move", "later", "drop", "drop", "alone", "other", "other"]):
        case "later" if one.kind == "wait":
            return [*rest, one]
        case "move" | "later":
            return [*rest[: (to := random.randrange(len(rest) + 1))], one, *rest[to:]]
        case "drop" if not one.starts:
            return rest
        case "alone":
            rank = random.randrange(RANKS)
            same = [s is one or (one.starts and s.kind == "wait" and s.call == one.call) for s in statements]
            return [replace(s, only=rank) if this else s for s, this in zip(statements, same, strict=True)]
        case "other" if one.kind == "all_reduce":
            return [*statements[:at], replace(one, group=random.choice(list(GROUPS))), *statements[at + 1 :]]
    return statements


def _can_run(statements):
    """Every wait is after its start, on every rank that waits."""
    started = {}
    for statement in statements:
        if statement.starts:
            started[statement.call] = statement.only
        elif statement.kind == "wait" and started.get(statement.call, ...) not in (None, statement.only):
            return False
    return True


def judged(statements):
    """`stuck`, or of `race`, `unwaited` all that hold, or `right` or `wrong`."""
    programs = [[s for s in statements if s.only in (None, rank)] for rank in range(RANKS)]
    meetings = _meetings(programs)
    if meetings is None:
        return {"stuck"}
    graph, accesses = _graph(programs, meetings)
    found = set()
    before = {node: nx.descendants(graph, node) for node in graph}
    for (one, touches), (other, others) in combinations(accesses, 2):
        if other not in before[one] and one not in before[other] and _conflict(touches, others):
            found.add("race")
    for program in programs:
        waited = {s.call for s in program if s.kind == "wait"}
        if any(s.starts and s.call not in waited for s in program):
            found.add("unwaited")
    return found or {"right" if _right(programs, meetings, graph) else "wrong"}


def _members(rank, statement):
    if statement.kind == "all_reduce":
        return GROUPS[statement.group](rank)
    return tuple(sorted((rank, rank ^ statement.bit)))


def _key(rank, statement, counts):
    """What the members of a call have in common; messages of a pair and a direction meet in order."""
    if statement.kind == "all_reduce":
        stream = statement.group, _members(rank, statement)
    else:
        peer = rank ^ statement.bit
        stream = ("message", rank, peer) if statement.kind == "send" else ("message", peer, rank)
    counts[stream] += 1
    return stream, counts[stream]


def _meetings(programs):
    """Who starts which call with whom, or None if the ranks get stuck: collectives wait where they are called."""
    keys = []
    for rank, program in enumerate(programs):
        counts = Counter()
        keys.append({s.call: _key(rank, s, counts) for s in program if s.starts})
    at, posted, done = [0] * RANKS, {}, set()
    while True:
        moved = False
        for rank, program in enumerate(programs):
            while at[rank] < len(program):
                one = program[at[rank]]
                key = keys[rank].get(one.call) if one.starts or one.kind == "wait" else None
                if one.starts:
                    posted.setdefault(key, {})[rank] = one
                    if len(posted[key]) == len(_members(rank, one)):
                        if len({s.span[1] - s.span[0] for s in posted[key].values()}) > 1:
                            return None
                        done.add(key)
                if key not in done and (one.kind in ("all_reduce", "wait")):
                    break
                at[rank] += 1
                moved = True
        if not moved:
            break
    return (keys, posted) if all(at[rank] == len(programs[rank]) for rank in range(RANKS)) else None


def _graph(programs, meetings):
    """What happens before what, and who touches what: (node, [(rank, buffer, element, writes)])."""
    keys, posted = meetings
    graph, accesses = nx.DiGraph(), []
    for rank, program in enumerate(programs):
        last = ("start", rank)
        for place, one in enumerate(program):
            node = (rank, place)
            graph.add_edge(last, node)
            last = node
            if one.starts:
                work = ("work", rank, one.call)
                graph.add_edge(node, work)
                accesses.append((work, _touches(rank, one)))
                for other in posted[keys[rank][one.call]] if one.kind != "send" else ():
                    there = next(
                        i
                        for i, s in enumerate(programs[other])
                        if s.starts and keys[other][s.call] == keys[rank][one.call]
                    )
                    graph.add_edge((other, there), work)
            elif one.kind == "wait":
                graph.add_edge(("work", rank, one.call), node)
            else:
                accesses.append((node, _touches(rank, one)))
        graph.add_edge(last, ("end", rank))
        accesses.append((("end", rank), [(rank, "a", i, False) for i in range(LENGTH)]))
    return graph, accesses


def _touches(rank, one):
    elements = range(*one.span)
    written = [(rank, one.target, i, one.kind != "send") for i in elements]
    return written + [(rank, one.source, i, False) for i in elements if one.kind in ("copy", "add")]


def _conflict(touches, others):
    return any(x[:3] == y[:3] and (x[3] or y[3]) for x in touches for y in others)


def _right(programs, meetings, graph):
    """Carried out in an order that the graph allows; what a rank contributes to an element is a number of its own."""
    keys, posted = meetings
    held = {(r, "a", i): Counter({(r, i): 1}) for r in range(RANKS) for i in range(LENGTH)}
    held |= {(r, "b", i): Counter() for r in range(RANKS) for i in range(LENGTH)}
    held |= {(r, "c", i): None for r in range(RANKS) for i in range(LENGTH)}
    sent = {}
    for node in nx.topological_sort(graph):
        if node[0] in ("start", "end", "work"):
            continue
        rank, one = node[0], programs[node[0]][node[1]]
        if one.starts:
            sent[rank, one.call] = [held[rank, one.target, i] for i in range(*one.span)]
        elif one.kind == "wait":
            if one.call in keys[rank] and (rank, one.call) in sent:
                _finish(rank, one.call, keys, posted, sent, held)
        else:
            for i in range(*one.span):
                mine, other = held[rank, one.target, i], held.get((rank, one.source, i))
                held[rank, one.target, i] = _made(one.kind, mine, other)
    wanted = [Counter({(rank, i): 1 for rank in range(RANKS)}) for i in range(LENGTH)]
    return all(held[rank, "a", i] == wanted[i] for rank in range(RANKS) for i in range(LENGTH))


def _finish(rank, call, keys, posted, sent, held):
    """What a call leaves with a rank, from what all members held at their starts."""
    members = posted[keys[rank][call]]
    own = members[rank]
    if own.kind == "send":
        return
    brought = [sent[r, s.call] for r, s in members.items() if s.kind != "recv"]
    for place, i in enumerate(range(*own.span)):
        parts = [row[place] for row in brought]
        held[rank, own.target, i] = None if None in parts else sum(parts, Counter())


def _made(kind, mine, other):
    if kind == "zero":
        return Counter()
    if kind == "copy":
        return other
    return None if mine is None or other is None else mine + other
