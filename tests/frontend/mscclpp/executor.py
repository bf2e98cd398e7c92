"""MSCCL++'s JSON carried out on numbers, by what the executor and its proxies do with a file. Nothing here is p2smt's.

A threadblock is two warps that go through its operations on their own, each on every second element, and meet at nops
and barriers; the first channel or semaphore of an operation is the first warp's, the second one the second's. What goes
over a port waits in its channel until a proxy takes it, first come, first served. Whoever can go on is drawn. A GPU
begins its next run when all its threadblocks have ended, without asking the others.
"""

import json
from collections import defaultdict, deque
from random import Random

import numpy as np

WARPS = 2


class StuckError(Exception):
    """Nobody can go on."""


class LeftOverError(Exception):
    """A signal that nobody has waited for, or a semaphore that ends with another value."""


def run(text, given, length, seed=0):
    """Per run and GPU what its buffer holds in the end, of `given[run][gpu]`: in place, chunks of `length` elements."""
    return _Machine(json.loads(text), given, length, Random(seed)).run()


class _Machine:
    def __init__(self, plan, given, length, random):
        assert plan["inplace"]
        self.plan, self.given, self.length, self.random = plan, given, length, random
        self.results = [[None] * len(plan["gpus"]) for _ in given]
        self.signals, self.waited = defaultdict(int), defaultdict(int)
        self.proxies, self.semaphores, self.arrived = defaultdict(deque), {}, defaultdict(int)
        self.buffers, self.numbers = {}, []
        for gpu in plan["gpus"]:
            at, dtype = gpu["id"], given[0][gpu["id"]].dtype
            whole = np.zeros(len(given[0][at]), dtype)
            self.buffers[at, "whole"] = whole
            for name, key in (("i", "input_chunks"), ("o", "output_chunks")):
                size = gpu[key] * length
                first = at * size if size < len(whole) else 0
                self.buffers[at, name] = whole[first : first + size]
            self.buffers[at, "s"] = np.array(
                [random.getrandbits(20) for _ in range(gpu["scratch_chunks"] * length)], dtype
            )
            for number, one in enumerate(gpu["semaphores"]):
                self.semaphores[at, number] = one["init_value"]
            self.numbers.append(_numbered(gpu))

    def run(self):
        actors = [self.gpu(gpu) for gpu in self.plan["gpus"]] + [self.proxy(key) for key in self.channels("port")]
        alive, stuck = len(self.plan["gpus"]), set()
        while alive or any(self.proxies.values()):
            free = [at for at in range(len(actors)) if at not in stuck]
            if not free:
                raise StuckError
            at = self.random.choice(free)
            match next(actors[at], "over"):
                case "blocked":
                    stuck.add(at)
                case "over":
                    alive -= 1
                    actors[at] = iter(lambda: "blocked", None)
                    stuck.clear()
                case _:
                    stuck.clear()
        first = {
            (gpu["id"], n): one["init_value"] for gpu in self.plan["gpus"] for n, one in enumerate(gpu["semaphores"])
        }
        if self.signals != self.waited or self.semaphores != first:
            raise LeftOverError
        return self.results

    def channels(self, kind):
        return [(gpu, kind, *channel) for gpu, own in enumerate(self.numbers) for channel in own[kind]]

    def gpu(self, gpu):
        """One run after the other."""
        at = gpu["id"]
        for number, given in enumerate(self.given):
            self.buffers[at, "whole"][:] = given[at]
            blocks = [_Block(block) for block in gpu["threadblocks"]]
            left = [self.warp(at, block, warp) for block in blocks for warp in range(WARPS)]
            stuck = set()
            while left:
                free = [one for one in range(len(left)) if one not in stuck]
                if not free:
                    yield "blocked"
                    stuck.clear()
                    continue
                one = self.random.choice(free)
                match next(left[one], "over"):
                    case "blocked":
                        stuck.add(one)
                    case "over":
                        del left[one]
                        stuck.clear()
                        yield "done"
                    case _:
                        stuck.clear()
                        yield "done"
            self.results[number][at] = self.buffers[at, "whole"].copy()
            for key in [key for key in self.arrived if key[0] == at]:
                del self.arrived[key]

    def proxy(self, key):
        while True:
            while not self.proxies[key]:
                yield "blocked"
            what = self.proxies[key].popleft()
            if what == "signal":
                self.signal(key)
            else:
                source, target = what
                target[:] = source
            yield "done"

    def signal(self, key):
        gpu, kind, peer, number = key
        self.signals[peer, kind, gpu, number] += 1

    def warp(self, gpu, block, warp):
        """One operation after the other."""
        for op in block.ops:
            mine = [at for at in range(8) if at % WARPS == warp]
            if op["name"] in ("nop", "barrier"):
                yield from block.meet(warp)
            if op["name"] == "barrier":
                if warp == 0:
                    yield from self.barrier(gpu, op)
                yield from block.meet(warp)
            elif "src_buff" in op:
                self.move(gpu, block, op, warp)
            elif "semaphore_ids" in op:
                yield from self.semaphore(gpu, op, [n for at, n in enumerate(op["semaphore_ids"]) if at in mine])
            elif "channel_ids" in op:
                numbers = [number for at, number in enumerate(op["channel_ids"]) if at in mine]
                yield from self.over(op["name"], [self.key(gpu, block, op, number) for number in numbers])
            yield "done"

    def over(self, name, keys):
        for key in keys:
            if name in ("signal", "rlxsignal"):
                self.proxies[key].append("signal") if key[1] == "port" else self.signal(key)
            elif name == "flush":
                while self.proxies[key]:
                    yield "blocked"
            else:
                while self.signals[key] <= self.waited[key]:
                    yield "blocked"
                self.waited[key] += 1

    def semaphore(self, gpu, op, numbers):
        for number in numbers:
            while op["name"] == "sem_acquire" and self.semaphores[gpu, number] < 1:
                yield "blocked"
            self.semaphores[gpu, number] += 1 if op["name"] == "sem_release" else -1

    def barrier(self, gpu, op):
        key, members = (gpu, op["barrier_id"]), op["num_threadblocks"]
        self.arrived[key] += 1
        until = -(-self.arrived[key] // members) * members
        while self.arrived[key] < until:
            yield "blocked"

    def key(self, gpu, block, op, number):
        kind = op["channel_type"]
        return (gpu, kind, *self.numbers[gpu][kind][block.channels[kind][number]])

    def view(self, gpu, block, op, part):
        of, name = gpu, part.get("type")
        if "buffer_id" in part:
            remote = self.plan["gpus"][gpu]["remote_buffers"][block.buffers[op["channel_type"]][part["buffer_id"]]]
            of, name = remote["rank"], remote["type"]
        first, size = part["index"] * self.length, part["size"] * self.length
        found = self.buffers[of, name][first : first + size]
        assert len(found) == size
        return found

    def move(self, gpu, block, op, warp):
        sources = [self.view(gpu, block, op, part) for part in op["src_buff"]]
        targets = [self.view(gpu, block, op, part) for part in op["dst_buff"]]
        if op.get("channel_type") == "port":
            for at, number in enumerate(op["channel_ids"]):
                if at % WARPS == warp:
                    queue = self.proxies[self.key(gpu, block, op, number)]
                    queue.append((sources[at], targets[at]))
                    if op["name"] == "pws":
                        queue.append("signal")
            return
        own = slice(warp, None, WARPS)
        if op["name"] in ("put", "get", "copy"):
            for source, target in zip(sources, targets, strict=True):
                target[own] = source[own]
            return
        total = sum(source[own] for source in sources)
        for target in targets:
            target[own] = total


class _Block:
    def __init__(self, block):
        self.ops = block["ops"]
        self.channels, self.buffers = defaultdict(list), defaultdict(list)
        for one in block["channels"]:
            self.channels[one["channel_type"]] += one["channel_ids"]
        for one in block.get("remote_buffer_refs", ()):
            self.buffers[one["access_channel_type"]] += one["remote_buffer_ids"]
        self.met = [0] * WARPS

    def meet(self, warp):
        self.met[warp] += 1
        while min(self.met) < self.met[warp]:
            yield "blocked"


def _numbered(gpu):
    """Of every type the peer of each channel, and which of those to the peer it is."""
    found, seen = {"memory": [], "port": []}, defaultdict(int)
    for entry in gpu["channels"]:
        for peer in entry["connected_to"]:
            kind = entry["channel_type"]
            found[kind].append((peer, seen[kind, peer]))
            seen[kind, peer] += 1
    return found
