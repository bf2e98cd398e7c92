"""MSCCL schedules written out: the text of both spellings, and generators of all-reduces."""

from collections import defaultdict
from dataclasses import dataclass, field


@dataclass
class Tb:
    """A threadblock; a step is (type, source, target, count, after), chunks are written `i3`."""

    send: int = -1
    recv: int = -1
    chan: int = 0
    steps: list = field(default_factory=list)

    def do(self, kind, source="i0", target="o0", count=1, after=None):
        """Add a step; its place."""
        self.steps.append((kind, source, target, count, after))
        return len(self.steps) - 1


@dataclass
class File:
    gpus: list
    chunks: int
    scratch: int = 0
    in_place: int = 1
    proto: str = "Simple"
    coll: str = "allreduce"
    more: str = ""

    def text(self, short=False, order=lambda blocks: blocks):
        """`order` says in which order a GPU's threadblocks stand in the file."""
        loop = "" if short else f' nchunksperloop="{self.chunks}"'
        lines = [
            f'<algo name="test" proto="{self.proto}" nchannels="1"{loop} ngpus="{len(self.gpus)}" coll="{self.coll}" '
            f'inplace="{self.in_place}"{self.more}>'
        ]
        for gpu, blocks in enumerate(self.gpus):
            waited = {step[4] for block in blocks for step in block.steps}
            lines.append(
                f'  <gpu id="{gpu}" i_chunks="{self.chunks}" o_chunks="{self.chunks}" s_chunks="{self.scratch}">'
            )
            for number, block in order(list(enumerate(blocks))):
                lines.append(f'    <tb id="{number}" send="{block.send}" recv="{block.recv}" chan="{block.chan}">')
                for at, step in enumerate(block.steps):
                    lines.append("      " + (_short if short else _long)(at, step, (number, at) in waited))
                lines.append("    </tb>")
            lines.append("  </gpu>")
        return "\n".join([*lines, "</algo>", ""])

    def bytes(self, **options):
        return self.text(**options).encode()


def _long(at, step, waited):
    kind, source, target, count, after = step
    where = f'srcbuf="{source[0]}" srcoff="{source[1:]}" dstbuf="{target[0]}" dstoff="{target[1:]}"'
    block, place = after or (-1, -1)
    return f'<step s="{at}" type="{kind}" {where} cnt="{count}" depid="{block}" deps="{place}" hasdep="{int(waited)}"/>'


def _short(at, step, waited):
    kind, source, target, count, after = step
    chunk = source if kind in {"s", "rrs", "rrc", "rrcs"} else target
    text = f'<op step="{at}" type="{kind}"' + ("" if kind == "nop" else f' buf="{chunk[0]}" off="{chunk[1:]}"')
    text += f' cnt="{count}"' if count > 1 else ""
    text += f' depid="{after[0]}" deps="{after[1]}"' if after else ""
    return text + (' hasdep="1"' if waited else "") + "/>"


def ring(gpus, shifted=None, proto="LL"):
    """Sums on their way round, and round again; the step in place `shifted` works on the chunk after the right one."""
    blocks = []
    for gpu in range(gpus):
        block = Tb((gpu + 1) % gpus, (gpu - 1) % gpus)
        for k in range(2 * gpus - 1):
            chunk = f"i{(gpu - k + (k == shifted)) % gpus}"
            last = 2 * gpus - 2
            kind = "s" if k == 0 else "rrs" if k < gpus - 1 else "rrcs" if k == gpus - 1 else "rcs" if k < last else "r"
            block.do(kind, chunk, chunk)
        blocks.append([block])
    return File(blocks, gpus, proto=proto)


def all_pairs(gpus, forget=None, early=False, proto="Simple"):
    """Everyone sends a chunk to everyone, adds up its own and sends the sum.

    `forget` is a GPU on which the sum is sent without waiting for it, or with `early` on which chunks are added without
    waiting for the last of them to come.
    """
    devices = []
    for gpu in range(gpus):
        local, blocks = Tb(), []
        peers = [peer for peer in range(gpus) if peer != gpu]
        for number, peer in enumerate(peers, start=1):
            block = Tb(peer, peer)
            block.do("s", f"i{peer}", f"s{number - 1}")
            block.do("r", f"i{gpu}", f"s{number - 1}")
            blocks.append(block)
        waits = [(number, 1) for number in range(1, gpus)]
        if early and gpu == forget:
            waits.pop()
        for after in waits[:-1]:
            local.do("nop", count=0, after=after)
        for number in range(gpus - 1):
            last = local.do("re", f"s{number}", f"i{gpu}", after=waits[-1] if number == 0 else None)
        for peer, block in zip(peers, blocks, strict=True):
            block.do("s", f"i{gpu}", f"i{gpu}", after=None if gpu == forget and not early else (0, last))
            block.do("r", f"i{peer}", f"i{peer}")
        devices.append([local, *blocks])
    return File(devices, gpus, scratch=gpus - 1, proto=proto)


def hierarchical(forget=False):
    """Two nodes of two GPUs, out of place: halves are added in a node, then between nodes, then exchanged in a node."""
    devices = []
    for gpu in range(4):
        mine, other = gpu % 2, 1 - gpu % 2
        near, far = gpu ^ 1, gpu ^ 2
        inside, between, back = Tb(near, near), Tb(far, far), Tb(near, near, 1)
        inside.do("s", f"i{other}", f"o{other}")
        added = inside.do("rrc", f"i{mine}", f"o{mine}")
        between.do("s", f"o{mine}", f"o{mine}", after=(0, added))
        done = between.do("rrc", f"o{mine}", f"o{mine}")
        back.do("s", f"o{mine}", f"o{mine}", after=None if forget else (1, done))
        back.do("r", f"o{other}", f"o{other}")
        devices.append([inside, between, back])
    return File(devices, 2, in_place=0)


def random_steps(random, moves, forget=0):
    """Three GPUs do any steps, in an order that all dependencies keep but every `forget`th, if it is not 0."""
    file = File([[Tb((g + 1) % 3, (g + 2) % 3), Tb((g + 2) % 3, (g + 1) % 3), Tb()] for g in range(3)], 4, 4)
    file.in_place, file.proto = int(random.integers(2)), ["Simple", "LL"][random.integers(2)]
    writer = _Ordered(file, forget)
    for gpu in range(3):
        for target in "so" if not file.in_place else "s":
            writer.do(gpu, 2, "cpy", "i0", f"{target}0", 4)
    for _ in range(moves):
        count = int(random.integers(1, 3))
        gpu = int(random.integers(3))
        if random.integers(3) == 0:
            source, target = random.choice(["i", "o", "s"], 2, replace=False)
            clear = source == "s" or target == "s" or not file.in_place
            target = "so"[source == "s"] if target == "i" and not file.in_place else target
            writer.do(gpu, 2, ["cpy", "re"][random.integers(2)], f"{source}0", f"{target}{0 if clear else 2}", count)
            continue
        direction, length = int(random.integers(2)), int(random.integers(1, 4))
        for hop in range(length + 1):
            ends = ["r", "rrc"] if hop == length else ["rcs", "rrs", "rrcs"]
            kind = "s" if hop == 0 else str(random.choice(ends))
            source, target = (f"{random.choice(['i', 'o', 's'])}{random.integers(0, 2) * 2}" for _ in range(2))
            target = target if file.in_place else target.replace("i", "o")
            writer.do((gpu + (hop if direction == 0 else 2 * hop)) % 3, direction, kind, source, target, count)
    return file


class _Ordered:
    def __init__(self, file, forget):
        self._file, self._forget, self._count = file, forget, 0
        self._writes, self._reads = {}, defaultdict(set)

    def do(self, gpu, block, kind, source, target, count):
        """Add a step after all that it conflicts with."""
        read = self._cells(gpu, source, count) if kind not in {"r", "rcs"} else set()
        written = self._cells(gpu, target, count) if kind not in {"s", "rrs"} else set()
        before = {self._writes[cell] for cell in read | written if cell in self._writes}
        before |= {step for cell in written for step in self._reads[cell]}
        waits = []
        for wait in sorted(wait for wait in before if wait[0] != block):
            self._count += 1
            if not self._forget or self._count % self._forget:
                waits.append(wait)
        tb = self._file.gpus[gpu][block]
        for wait in waits[:-1]:
            tb.do("nop", count=0, after=wait)
        step = block, tb.do(kind, source, target, count, waits[-1] if waits else None)
        for cell in read:
            self._reads[cell].add(step)
        for cell in written:
            self._writes[cell] = step
            self._reads[cell] = set()

    def _cells(self, gpu, chunk, count):
        buffer = "i" if self._file.in_place and chunk[0] == "o" else chunk[0]
        return {(gpu, buffer, int(chunk[1:]) + at) for at in range(count)}
