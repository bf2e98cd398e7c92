"""Calls that are started and waited for later: what may be touched in between, and what has to be waited for."""

import pytest
from frontend.torch_function.tracing import source, traced, verdict
from looped import looped

from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.verdict import Proved, Refuted, Unknown

EXCHANGE = "rank = dist.get_rank()\nfor peer in (rank ^ 1, rank ^ 2):\n    came = torch.empty_like(tensor)\n"
HALVES = "a, b = tensor[:4], tensor[4:]\n"

RIGHT = {
    "waited for": "dist.all_reduce(tensor, async_op=True).wait()",
    "in another order": HALVES + "one = dist.all_reduce(a, async_op=True)\ntwo = dist.all_reduce(b, async_op=True)\n"
    "two.wait()\nb += torch.zeros_like(b)\none.wait()\na.mul_(1)",
    "in a list": "works = [dist.all_reduce(part, async_op=True) for part in tensor.chunk(4)]\n"
    "for work in reversed(works):\n    work.wait()",
    "something else meanwhile": HALVES + "work = dist.all_reduce(a, async_op=True)\nkept = b.clone()\n"
    "dist.all_reduce(kept)\nb.copy_(kept)\nwork.wait()",
    "both only read": EXCHANGE + "    works = [dist.isend(tensor, peer), dist.irecv(came, peer)]\n"
    "    kept = tensor.clone()\n    [work.wait() for work in works]\n    tensor = kept + came\nreturn tensor",
    "the root's own buffer": "dist.reduce(tensor, dst=2)\nwork = dist.broadcast(tensor, src=2, async_op=True)\n"
    "kept = tensor.clone() if dist.get_rank() == 2 else None\nwork.wait()\nreturn tensor if kept is None else kept",
    "polled": "work = dist.all_reduce(tensor, async_op=True)\nwhile not work.is_completed():\n    pass",
    "several polled": "works = [dist.all_reduce(part, async_op=True) for part in tensor.chunk(4)]\n"
    "while not all(work.is_completed() for work in works):\n    pass",
    "polled while another is waited for": HALVES + "works = [dist.all_reduce(part, async_op=True) for part in (a, b)]\n"
    "while not works[0].is_completed():\n    works[1].wait()\nworks[1].wait()",
    "a future": "return dist.all_reduce(tensor, async_op=True).get_future().wait()[0]",
    "what comes then": "total = dist.all_reduce(tensor, async_op=True).get_future()\n"
    "return total.then(lambda future: future.value()[0].mul_(1)).wait()",
    "a barrier": "work = dist.barrier(async_op=True)\ndist.all_reduce(tensor)\nwork.wait()",
    "messages at once": EXCHANGE + "    for work in dist.batch_isend_irecv([dist.P2POp(dist.isend, tensor, peer),\n"
    "                                        dist.P2POp(dist.irecv, came, peer)]):\n        work.wait()\n"
    "    tensor += came",
    "each rank in its own order": HALVES + "works = [dist.all_reduce(part, async_op=True) for part in (a, b)]\n"
    "[work.wait() for work in works[:: 1 - 2 * (dist.get_rank() % 2)]]",
    "calls brought together": "with dist.distributed_c10d._coalescing_manager(async_ops=True) as manager:\n"
    "    for part in tensor.chunk(2):\n        dist.all_reduce(part)\nmanager.wait()",
}

WRONG = {
    "read": (
        "work = dist.all_reduce(tensor, async_op=True)\nout = tensor.clone()\nwork.wait()\nreturn out",
        PlanRule.RACE,
        "step 1 (line 6: all_reduce), rank 0: line 7 reads what it writes, and it is waited for only in line 8; "
        "on gloo as on NCCL",
    ),
    "added to": (
        "work = dist.all_reduce(tensor, async_op=True)\ntensor *= 2\nwork.wait()\ntensor /= 2",
        PlanRule.RACE,
        "line 7 reads what it writes",
    ),
    "received": (
        EXCHANGE + "    sent, taken = dist.isend(tensor, peer), dist.irecv(came, peer)\n    sent.wait()\n"
        "    total = tensor + came\n    taken.wait()\n    tensor = total\nreturn tensor",
        PlanRule.RACE,
        "step 2 (line 9: recv), rank 0: line 11 reads what it writes, and it is waited for only in line 12",
    ),
    "overwritten while it is sent": (
        EXCHANGE
        + "    sent = dist.isend(tensor, peer)\n    dist.recv(came, peer)\n    tensor += came\n    sent.wait()",
        PlanRule.RACE,
        "step 1 (line 9: send), rank 0: line 11 writes what it reads, and it is waited for only in line 12",
    ),
    "scattered": (
        "shard = torch.empty(tensor.numel() // 4)\nwork = dist.reduce_scatter_single(shard, tensor, async_op=True)\n"
        "dist.all_gather_single(tensor, shard)\nwork.wait()",
        PlanRule.RACE,
        "line 8 (step 2: all_gather) reads what it writes, and it is waited for only in line 9; on NCCL the stream of "
        "the communicator would order the two, on gloo nothing does",
    ),
    "two groups": (
        "everyone = dist.new_group()\nwork = dist.all_reduce(tensor, async_op=True)\n"
        "dist.broadcast(tensor, src=0, group=everyone)\nwork.wait()",
        PlanRule.RACE,
        "on gloo as on NCCL",
    ),
    "only the last is waited for": (
        "a, b = tensor[:-1], tensor[-1:]\ndist.all_reduce(a, async_op=True)\ndist.all_reduce(b, async_op=True).wait()\n"
        "a.mul_(2)\na.div_(2)",
        PlanRule.RACE,
        "nothing waits for it; on NCCL the wait in line 8 for a later call on the same stream would order the two",
    ),
    "returned": (
        "dist.all_reduce(tensor, async_op=True)",
        PlanRule.RACE,
        "the result is what it writes, and nothing wai",
    ),
    "never": (
        "kept = tensor.clone()\ndist.all_reduce(kept, async_op=True)\ndist.all_reduce(tensor)",
        PlanRule.UNWAITED,
        "step 1 (line 7: all_reduce), rank 0: nothing waits for it; keep what the call returns, and wait for it",
    ),
    "a message is never waited for": (
        EXCHANGE + "    dist.isend(tensor.clone(), peer)\n    dist.recv(came, peer)\n    tensor += came",
        PlanRule.UNWAITED,
        "step 1 (line 9: send)",
    ),
    "a future is not waited for": (
        "dist.all_reduce(tensor, async_op=True).get_future().then(lambda future: future.value()[0])",
        PlanRule.RACE,
        "nothing waits for it",
    ),
    "waited for on the GPU": (
        "work = dist.all_reduce(tensor, async_op=True)\ntorch.cuda.synchronize()\nout = tensor.clone()\nwork.wait()\n"
        "return out",
        PlanRule.RACE,
        "on NCCL torch.cuda.synchronize in line 7 would order the two",
    ),
    "crossed": (
        "groups = [dist.new_group(), dist.new_group()]\nparts = list(zip(tensor.chunk(2), groups))\n"
        "works = [dist.all_reduce(part, group=group, async_op=True)\n"
        "         for part, group in (parts if dist.get_rank() else parts[::-1])]\n[work.wait() for work in works]",
        PlanRule.ORDER,
        "nobody can go on on NCCL, which does a rank's collectives in the order in which they are called; gloo does",
    ),
}

UNSURE = {
    "whether it has ended": (
        "work = dist.all_reduce(tensor, async_op=True)\nif not work.is_completed():\n    dist.barrier()\nwork.wait()",
        "line 7: what is done depends on whether a call has ended, which depends on timing",
    ),
    "how often": (
        "kept = tensor.clone()\nwork = dist.all_reduce(tensor, async_op=True)\nwhile not work.is_completed():\n"
        "    kept.zero_()",
        "line 8: what is done depends on whether a call has ended",
    ),
    "when a callback runs": (
        "kept = tensor.clone()\ntotal = dist.all_reduce(tensor, async_op=True).get_future()\n"
        "total = total.then(lambda future: kept.copy_(future.value()[0]))\nkept.zero_()\nreturn total.wait()",
        "line 8: a callback touches what is touched while it may run, which depends on timing",
    ),
    "when a callback writes": (
        "kept = tensor.clone()\ntotal = dist.all_reduce(tensor, async_op=True).get_future()\n"
        "total = total.then(lambda future: kept.zero_())\nseen = kept.clone()\ntotal.wait()\nreturn seen",
        "line 8: a callback touches what is touched while it may run, which depends on timing",
    ),
    "when a callback reads": (
        "kept, seen = tensor.clone(), tensor.clone()\ntotal = dist.all_reduce(tensor, async_op=True).get_future()\n"
        "total = total.then(lambda future: seen.copy_(kept))\nkept.zero_()\ntotal.wait()\nreturn seen",
        "line 8: a callback touches what is touched while it may run, which depends on timing",
    ),
}


@looped("name", RIGHT)
def test_right_waits(tmp_path, name):
    assert isinstance(verdict(tmp_path, RIGHT[name], elements=8), Proved)


@looped("name", WRONG)
def test_wrong_waits(tmp_path, name):
    body, rule, words = WRONG[name]
    found = verdict(tmp_path, body, elements=8)
    assert isinstance(found, Refuted)
    assert (found.counter_example.rule, words in found.counter_example.message) == (rule, True), (
        found.counter_example.message
    )


@pytest.mark.parametrize("name", UNSURE)
def test_what_depends_on_timing_is_unknown(tmp_path, name):
    body, words = UNSURE[name]
    found = verdict(tmp_path, body, elements=8)
    assert isinstance(found, Unknown)
    assert words in found.reason


@looped(
    ("body", "notes"),
    [
        (RIGHT["messages at once"], ()),
        (
            RIGHT["both only read"],
            (
                "ranks 0 and 1 both send first (lines 9 and 9), outside of batch_isend_irecv; NCCL does a pair's "
                "messages one after the other, so that this hangs there but for messages that fit its buffers",
            ),
        ),
        (
            RIGHT["both only read"].replace("(rank ^ 1, rank ^ 2)", "(rank ^ 2,)"),
            (
                "ranks 0 and 2 both send first (lines 9 and 9), outside of batch_isend_irecv; NCCL does a pair's "
                "messages one after the other, so that this hangs there but for messages that fit its buffers",
            ),
        ),
        (
            "rank = dist.get_rank()\nif rank == 1:\n    dist.send(tensor, 0, tag=7)\nif rank == 0:\n"
            "    dist.recv(tensor, 1, tag=7)",
            (),  # one message meets one receive, whatever the tag
        ),
        (
            EXCHANGE.replace("(rank ^ 1, rank ^ 2)", "(rank ^ 1,)")
            + "    one, two = (dist.isend, dist.irecv) if rank < peer else (dist.irecv, dist.isend)\n"
            "    works = [call(tensor if call is dist.isend else came, peer) for call in (one, two)]\n"
            "    [work.wait() for work in works]\n    tensor = tensor + came\nreturn tensor",
            (),  # one sends first, the other receives first
        ),
        (
            "rank, one, two = dist.get_rank(), torch.empty_like(tensor), torch.empty_like(tensor)\nif rank == 1:\n"
            "    works = [dist.isend(tensor, 0, tag=tag) for tag in (1, 2)]\nif rank == 0:\n"
            "    works = [dist.irecv(one, 1, tag=2), dist.irecv(two, 1, tag=1)]\n"
            "if rank < 2:\n    [work.wait() for work in works]",
            (
                "NCCL leaves tags aside: there what rank 1 sends in line 8 (tag 1) comes where rank 0 receives in "
                "line 10 (tag 2)",
            ),
        ),
    ],
)
def test_what_only_gloo_has_is_noted(tmp_path, body, notes):
    assert traced(source(tmp_path, body), 4).notes == notes
