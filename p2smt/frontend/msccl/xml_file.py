"""MSCCL's XML files, in the two spellings that its tools have written.

The long one is what the runtimes read: `<step s= type= srcbuf= srcoff= dstbuf= dstoff= cnt= depid= deps= hasdep=/>`.
The short one (msccl-tools without `old_format`) is `<op step= type= buf= off=/>`, where cnt, depid, deps and hasdep are
left out when they are 1, -1, -1 and 0, and nchunksperloop is left out. It names one chunk of a step, which is source
and target at once; `cpy` and `re` have two and cannot be read from it.
"""

import re
from collections.abc import Mapping
from typing import Protocol, cast
from xml.etree.ElementTree import ParseError, TreeBuilder

from defusedxml.ElementTree import DefusedXMLParser

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, SCRATCH, Block, BlockStep, Connection, Kind, Schedule
from p2smt.verify.limits import MAX_DEVICES, MAX_STEPS
from p2smt.verify.operation import GoalCollective, has_blocks, written
from p2smt.verify.plan import Part

MAX_BLOCKS = 4096
MAX_MOVES = 2**19
SLOTS = {"Simple": 2, "LL": 8, "LL128": 8}
"""Messages that fit into a connection: NCCL's 8 steps, of which Simple takes 4 for a message."""

_NUMBER = re.compile(r"-?[0-9]{1,9}")
_INSIDE = {"algo": "", "gpu": "algo", "tb": "gpu", "step": "tb", "op": "tb"}

Attributes = Mapping[str, str]


class _Parser(Protocol):
    def feed(self, data: bytes) -> None: ...

    def close(self) -> object: ...


def read_schedule(data: bytes, collective: GoalCollective | None = None) -> Schedule:
    """The schedule in a file, of an all-reduce or of the collective that is asked for.

    Raises VerifyError for what is no XML, not complete, or of another collective.
    """
    reader = _Reader()
    try:
        # No tree is built, so depth costs nothing; declarations of documents and entities are refused.
        parser = cast(_Parser, DefusedXMLParser(target=cast(TreeBuilder, reader), forbid_dtd=True))
        parser.feed(data)
        parser.close()
    except (ParseError, ValueError, LookupError) as cause:
        reason = " ".join(str(cause).split())[:120]
        raise VerifyError(f"no XML that is read: {reason}; entities and document types are refused") from cause
    return reader.schedule(collective)


class _Reader:
    """What the parser calls."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._algo: Attributes = {}
        self._gpus: dict[int, dict[str, int]] = {}
        self._blocks: dict[tuple[int, int], tuple[Attributes, list[BlockStep]]] = {}
        self._gpu = self._block = -1
        self._steps = self._moves = 0

    def start(self, tag: str, attributes: Attributes) -> None:
        """An element begins."""
        inside = self._path[-1] if self._path else ""
        if _INSIDE.get(tag) != inside:
            raise VerifyError(f"<{tag[:40]}> in <{inside}>; a file is <algo> of <gpu> of <tb> of <step> or <op>")
        self._path.append(tag)
        match tag:
            case "algo":
                self._algo = dict(attributes)
            case "gpu":
                self._start_gpu(attributes)
            case "tb":
                self._start_block(attributes)
            case _:
                self._start_step(attributes, short=tag == "op")

    def end(self, tag: str) -> None:
        """An element ends."""
        assert self._path.pop() == tag

    def data(self, text: str) -> None:
        """Text between elements has no meaning."""

    def close(self) -> None:
        """The document has ended."""

    def schedule(self, collective: GoalCollective | None) -> Schedule:
        """The schedule, once everything was read."""
        place, algo = "<algo>", self._algo
        coll, proto = _text(algo, "coll", place), _text(algo, "proto", place)
        if coll != "allreduce" and collective is None:
            raise VerifyError(f'{place}: coll={coll[:40]!r}; only the goal of "allreduce" is known: give it (--goal)')
        if proto not in SLOTS:
            raise VerifyError(f"{place}: proto={proto[:40]!r} is unknown; it is one of {', '.join(SLOTS)}")
        gpus, in_place = _number(algo, "ngpus", place, 1, MAX_DEVICES), _flag(algo, "inplace", place) == 1
        if len(self._gpus) != gpus:
            raise VerifyError(f'{place}: ngpus="{gpus}", but the file has {len(self._gpus)} <gpu>')
        if unknown := [gpu for gpu in self._gpus if gpu >= gpus]:
            raise VerifyError(f"gpu {unknown[0]}: ids are 0 to {gpus - 1}")
        sizes = [gpu[name] for gpu in self._gpus.values() for name in (INPUT, OUTPUT)]
        chunks = _number(algo, "nchunksperloop", place, 1, default=max(1, *sizes))
        out_of_place = not in_place or _flag(algo, "outofplace", place, 0) == 1
        inputs, outputs = self._sizes(collective or Collective.ALL_REDUCE, chunks, in_place, out_of_place)
        blocks = tuple(self._made(gpu, number, gpus) for gpu, number in sorted(self._blocks))
        _check_connections(blocks)
        scratch = max(gpu[SCRATCH] for gpu in self._gpus.values())
        return Schedule(
            gpus=gpus,
            inputs=inputs,
            outputs=outputs,
            scratch=scratch,
            slots=SLOTS[proto],
            in_place=in_place,
            out_of_place=out_of_place,
            blocks=blocks,
        )

    def _start_gpu(self, attributes: Attributes) -> None:
        self._gpu = _number(attributes, "id", "<gpu>", 0, MAX_DEVICES - 1)
        if self._gpu in self._gpus:
            raise VerifyError(f"gpu {self._gpu} is there twice; every id has one <gpu>")
        place = f"gpu {self._gpu}"
        self._gpus[self._gpu] = {
            name: _number(attributes, f"{name}_chunks", place, 0) for name in (INPUT, OUTPUT, SCRATCH)
        }

    def _start_block(self, attributes: Attributes) -> None:
        place = f"gpu {self._gpu}"
        self._block = _number(attributes, "id", f"{place} <tb>", 0)
        if (self._gpu, self._block) in self._blocks:
            raise VerifyError(f"{place} threadblock {self._block} is there twice; every id has one <tb>")
        if len(self._blocks) == MAX_BLOCKS:
            raise VerifyError(f"{place}: more than {MAX_BLOCKS} threadblocks in all, the most that are checked")
        self._blocks[self._gpu, self._block] = dict(attributes), []

    def _start_step(self, attributes: Attributes, short: bool) -> None:
        steps = self._blocks[self._gpu, self._block][1]
        block = f"gpu {self._gpu} threadblock {self._block}"
        number = _number(attributes, "step" if short else "s", f"{block} step", 0)
        if number != len(steps):
            raise VerifyError(f"{block}: step {number} is in place {len(steps)}; steps are counted 0, 1, 2, ...")
        step = _step(attributes, short, f"{block} step {number}", self._gpus[self._gpu])
        steps.append(step)
        self._steps += 1
        self._moves += step.count
        if self._steps > MAX_STEPS or self._moves > MAX_MOVES:
            raise VerifyError(f"{block}: more than {MAX_STEPS} steps or {MAX_MOVES} moves of a chunk are not checked")

    def _sizes(self, collective: GoalCollective, chunks: int, in_place: bool, out_of_place: bool) -> tuple[int, int]:
        """Chunks of i and of o on every GPU."""
        if has_blocks(collective):
            return self._shards(collective, in_place)
        for gpu, has in sorted(self._gpus.items()):
            if max(has[INPUT], has[OUTPUT]) > chunks or (out_of_place and has[INPUT] + has[OUTPUT] != 2 * chunks):
                raise VerifyError(
                    f"gpu {gpu}: i_chunks={has[INPUT]} and o_chunks={has[OUTPUT]}, but nchunksperloop={chunks}; "
                    f"its {collective.hyphenated} "
                    "has as many of both (in place fewer, if it does not use them)"
                )
        return chunks, chunks

    def _shards(self, collective: GoalCollective, in_place: bool) -> tuple[int, int]:
        if in_place:
            raise VerifyError(f'<algo>: inplace="1" is not read where the goal is {collective}; only inplace="0" is')
        sizes = {(has[INPUT], has[OUTPUT]) for has in self._gpus.values()}
        inputs, outputs = min(sizes)
        if len(sizes) > 1 or written(collective, inputs, len(self._gpus)) != outputs:
            raise VerifyError(
                f"i_chunks={inputs} and o_chunks={outputs} (gpu 0), which is no {collective} among "
                f"{len(self._gpus)} GPUs, or others have other numbers"
            )
        return inputs, outputs

    def _made(self, gpu: int, number: int, gpus: int) -> Block:
        attributes, steps = self._blocks[gpu, number]
        place = f"gpu {gpu} threadblock {number}"
        peers = {name: _number(attributes, name, place, -1, gpus - 1) for name in ("send", "recv")}
        channel = _number(attributes, "chan", place, -1)
        for name, used in (
            ("send", any(step.kind.sends for step in steps)),
            ("recv", any(step.kind.receives for step in steps)),
        ):
            if peers[name] == gpu or (used and (peers[name] < 0 or channel < 0)):
                raise VerifyError(f'{place}: {name}="{peers[name]}" chan="{channel}"; name another GPU and a channel')
        for at in range(len(steps)):
            self._check_wait(gpu, steps, at, f"{place} step {at}")
        return Block(
            gpu=gpu, number=number, send=peers["send"], receive=peers["recv"], channel=channel, steps=tuple(steps)
        )

    def _check_wait(self, gpu: int, steps: list[BlockStep], at: int, place: str) -> None:
        step = steps[at]
        if step.kind is Kind.NOP and (step.after is None or at + 1 == len(steps) or steps[at + 1].after is None):
            raise VerifyError(f"{place}: a nop has a depid for the step that follows it, and that has its own")
        if step.after is not None:
            known = self._blocks.get((gpu, step.after[0]))
            if known is None or step.after[1] >= len(known[1]):
                raise VerifyError(f'{place}: depid="{step.after[0]}" deps="{step.after[1]}" is no step of gpu {gpu}')


def _step(attributes: Attributes, short: bool, place: str, sizes: Mapping[str, int]) -> BlockStep:
    name = _text(attributes, "type", place)
    if name not in list(Kind):
        raise VerifyError(f"{place}: type={name[:40]!r} is unknown; it is one of {', '.join(Kind)}")
    kind = Kind(name)
    if short and kind in (Kind.COPY, Kind.REDUCE):
        raise VerifyError(f"{place}: <op> names one chunk, {kind} has two; write <step> with srcbuf and dstbuf")
    block = _number(attributes, "depid", place, -1, default=-1 if short else None)
    after = None if block < 0 else (block, _number(attributes, "deps", place, 0))
    reports = _flag(attributes, "hasdep", place, 0 if short else None) == 1
    if kind is Kind.NOP:
        return BlockStep(kind, Part(INPUT, 0, 0), Part(OUTPUT, 0, 0), after, reports)
    count = _number(attributes, "cnt", place, 1, default=1 if short else None)
    source = target = Part(INPUT, 0, 0)
    if kind.reads_source:
        source = _part(attributes, "" if short else "src", count, place, sizes)
    if kind.writes_target:
        target = _part(attributes, "" if short else "dst", count, place, sizes)
    return BlockStep(kind, source, target, after, reports)


def _part(attributes: Attributes, side: str, count: int, place: str, sizes: Mapping[str, int]) -> Part:
    buffer = _text(attributes, f"{side}buf", place)
    if buffer not in sizes:
        raise VerifyError(f"{place}: {side}buf={buffer[:40]!r} is unknown; it is i, o or s")
    start = _number(attributes, f"{side}off", place, 0)
    if start + count > sizes[buffer]:
        raise VerifyError(
            f"{place}: chunks {start} to {start + count - 1} of {buffer}, which has {sizes[buffer]} ({buffer}_chunks)"
        )
    return Part(buffer, start, count)


def _check_connections(blocks: tuple[Block, ...]) -> None:
    seen: dict[tuple[str, Connection], Block] = {}
    for block in blocks:
        ends: list[tuple[str, Connection]] = []
        if any(step.kind.sends for step in block.steps):
            ends.append(("sends to", block.out))
        if any(step.kind.receives for step in block.steps):
            ends.append(("receives from", block.into))
        for does, connection in ends:
            other = seen.setdefault((does, connection), block)
            if other is not block:
                peer = connection[1] if does == "sends to" else connection[0]
                raise VerifyError(
                    f"gpu {block.gpu} threadblock {block.number} {does} gpu {peer} on channel {block.channel}, as "
                    f"threadblock {other.number} does; give one of them another chan"
                )


def _text(attributes: Attributes, name: str, place: str) -> str:
    if name not in attributes:
        raise VerifyError(f"{place}: {name} is missing")
    return attributes[name]


def _number(
    attributes: Attributes, name: str, place: str, least: int, most: int = 10**9 - 1, default: int | None = None
) -> int:
    if default is not None and name not in attributes:
        return default
    text = _text(attributes, name, place)
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise VerifyError(f"{place}: {name}={text[:40]!r}; it is a number from {least} to {most}")
    return int(text)


def _flag(attributes: Attributes, name: str, place: str, default: int | None = None) -> int:
    return _number(attributes, name, place, 0, 1, default)
