"""MSCCL schedules of every goal, as its tools make them: rings, trees, all pairs, halving and doubling, two levels.

What is done is written down in an order in which it can be done; threadblocks are those of a connection and channel,
and every step waits for those of other threadblocks that touch its chunks.
"""

from collections import defaultdict
from dataclasses import dataclass, field

COLLECTIVES = ("allreduce", "allgather", "reduce_scatter", "alltoall", "broadcast", "reduce")
SENDS, RECEIVES = {"s", "rcs", "rrs", "rrcs"}, {"r", "rcs", "rrs", "rrc", "rrcs"}


@dataclass
class Step:
    kind: str
    source: tuple
    target: tuple
    count: int
    after: tuple | None
    reports: bool = False


@dataclass
class Schedule:
    """Steps by GPU and threadblock (who it receives from, whom it sends to, on which channel)."""

    gpus: int
    collective: str
    chunks: int
    in_place: bool = False
    proto: str = "Simple"
    scratch: int = 0
    root: int = 0
    blocks: dict = field(default_factory=lambda: defaultdict(dict))
    writes: dict = field(default_factory=dict)
    reads: dict = field(default_factory=lambda: defaultdict(list))
    waited: dict = field(default_factory=dict)

    @property
    def shard(self):
        return self.chunks // self.gpus

    @property
    def inputs(self):
        return self.shard if self.collective == "allgather" else self.chunks

    @property
    def outputs(self):
        return self.shard if self.collective == "reduce_scatter" else self.chunks

    def cells(self, gpu, part, count):
        buffer, start = part
        if self.in_place and buffer != "s":
            short = min(self.inputs, self.outputs)
            own = self.inputs if buffer == "i" else self.outputs
            start += gpu * short if own == short and self.inputs != self.outputs else 0
            buffer = "i"
        return [(gpu, buffer, start + at) for at in range(count)]

    def do(self, gpu, block, kind, source, target, count=1):
        """Add a step after all that touches its chunks; its threadblock is named by (recv, send, chan)."""
        read = self.cells(gpu, source, count) if kind not in {"r", "rcs"} else []
        read += self.cells(gpu, target, count) if kind == "re" else []
        written = self.cells(gpu, target, count) if kind not in {"s", "rrs"} else []
        if kind == "cpy" and read == written:
            return
        before = {self.writes[cell] for cell in read + written if cell in self.writes}
        before |= {step for cell in written for step in self.reads[cell]}
        latest = {}
        for other, place in before:
            if other != block and place > self.waited.get((gpu, block, other), -1):
                latest[other] = max(place, latest.get(other, 0))
        steps = self.blocks[gpu].setdefault(block, [])
        waits = sorted(latest.items())
        for other, place in waits:
            self.blocks[gpu][other][place].reports = True
            self.waited[gpu, block, other] = place
        for wait in waits[:-1]:
            steps.append(Step("nop", ("i", -1), ("o", -1), 0, wait))
        steps.append(Step(kind, source, target, count, waits[-1] if waits else None))
        here = block, len(steps) - 1
        for cell in read:
            self.reads[cell].append(here)
        for cell in written:
            self.writes[cell], self.reads[cell] = here, []

    def local(self, gpu, kind, source, target, count=1):
        self.do(gpu, (-1, -1, -1), kind, source, target, count)

    def send(self, gpu, peer, source, count=1, chan=0, joined=False):
        self.do(gpu, (peer, peer, chan) if joined else (-1, peer, chan), "s", source, source, count)

    def receive(self, gpu, peer, target, count=1, chan=0, joined=False, add=None):
        """Take what the peer sent; with `add` it is added to that part."""
        block = (peer, peer, chan) if joined else (peer, -1, chan)
        self.do(gpu, block, "rrc" if add else "r", add or target, target, count)

    def text(self, more=""):
        """The file."""
        channels = 1 + max(block[2] for blocks in self.blocks.values() for block in blocks)
        lines = [
            f'<algo name="test" proto="{self.proto}" nchannels="{channels}" nchunksperloop="{self.chunks}" '
            f'ngpus="{self.gpus}" coll="{self.collective}" inplace="{int(self.in_place)}"{more}>'
        ]
        for gpu in range(self.gpus):
            numbers = {block: number for number, block in enumerate(self.blocks[gpu])}
            lines.append(
                f'  <gpu id="{gpu}" i_chunks="{self.inputs}" o_chunks="{self.outputs}" s_chunks="{self.scratch}">'
            )
            for block, number in numbers.items():
                lines.append(f'    <tb id="{number}" send="{block[1]}" recv="{block[0]}" chan="{block[2]}">')
                for at, step in enumerate(self.blocks[gpu][block]):
                    wait = (-1, -1) if step.after is None else (numbers[step.after[0]], step.after[1])
                    lines.append(
                        f'      <step s="{at}" type="{step.kind}" srcbuf="{step.source[0]}" srcoff="{step.source[1]}" '
                        f'dstbuf="{step.target[0]}" dstoff="{step.target[1]}" cnt="{step.count}" '
                        f'depid="{wait[0]}" deps="{wait[1]}" hasdep="{int(step.reports)}"/>'
                    )
                lines.append("    </tb>")
            lines.append("  </gpu>")
        return "\n".join([*lines, "</algo>", ""])


def _bring(to):
    """Where the output is another buffer: every GPU copies what it keeps of its own input."""
    for gpu in range(to.gpus):
        match to.collective:
            case "allgather":
                to.local(gpu, "cpy", ("i", 0), ("o", gpu * to.shard), to.shard)
            case "alltoall":
                to.local(gpu, "cpy", ("i", gpu * to.shard), ("o", gpu * to.shard), to.shard)
            case "broadcast" if gpu == to.root:
                to.local(gpu, "cpy", ("i", 0), ("o", 0), to.chunks)


def ring(to, instances=1):
    """Every block goes round; `instances` channels share the chunks."""
    n, root = to.gpus, to.root
    _bring(to)
    for chunk in range(to.chunks):
        block, chan = chunk // to.shard, chunk % instances
        order = [(block + 1 + k) % n for k in range(n)]
        i, o = ("i", chunk), ("o", chunk)
        match to.collective:
            case "allreduce":
                hops = [*order, *order[:-1]]
                kinds = ["s", *["rrs"] * (n - 2), "rrcs", *["rcs"] * (n - 2), "r"]
                parts = [(i, o)] * len(hops)
            case "reduce_scatter":
                hops, kinds = order, ["s", *["rrs"] * (n - 2), "rrc"]
                parts = [(i, ("o", chunk % to.shard))] * n
            case "allgather":
                hops = [(block + k) % n for k in range(n)]
                kinds = ["s", *["rcs"] * (n - 2), "r"]
                parts = [(("i", chunk % to.shard), o), *[(o, o)] * (n - 1)]
            case "broadcast":
                hops = [(root + k) % n for k in range(n)]
                kinds, parts = ["s", *["rcs"] * (n - 2), "r"], [(i, o), *[(o, o)] * (n - 1)]
            case "reduce":
                hops = [(root + 1 + k) % n for k in range(n)]
                kinds, parts = ["s", *["rrs"] * (n - 2), "rrc"], [(i, o)] * n
            case _:
                raise ValueError(to.collective)
        _round(to, hops, kinds, parts, chan)


def _round(to, hops, kinds, parts, chan):
    """A chain in the ring's own threadblocks, which receive from the one before and send to the next."""
    n = to.gpus
    for gpu, kind, (source, target) in zip(hops, kinds, parts, strict=True):
        to.do(gpu, ((gpu - 1) % n, (gpu + 1) % n, chan), kind, source, target)


def all_pairs(to, joined=False):
    """Everyone to everyone, straight."""
    n = to.gpus
    _bring(to)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    match to.collective:
        case "allgather" | "alltoall" | "broadcast":
            _sent(to, [(a, b) for a, b in pairs if to.collective != "broadcast" or a == to.root], joined)
        case _:
            _scattered_sums(to, pairs, joined)
            if to.collective != "reduce_scatter":
                _shared_sums(to, [(a, b) for a, b in pairs if to.collective == "allreduce" or b == to.root], joined)


def _sent(to, pairs, joined):
    """The first of every pair sends what of its input is for the second: all, or its block, chunk by chunk."""
    length = to.chunks if to.collective == "broadcast" else to.shard
    for at in range(length):
        for a, b in pairs:
            to.send(a, b, ("i", at + (b * to.shard if to.collective == "alltoall" else 0)), joined=joined)
        for a, b in pairs:
            to.receive(b, a, ("o", at + (0 if to.collective == "broadcast" else a * to.shard)), joined=joined)


def _shared_sums(to, pairs, joined):
    """The first of every pair sends the second its block of the sum."""
    for a, b in pairs:
        to.send(a, b, ("o", a * to.shard), to.shard, joined=joined)
    for a, b in pairs:
        to.receive(b, a, ("o", a * to.shard), to.shard, joined=joined)


def _scattered_sums(to, pairs, joined):
    """Everyone gets its block of all others into scratch, and adds them up in its output, one by one."""
    n, shard = to.gpus, to.shard
    to.scratch = (n - 1) * shard
    for a, b in pairs:
        to.send(a, b, ("i", b * shard), shard, joined=joined)
    for a, b in pairs:
        to.receive(b, a, ("s", ((a - b) % n - 1) * shard), shard, joined=joined)
    for b in range(n):
        own = ("o", 0 if to.collective == "reduce_scatter" else b * shard)
        to.local(b, "cpy", ("i", b * shard), own, shard)
        for place in range(n - 1):
            to.local(b, "re", ("s", place * shard), own, shard)


def tree(to):
    """Sums up a binary tree, results down; the root is the goal's."""
    n, root = to.gpus, to.root
    ranked = [(root + k) % n for k in range(n)]
    edges = [(ranked[k], ranked[(k - 1) // 2]) for k in range(1, n)]
    everything = ("o", 0)
    if to.collective in ("allreduce", "reduce"):
        for gpu in range(n):
            to.local(gpu, "cpy", ("i", 0), everything, to.chunks)
        for child, parent in reversed(edges):
            to.send(child, parent, everything, to.chunks)
            to.receive(parent, child, everything, to.chunks, add=everything)
    else:
        _bring(to)
    if to.collective in ("allreduce", "broadcast"):
        for child, parent in edges:
            to.send(parent, child, everything, to.chunks, chan=1)
            to.receive(child, parent, everything, to.chunks, chan=1)


def halving_doubling(to, joined=False):
    """Partners at distances of powers of two exchange halves: sums with ever fewer chunks, results with ever more."""
    n, shard = to.gpus, to.shard
    distances = [1 << bit for bit in range(n.bit_length() - 1)]
    if to.collective == "allgather":
        _bring(to)
    else:
        to.scratch = to.chunks
        for gpu in range(n):
            to.local(gpu, "cpy", ("i", 0), ("s", 0), to.chunks)
        for distance in reversed(distances):
            _exchange(to, distance, "s", kept=False, joined=joined)
        for gpu in range(n):
            own = ("o", 0 if to.collective == "reduce_scatter" else gpu * shard)
            to.local(gpu, "cpy", ("s", gpu * shard), own, shard)
    if to.collective in ("allreduce", "allgather"):
        for distance in distances:
            _exchange(to, distance, "o", kept=True, joined=joined)
    elif to.collective == "reduce":
        for gpu in range(n):
            if gpu != to.root:
                to.send(gpu, to.root, ("o", gpu * shard), shard, chan=2)
                to.receive(to.root, gpu, ("o", gpu * shard), shard, chan=2)


def _exchange(to, distance, buffer, *, kept, joined):
    """Everyone sends its partner half of what it works on: blocks that agree with `kept` in the higher bits."""
    pairs = [(gpu, gpu ^ distance) for gpu in range(to.gpus)]

    def blocks(gpu):
        return gpu // distance * distance * to.shard, distance * to.shard

    for gpu, peer in pairs:
        start, length = blocks(gpu if kept else peer)
        to.send(gpu, peer, (buffer, start), length, chan=int(kept), joined=joined)
    for gpu, peer in pairs:
        start, length = blocks(peer if kept else gpu)
        part = (buffer, start)
        to.receive(gpu, peer, part, length, chan=int(kept), joined=joined, add=None if kept else part)


def hierarchical(to, per_machine):
    """Two levels: among those of a machine, and among those that have one place in their machines."""
    n, m = to.gpus, per_machine
    near = [(a, b) for a in range(n) for b in range(n) if a != b and a // m == b // m]
    far = [(a, b) for a in range(n) for b in range(n) if a != b and a % m == b % m]
    match to.collective:
        case "alltoall":
            _hierarchical_exchange(to, m, near, far)
        case "allgather":
            _bring(to)
            for a, b in far:
                to.send(a, b, ("i", 0), to.shard)
            for a, b in far:
                to.receive(b, a, ("o", a * to.shard), to.shard)
            rows = [[(k * m + place) * to.shard for k in range(n // m)] for place in range(m)]
            _share(to, near, m, rows, to.shard)
        case "allreduce":
            block = to.chunks // m
            to.scratch = n * block
            for gpu in range(n):
                to.local(gpu, "cpy", ("i", 0), ("o", 0), to.chunks)
            _added(to, near, m, "i", 0)
            _added(to, far, m, "o", 1)
            _share(to, near, m, [[place * block] for place in range(m)], block)


def _added(to, pairs, m, buffer, chan):
    """Everyone adds up the block of its place in the machine."""
    block = to.chunks // m
    for a, b in pairs:
        to.send(a, b, (buffer, b % m * block), block, chan=chan)
    for a, b in pairs:
        to.receive(b, a, ("s", a * block), block, chan=chan)
    for a, b in pairs:
        to.local(b, "re", ("s", a * block), ("o", b % m * block), block)


def _share(to, near, m, rows, length):
    """Everyone sends those of its machine what belongs to its place there."""
    for a, b in near:
        for start in rows[a % m]:
            to.send(a, b, ("o", start), length, chan=2)
            to.receive(b, a, ("o", start), length, chan=2)


def _hierarchical_exchange(to, m, near, far):
    """To the GPU of the own machine that has the target's place there, and from it to the target."""
    n, shard = to.gpus, to.shard
    to.scratch = n * n * shard
    for gpu in range(n):
        for target in range(gpu % m, n, m):
            to.local(gpu, "cpy", ("i", target * shard), ("s", (target * n + gpu) * shard), shard)
    for a, b in near:
        for target in range(b % m, n, m):
            to.send(a, b, ("i", target * shard), shard)
            to.receive(b, a, ("s", (target * n + a) * shard), shard)
    for gpu in range(n):
        for source in range(gpu // m * m, gpu // m * m + m):
            to.local(gpu, "cpy", ("s", (gpu * n + source) * shard), ("o", source * shard), shard)
    for a, b in far:
        for source in range(a // m * m, a // m * m + m):
            to.send(a, b, ("s", (b * n + source) * shard), shard, chan=1)
            to.receive(b, a, ("o", source * shard), shard, chan=1)
