"""What goes wrong where emitted schedules run ends in time, and says in one line on which rank and why."""

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from forked_ranks import environment
from forked_torch import SERVER
from paths import TESTS
from schedule.emission.packaged import checked

from p2smt.errors import RunError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.schedule.emission.optimizer import emit_optimizer
from p2smt.schedule.emission.source import emit_schedule

pytestmark = pytest.mark.slow

RANK = str(TESTS / "schedule" / "emission" / "schedule_rank.py")
OPTIMIZER_RANK = str(TESTS / "schedule" / "emission" / "optimizer_rank.py")
LIMIT_S = 120.0
JOINED, SOON = 'join("nccl" if cuda else "gloo", timedelta(minutes=5))', "timedelta(seconds=2)"


def called(text, path, function, *arguments):
    """The error with which a function ends that two ranks call with a file."""
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as running:
        emitted = running.folder / "emitted.py"
        emitted.write_text(text, encoding="utf-8")
        with pytest.raises(RunError) as caught:
            running.call(path, function, str(emitted), *arguments, timeout_s=LIMIT_S)
        assert running.ended
    return str(caught.value)


def test_a_rank_that_is_killed_ends_all_at_once():
    assert called(emit_schedule(checked("adam_overlapped", 2)), RANK, "dying") == "rank 1 was ended by SIGKILL"


UNLIKE = [
    ("shorter", "g is [30]; it has to be [31]"),
    pytest.param("double", "g is torch.float64; it has to be torch.float32", marks=pytest.mark.thorough),  # as int
    ("int", "g is torch.int32; it has to be torch.float32"),
    pytest.param("half", "g is torch.float16; it has to be torch.float32", marks=pytest.mark.thorough),  # as int
]


@pytest.mark.parametrize(("kind", "said"), UNLIKE)
def test_ranks_that_bring_unlike_tensors_end_with_what_they_are(kind, said):
    found = called(emit_schedule(checked("adam_fused", 2)), RANK, "unlike", kind)
    assert found.startswith(f"rank 1 failed: ValueError: {said}")


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ([(3,), (4,)], [(4,), (3,)], r"parameter 0 is torch.float32 [4] on rank 1, and torch.float32 [3] on rank 0"),
        ([(2, 3)], [(6,)], "parameter 0 is torch.float32 [6] on rank 1, and torch.float32 [2, 3] on rank 0"),
        ([(3,)], [(3,), (3,)], "rank 1 has 2 parameters, and rank 0 has 1"),
    ],
)
def test_ranks_with_unlike_parameters_end_with_what_they_are(first, second, said):
    found = called(emit_optimizer(checked("adam_fused", 2)), OPTIMIZER_RANK, "unlike", [first, second])
    assert found.endswith(f" failed: ValueError: {said}")


@pytest.fixture
def port() -> Iterator[int]:
    """The number of a port at which something listens that answers nothing."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        yield listening.getsockname()[1]


def alone(folder, text, ranks, port):
    """What these ranks of two print last and how they exit, started by hand."""
    assert JOINED in text
    (folder / "step.py").write_text(
        text.replace(JOINED, JOINED.replace("timedelta(minutes=5)", SOON)), encoding="utf-8"
    )
    everywhere = environment() | {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1"}
    everywhere |= {"MASTER_PORT": str(port), "TORCH_CPP_LOG_LEVEL": "ERROR"}
    environments = [everywhere | {"RANK": str(rank), "LOCAL_RANK": str(rank)} for rank in ranks]
    ended = SERVER.run("step.py", folder=folder, environments=environments, timeout=LIMIT_S)
    said = ended.err.decode()
    assert ended.out == b""
    assert "Traceback" not in said
    return said.splitlines()[-1], ended.codes


@pytest.mark.parametrize("emit", [emit_schedule, emit_optimizer])
def test_a_port_that_something_else_has_is_told(tmp_path, port, emit):
    text = emit(checked("adam_fused", 2))
    place = f"finds no ranks at 127.0.0.1:{port}: "
    said, codes = alone(tmp_path, text, [0], port)
    assert (codes, said.partition(place)[0]) == ([2], "rank 0 ")
    assert "address already in use" in said
    said, codes = alone(tmp_path, text, [1], port)
    assert codes == [2]
    assert said == f"rank 1 {place}what listens there has not answered for 0:00:02"


def test_a_port_at_which_nothing_listens_is_told(tmp_path):
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    text = emit_schedule(checked("adam_fused", 2))
    for rank in (1, 0):
        said, codes = alone(tmp_path, text, [rank], port)
        assert codes == [2]
        assert said.startswith(f"rank {rank} finds no ranks at 127.0.0.1:{port}: ")


def test_a_rank_that_others_wait_for_in_vain_is_told(tmp_path):
    text = emit_schedule(checked("adam_overlapped", 2))
    head = '    """The result; None on ranks that do not take part."""\n'
    dying = text.replace(head, f"{head}    if dist.get_rank() == 1:\n        os.kill(os.getpid(), 9)\n")
    assert dying != text
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    said, codes = alone(tmp_path, dying, [0, 1], port)
    assert codes == [2, -9]
    assert said.startswith("rank 0 stops: ")
    assert "peer" in said
