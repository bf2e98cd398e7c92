"""MSCCL's XML files, in the two spellings that its tools have written.

The long one is what the runtimes read: `<step s= type= srcbuf= srcoff= dstbuf= dstoff= cnt= depid= deps=
hasdep=/>`.
The short one (msccl-tools without `old_format`) is `<op step= type= buf= off=/>`. It omits nchunksperloop, and
cnt, depid, deps and hasdep if they are 1, -1, -1 and 0. It names one chunk per step, which is both source and
target; `cpy` and `re` need two chunks and cannot be read from it. No runtime reads `<copy i_off= o_off=/>` in a
`<gpu>`.
"""

from typing import Protocol as TypeOf
from typing import cast
from xml.etree.ElementTree import ParseError, TreeBuilder

from defusedxml.ElementTree import DefusedXMLParser

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.msccl.attributes import Attributes, flag_of, number_of, word_of
from p2smt.frontend.msccl.file_goal import goal_of, lengths_of
from p2smt.frontend.msccl.schedule import (
    INPUT,
    OUTPUT,
    SCRATCH,
    BlockStep,
    Connection,
    MscclBlock,
    MscclKind,
    MscclSchedule,
    Protocol,
)
from p2smt.frontend.msccl.steps import fused, read_step
from p2smt.verify.limits import MAX_DEVICES
from p2smt.wording import counted

MAX_BLOCKS = 2**16
MAX_STEPS = 2**18
MAX_MOVES = 2**20

_INSIDE = {"algo": "", "gpu": "algo", "tb": "gpu", "copy": "gpu", "step": "tb", "op": "tb"}


class _Parser(TypeOf):
    def feed(self, data: bytes) -> None: ...

    def close(self) -> object: ...


def read_schedule(data: bytes, asked: AskedGoal = AS_WRITTEN) -> MscclSchedule:
    """Return the schedule in a file, for the requested collective or else the one that it names.

    Raises VerifyError for text that is not XML, incomplete files, and files that name no collective.
    """
    if (text := data.lstrip(b"\xef\xbb\xbf \t\r\n")) and not text.startswith(b"<"):
        first = text.decode("utf-8", "replace").splitlines()[0][:40]
        raise VerifyError(
            f"there is text before the first element of the XML: {first!r}; delete everything before <algo"
        )
    reader = _Reader()
    try:
        # No tree is built, so depth costs nothing; declarations of documents and entities are refused.
        parser = cast(_Parser, DefusedXMLParser(target=cast(TreeBuilder, reader), forbid_dtd=True))
        parser.feed(data)
        parser.close()
    except (ParseError, ValueError, LookupError) as cause:
        reason = " ".join(str(cause).split())[:120]
        raise VerifyError(f"not XML that p2smt reads: {reason}; entities and document types are refused") from cause
    return reader.schedule(asked)


class _Reader:
    """Parser callbacks that collect the elements of a file."""

    def __init__(self) -> None:
        self._path: list[str] = []
        self._algo: Attributes = {}
        self._gpus: dict[int, dict[str, int]] = {}
        self._blocks: dict[tuple[int, int], tuple[Attributes, list[BlockStep]]] = {}
        self._gpu = self._block = -1
        self._steps = self._moves = self._copies = 0

    def start(self, tag: str, attributes: Attributes) -> None:
        """Handle the beginning of an element."""
        inside = self._path[-1] if self._path else ""
        if _INSIDE.get(tag) != inside:
            raise VerifyError(
                f"<{tag[:40]}> in <{inside}> is not allowed; elements nest as <algo>, <gpu>, <tb>, and <step> or <op>"
            )
        self._path.append(tag)
        match tag:
            case "algo":
                self._algo = dict(attributes)
            case "gpu":
                self._start_gpu(attributes)
            case "tb":
                self._start_block(attributes)
            case "copy":
                self._start_copy(attributes)
            case _:
                self._start_step(attributes, short=tag == "op")

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        assert self._path.pop() == tag

    def data(self, text: str) -> None:
        """Ignore text between elements."""

    def close(self) -> None:
        """Do nothing at the end of the document."""

    def schedule(self, asked: AskedGoal) -> MscclSchedule:
        """Build the schedule from the collected elements, once the whole file is read."""
        place, algo = "<algo>", self._algo
        proto = word_of(algo, "proto", place, list(Protocol))
        gpus, in_place = number_of(algo, "ngpus", place, 1, MAX_DEVICES), flag_of(algo, "inplace", place) == 1
        if len(self._gpus) != gpus:
            raise VerifyError(
                f'{place}: ngpus="{gpus}", but the file has {len(self._gpus)} <gpu>; the two must be equal'
            )
        if unknown := [gpu for gpu in self._gpus if gpu >= gpus]:
            raise VerifyError(f"gpu {unknown[0]}: ids are 0 to {gpus - 1}")
        blocks = tuple(self._made(gpu, number, gpus) for gpu, number in sorted(self._blocks))
        _check_connections(blocks)
        goal = goal_of(algo, asked, gpus, blocks)
        sizes = [gpu[name] for gpu in self._gpus.values() for name in (INPUT, OUTPUT)]
        chunks = number_of(algo, "nchunksperloop", place, 1, default=max(1, *sizes))
        inputs, outputs = lengths_of(goal.collective, chunks, self._gpus, blocks)
        return MscclSchedule(
            gpus=gpus,
            collective=goal.collective,
            root=goal.root,
            inputs=inputs,
            outputs=outputs,
            scratch=max(gpu[SCRATCH] for gpu in self._gpus.values()),
            protocol=Protocol(proto),
            in_place=in_place,
            out_of_place=not in_place or flag_of(algo, "outofplace", place, 0) == 1,
            blocks=blocks,
            notes=(goal.note, *self._copies_note()),
        )

    def _copies_note(self) -> tuple[str, ...]:
        if not self._copies:
            return ()
        return (f"{counted(self._copies, '<copy>')} not carried out: the runtimes do not read them",)

    def _start_gpu(self, attributes: Attributes) -> None:
        self._gpu = number_of(attributes, "id", "<gpu>", 0, MAX_DEVICES - 1)
        if self._gpu in self._gpus:
            raise VerifyError(f"gpu {self._gpu} is defined twice; give every id one <gpu>")
        place = f"gpu {self._gpu}"
        self._gpus[self._gpu] = {
            name: number_of(attributes, f"{name}_chunks", place, 0) for name in (INPUT, OUTPUT, SCRATCH)
        }

    def _start_block(self, attributes: Attributes) -> None:
        place = f"gpu {self._gpu}"
        self._block = number_of(attributes, "id", f"{place} <tb>", 0)
        if (self._gpu, self._block) in self._blocks:
            raise VerifyError(f"{place} threadblock {self._block} is defined twice; give every id one <tb>")
        if len(self._blocks) == MAX_BLOCKS:
            raise VerifyError(f"{place}: more than {MAX_BLOCKS} threadblocks in all, the limit")
        self._blocks[self._gpu, self._block] = dict(attributes), []

    def _start_copy(self, attributes: Attributes) -> None:
        for name in ("i_off", "o_off"):
            number_of(attributes, name, f"gpu {self._gpu} <copy>", 0)
        self._copies += 1

    def _start_step(self, attributes: Attributes, short: bool) -> None:
        steps = self._blocks[self._gpu, self._block][1]
        block = f"gpu {self._gpu} threadblock {self._block}"
        number = number_of(attributes, "step" if short else "s", f"{block} step", 0)
        if number != len(steps):
            raise VerifyError(
                f"{block}: step {number} is at position {len(steps)}; number the steps 0, 1, 2, ... in order"
            )
        step = read_step(attributes, short, f"{block} step {number}", self._gpus[self._gpu])
        steps.append(step)
        self._steps += 1
        self._moves += step.count
        if self._steps > MAX_STEPS or self._moves > MAX_MOVES:
            raise VerifyError(
                f"{block}: up to here the file has {self._steps} steps, which move {self._moves} chunks; "
                f"at most {MAX_STEPS} steps and {MAX_MOVES} moves are checked"
            )

    def _made(self, gpu: int, number: int, gpus: int) -> MscclBlock:
        attributes, steps = self._blocks[gpu, number]
        place = f"gpu {gpu} threadblock {number}"
        peers = {name: number_of(attributes, name, place, -1, gpus - 1) for name in ("send", "recv")}
        channel = number_of(attributes, "chan", place, -1)
        for name, used in (
            ("send", any(step.kind.sends for step in steps)),
            ("recv", any(step.kind.receives for step in steps)),
        ):
            if peers[name] == gpu or (used and (peers[name] < 0 or channel < 0)):
                raise VerifyError(f'{place}: {name}="{peers[name]}" chan="{channel}"; name another GPU and a channel')
        for at in range(len(steps)):
            self._check_wait(gpu, steps, at, f"{place} step {at}")
        return MscclBlock(
            gpu=gpu,
            number=number,
            send=peers["send"],
            receive=peers["recv"],
            channel=channel,
            steps=fused(steps, place, self._gpus[gpu]),
        )

    def _check_wait(self, gpu: int, steps: list[BlockStep], at: int, place: str) -> None:
        step = steps[at]
        if step.kind is MscclKind.NOP and (step.after is None or at + 1 == len(steps) or steps[at + 1].after is None):
            raise VerifyError(
                f"{place}: a nop adds its depid to the next step; give both a depid, or leave out the nop"
            )
        if step.after is not None:
            known = self._blocks.get((gpu, step.after[0]))
            if known is None or step.after[1] >= len(known[1]):
                raise VerifyError(
                    f'{place}: depid="{step.after[0]}" deps="{step.after[1]}" does not name a step of gpu {gpu}'
                )


def _check_connections(blocks: tuple[MscclBlock, ...]) -> None:
    seen: dict[tuple[str, Connection], MscclBlock] = {}
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
