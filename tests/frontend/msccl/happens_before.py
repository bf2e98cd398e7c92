"""MSCCL's XML carried out once more, by what the runtimes do with a file, and everything that can go wrong with it.

Threadblocks go on in random order on random numbers; what a step can rely on being done before it is kept as a set of
steps. Nothing here is p2smt's.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from random import Random
from xml.etree import ElementTree

SENDS, RECEIVES = {"s", "rcs", "rrs", "rrcs"}, {"r", "rcs", "rrs", "rrc", "rrcs"}
READS_SOURCE, WRITES = {"s", "cpy", "re", "rrs", "rrc", "rrcs"}, {"r", "rcs", "rrc", "rrcs", "cpy", "re"}


def faults(text, per_machine, seed=0, goal=None, root=0):
    """All that is wrong: ORDER, MISMATCH, INPUT, RACE, OVERLAP, WRONG; nothing if the schedule is right."""
    algo = ElementTree.fromstring(text)
    found = set()
    in_place, both = algo.get("inplace") == "1", algo.get("outofplace") == "1"
    for joined in [False] if not in_place else [True, False] if both else [True]:
        run = _Run(algo, joined, per_machine, Random(seed), goal or algo.get("coll"), root)
        found |= run.faults()
    return found


@dataclass
class _Op:
    kind: str
    source: tuple
    target: tuple
    count: int
    after: tuple | None
    reports: bool
    number: int


@dataclass
class _Block:
    gpu: int
    number: int
    into: tuple
    out: tuple
    ops: list
    next: int = 0
    past: int = 0
    flags: dict = field(default_factory=dict)


class _Run:
    def __init__(self, algo, joined, per_machine, random, goal, root):
        self.joined, self.random, self.goal, self.root = joined, random, goal, root
        self.gpus, whole = int(algo.get("ngpus")), int(algo.get("nchunksperloop"))
        self.shard = whole // self.gpus
        self.inputs = self.shard if goal == "allgather" else whole
        self.outputs = self.shard if goal == "reduce_scatter" else whole
        self.blocks = {}
        for gpu in algo:
            for tb in gpu:
                self._add(int(gpu.get("id")), tb)
        slots = (2, 4) if algo.get("proto") == "Simple" else (8, 8)
        self.holds = lambda a, b: slots[a // per_machine != b // per_machine]
        self.given = [[random.getrandbits(61) for _ in range(self.inputs)] for _ in range(self.gpus)]
        self.memory = defaultdict(lambda: random.getrandbits(70))
        for gpu in range(self.gpus):
            for chunk in range(self.inputs):
                self.memory[self.cell(gpu, "i", chunk)] = self.given[gpu][chunk]
        self.touched, self.events, self.queues = defaultdict(list), 0, defaultdict(deque)
        self.wrong = set()

    def _add(self, gpu, tb):
        number, chan = int(tb.get("id")), tb.get("chan")
        ops = [self._op(step) for step in tb]
        self.blocks[gpu, number] = _Block(
            gpu, number, (int(tb.get("recv")), gpu, chan), (gpu, int(tb.get("send")), chan), _joined(ops)
        )

    def _op(self, step):
        after = (int(step.get("depid")), int(step.get("deps")))
        return _Op(
            step.get("type"),
            (step.get("srcbuf"), int(step.get("srcoff"))),
            (step.get("dstbuf"), int(step.get("dstoff"))),
            int(step.get("cnt")),
            after if after[0] >= 0 else None,
            step.get("hasdep") == "1",
            int(step.get("s")),
        )

    def cell(self, gpu, buffer, chunk):
        if buffer == "s" or not self.joined:
            return gpu, buffer, chunk
        if buffer == "i" and self.inputs < self.outputs:
            chunk += gpu * self.inputs
        if buffer == "o" and self.outputs < self.inputs:
            chunk += gpu * self.outputs
        return gpu, "io", chunk

    def cells(self, gpu, part, count):
        return [self.cell(gpu, part[0], part[1] + at) for at in range(count)]

    def faults(self):
        blocks = list(self.blocks.values())
        while True:
            ready = [block for block in blocks if block.next < len(block.ops) and self._can(block)]
            if not ready:
                break
            if not self._do(self.random.choice(ready)):
                return {"MISMATCH"}
        if any(block.next < len(block.ops) for block in blocks):
            return {"ORDER"}
        if any(self.queues.values()):
            return {"MISMATCH"}
        self._find_races()
        for gpu in range(self.gpus):
            for chunk, aim in enumerate(self._wanted(gpu)):
                if aim is not None and self.memory[self.cell(gpu, "o", chunk)] != aim:
                    self.wrong.add("WRONG")
        return self.wrong

    def _waits_for(self, block, op):
        """The first step from the one that is named on that reports, if one ever does."""
        other = self.blocks[block.gpu, op.after[0]]
        reporting = [o.number for o in other.ops if o.reports and o.kind != "nop" and o.number >= op.after[1]]
        return other, min(reporting, default=None)

    def _can(self, block):
        op = block.ops[block.next]
        if op.after is not None:
            other, number = self._waits_for(block, op)
            if number is None or number not in other.flags:
                return False
        if op.kind in RECEIVES and not self.queues[block.into]:
            return False
        return op.kind not in SENDS or len(self.queues[block.out]) < self.holds(*block.out[:2])

    def _do(self, block):
        op = block.ops[block.next]
        gpu, past, event = block.gpu, block.past, 1 << self.events
        self.events += 1
        if op.after is not None:
            other, number = self._waits_for(block, op)
            past |= other.flags[number]
        message = None
        if op.kind in RECEIVES:
            message, sent = self.queues[block.into].popleft()
            past |= sent
            if len(message) != op.count:
                return False
        past |= event
        self._carry_out(gpu, op, block, message, past, event)
        block.past = past
        block.next += 1
        if op.reports:
            block.flags[op.number] = past
        return True

    def _carry_out(self, gpu, op, block, message, past, event):
        source = self.cells(gpu, op.source, op.count) if op.kind in READS_SOURCE else []
        target = self.cells(gpu, op.target, op.count) if op.kind in WRITES else []
        self._note(gpu, op, source, target)
        for cell in source:
            self.touched[cell].append((event, past, False))
        for cell in target:
            self.touched[cell].append((event, past, True))
        read = [self.memory[cell] for cell in source]
        match op.kind:
            case "nop":
                return
            case "re":
                value = [self.memory[cell] + number for cell, number in zip(target, read, strict=True)]
            case "rrs" | "rrc" | "rrcs":
                value = [a + b for a, b in zip(read, message, strict=True)]
            case "r" | "rcs":
                value = message
            case _:
                value = read
        for cell, number in zip(target, value, strict=False):
            self.memory[cell] = number
        if op.kind in SENDS:
            self.queues[block.out].append((value, past))

    def _note(self, gpu, op, source, target):
        if target and not self.joined and op.target[0] == "i":
            self.wrong.add("INPUT")
        if source and target and source != target and set(source) & set(target):
            self.wrong.add("OVERLAP")

    def _find_races(self):
        for touches in self.touched.values():
            for at, (event, past, writes) in enumerate(touches):
                for other, others_past, also in touches[:at]:
                    if (writes or also) and event != other and not (past & other or others_past & event):
                        self.wrong.add("RACE")

    def _wanted(self, gpu):
        everyone, shard = range(self.gpus), self.shard
        match self.goal:
            case "allreduce":
                return [sum(self.given[g][c] for g in everyone) for c in range(self.outputs)]
            case "reduce_scatter":
                return [sum(self.given[g][gpu * shard + c] for g in everyone) for c in range(shard)]
            case "allgather":
                return [self.given[g][c] for g in everyone for c in range(shard)]
            case "alltoall":
                return [self.given[g][gpu * shard + c] for g in everyone for c in range(shard)]
            case "broadcast":
                return list(self.given[self.root])
            case "reduce":
                sums = [sum(self.given[g][c] for g in everyone) for c in range(self.outputs)]
                return sums if gpu == self.root else [None] * self.outputs
        raise ValueError(self.goal)


def _joined(ops):
    """Reductions in a row that the loader makes one of: it keeps the sources, and of the rest what it read last."""
    rows, reductions = [], 0
    for op in ops:
        last = rows[-1][-1] if rows else None
        can_join = last is not None and last.kind == op.kind == "re" and not last.reports and op.after is None
        if can_join and reductions != 16 and (last.target, last.source[0]) == (op.target, op.source[0]):
            rows[-1].append(op)
        else:
            rows.append([op])
        reductions += op.kind == "re"
    for row in rows:
        for op in row:
            op.count = row[-1].count
    return [op for row in rows for op in row]
