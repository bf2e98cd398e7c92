"""Execution plans by hand: two GPUs that reach into each other's memory, and everything that can be wrong with them."""

import json
from pathlib import Path

import pytest
from looped import looped

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.format import Format
from p2smt.frontend.importers import read_any
from p2smt.frontend.mscclpp.plan import parse_mscclpp
from p2smt.frontend.recognition import format_of
from p2smt.verify.check import verify
from p2smt.verify.plan_verdict import PlanProof, PlanRule, mistake_of
from p2smt.verify.verdict import Proved, Refuted, Unknown

NOP = {"name": "nop"}


def own(buffer, index, size=1):
    return {"type": buffer, "index": index, "size": size}


def there(number, index, size=1):
    return {"buffer_id": number, "index": index, "size": size}


def over(name, *numbers, kind="memory"):
    return {"name": name, "channel_ids": list(numbers or (0,)), "channel_type": kind}


def data(name, sources, targets, **more):
    return {"name": name, "src_buff": sources, "dst_buff": targets, **more}


def plan_of(blocks, chunks=2, scratch=2, kind="memory", **more):
    """Two GPUs; `blocks(gpu)` are the operations of its threadblocks. The other's i, o and s are 0, 1 and 2."""
    gpus = []
    for gpu in range(2):
        threadblocks = [
            {
                "id": number,
                "ops": ops,
                "channels": [{"channel_type": kind, "channel_ids": [0, 1]}],
                "remote_buffer_refs": [{"access_channel_type": kind, "remote_buffer_ids": [0, 1, 2]}],
            }
            for number, ops in enumerate(blocks(gpu))
        ]
        gpus.append(
            {
                "id": gpu,
                "input_chunks": chunks,
                "output_chunks": chunks,
                "scratch_chunks": scratch,
                "threadblocks": threadblocks,
                "channels": [{"channel_type": kind, "connected_to": [1 - gpu, 1 - gpu]}],
                "remote_buffers": [
                    {"rank": 1 - gpu, "type": buffer, "access_channel_types": [kind]} for buffer in "ios"
                ],
                "semaphores": [{"init_value": 0}],
            }
        )
    whole = {"name": "by hand", "collective": "allreduce", "protocol": "Simple", "inplace": True, "gpus": gpus}
    return json.dumps(whole | more).encode()


def verdict(text, asked=AS_WRITTEN):
    return verify(parse_mscclpp(text, "file", asked))


def mistake(text, asked=AS_WRITTEN):
    return mistake_of(verdict(text, asked))


def meeting():
    return [over("signal"), over("wait"), NOP]


def direct(gpu):
    """Each adds its half of the other's input to its own, and writes the sum back."""
    total = data("rres", [own("i", gpu), there(0, gpu)], [own("i", gpu), there(0, gpu)], channel_type="memory")
    return [[*meeting(), total, NOP, over("signal"), over("wait")]]


def by_put(gpu):
    """Each puts its input into the other's scratch, by whatever channel there is."""
    return [
        [
            data("put", [own("i", 0, 2)], [there(2, 0, 2)], channel_type="memory"),
            NOP,
            *meeting(),
            data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)]),
        ]
    ]


def by_port(gpu):
    put = data("pws", [own("i", 0, 2)], [there(2, 0, 2)], channel_type="port", channel_ids=[0])
    return [[put, over("wait", kind="port"), NOP, data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)])]]


def by_get(gpu):
    return [
        [
            *meeting(),
            data("get", [there(0, 0, 2)], [own("s", 0, 2)], channel_type="memory", channel_ids=[0]),
            NOP,
            data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)]),
        ]
    ]


def test_all_ways_to_reach_the_other_are_read():
    assert verdict(plan_of(direct)) == Proved(PlanProof(4))
    assert verdict(plan_of(by_put, inplace=False)) == Proved(PlanProof(4))
    assert verdict(plan_of(by_port, kind="port", inplace=False)) == Proved(PlanProof(4))
    assert verdict(plan_of(by_get, inplace=False)) == Proved(PlanProof(4))


def test_files_are_known_by_their_content(tmp_path):
    assert format_of(Path("a.json"), plan_of(direct)) is Format.MSCCLPP
    path = tmp_path / "plan.json"
    path.write_bytes(plan_of(direct))
    plan = read_any(path)
    assert plan.notes == ('goal: AllReduce among 2 GPUs, as "allreduce" says',)
    assert verify(plan) == Proved(PlanProof(4))


def without(text, number, block=0, gpus=(0, 1)):
    plan = json.loads(text)
    for gpu in gpus:
        del plan["gpus"][gpu]["threadblocks"][block]["ops"][number]
    return json.dumps(plan).encode()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (plan_of(by_put, inplace=False), 1),
        (plan_of(by_put, inplace=False), 4),
        (plan_of(by_port, kind="port", inplace=False), 2),
    ],
    ids=["before a signal", "after a wait", "after a port"],
)
def test_a_nop_that_is_missing_is_a_race(text, number):
    refusal = mistake(without(text, number))
    assert refusal.rule is PlanRule.RACE
    assert "re): reads s[0] of gpu" in refusal.message


def test_relaxed_signals_order_nothing():
    text = plan_of(by_put, inplace=False).replace(b'"signal"', b'"rlxsignal"').replace(b'"wait"', b'"rlxwait"')
    assert mistake(text).rule is PlanRule.RACE
    for relaxed in ("signal", "wait"):
        one = plan_of(by_put, inplace=False).replace(f'"{relaxed}"'.encode(), f'"rlx{relaxed}"'.encode())
        assert mistake(one).rule is PlanRule.RACE


def test_a_signal_speaks_of_the_puts_of_phases_before_its_own():
    """Over a port; behind a put of its own phase the proxy of another thread may still be to come."""

    def blocks(gpu, between):
        put = data("put", [own("i", 0, 2)], [there(2, 0, 2)], channel_type="port", channel_ids=[0])
        add = data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)])
        return [[put, *between, over("signal", kind="port"), over("wait", kind="port"), NOP, add]]

    assert verdict(plan_of(lambda gpu: blocks(gpu, [NOP]), kind="port", inplace=False)) == Proved(PlanProof(4))
    assert mistake(plan_of(lambda gpu: blocks(gpu, []), kind="port", inplace=False)).rule is PlanRule.RACE


def test_who_waits_for_ever_is_named():
    refusal = mistake(without(plan_of(direct), 0, gpus=(1,)))
    assert refusal.rule is PlanRule.ORDER
    assert (
        "gpu 0 threadblock 0 op 6, wait): waits for a signal from gpu 1 over memory channel 0 of the two"
        in refusal.message
    )
    late = plan_of(lambda gpu: [[over("wait"), over("signal")]])
    assert "2 of 2 threadblocks cannot go on" in mistake(late).message


def test_what_is_left_over_is_refused():
    refusal = mistake(without(plan_of(direct), 6, gpus=(1,)))
    assert refusal.rule is PlanRule.MISMATCH
    assert refusal.message.startswith("gpu 1 gets 1 more from gpu 0 over memory channel 0 of the two than it waits for")
    released = plan_of(lambda gpu: [[*direct(gpu)[0], {"name": "sem_release", "semaphore_ids": [0]}]])
    assert "semaphore 0 of gpu 0 begins with 0, ends with 1" in mistake(released).message


def test_a_source_that_a_port_still_reads_may_not_change():
    def blocks(gpu, kind):
        put = data(kind, [own("i", 0, 2)], [there(2, 0, 2)], channel_type="port", channel_ids=[0])
        add = data("re", [own("i", 0, 2), own("s", 0, 2)], [own("i", 0, 2)])
        return [[put, over("wait", kind="port"), NOP, add]]

    refusal = mistake(plan_of(lambda gpu: blocks(gpu, "pws"), kind="port"))
    assert refusal.rule is PlanRule.RACE
    assert "re): writes i[0]" in refusal.message
    assert ", pws, reads, and nothing orders the two" in refusal.message
    assert verdict(plan_of(lambda gpu: blocks(gpu, "pwsf"), kind="port")) == Proved(PlanProof(4))


def handed_over(gpu, by):
    """Two threadblocks: one brings the other's input, the other adds it."""
    come = data("get", [there(0, 0, 2)], [own("s", 0, 2)], channel_type="memory", channel_ids=[0])
    add = data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)])
    match by:
        case "semaphore":
            told, known = {"name": "sem_release", "semaphore_ids": [0]}, {"name": "sem_acquire", "semaphore_ids": [0]}
            return [[come, NOP, told], [known, NOP, add]]
        case "barrier":
            barrier = {"name": "barrier", "barrier_id": 3, "num_threadblocks": 2}
            return [[come, barrier], [barrier, add]]
        case "nothing":
            return [[come, NOP], [NOP, add]]


def test_semaphores_and_barriers_order_threadblocks():
    for by in ("semaphore", "barrier"):
        assert verdict(plan_of(lambda gpu, by=by: handed_over(gpu, by), inplace=False)) == Proved(PlanProof(4))
    assert mistake(plan_of(lambda gpu: handed_over(gpu, "nothing"), inplace=False)).rule is PlanRule.RACE
    for number in range(2):
        told_early = plan_of(
            lambda gpu, number=number: [
                [one for one in block if one is not NOP or at != number]
                for at, block in enumerate(handed_over(gpu, "semaphore"))
            ],
            inplace=False,
        )
        assert mistake(told_early).rule is PlanRule.RACE
    missing = plan_of(lambda gpu: [handed_over(gpu, "barrier")[0], [NOP]], inplace=False)
    assert "barrier 3, at which 1 of 2 threadblocks are" in mistake(missing).message


def shared(gpu, shares):
    """Threadblocks that bring and add the other's input together, each its share; they meet in between."""
    blocks = []
    for share in shares:
        group = {"tbg_info": {"tb_id": share, "tbg_size": 3}}
        come = data("get", [there(0, 0, 2)], [own("s", 0, 2)], channel_type="memory", **group)
        add = data("re", [own("i", 0, 2), own("s", 0, 2)], [own("o", 0, 2)], **group)
        blocks.append([come, {"name": "barrier", "barrier_id": 0, "num_threadblocks": len(shares)}, add])
    return blocks


def test_threadblocks_share_an_operation():
    plan = parse_mscclpp(plan_of(lambda gpu: shared(gpu, [0, 1, 2]), inplace=False), "file")
    assert verify(plan) == Proved(PlanProof(12))
    assert plan.notes[1] == "chunks: 3 for every one of the file, shared by threadblocks"
    assert isinstance(verdict(plan_of(lambda gpu: shared(gpu, [0, 1]), inplace=False)), Refuted)
    assert mistake(plan_of(lambda gpu: shared(gpu, [0, 1, 1]), inplace=False)).rule is PlanRule.RACE


def test_two_threadblocks_at_one_end_of_a_channel_are_a_race():
    refusal = mistake(plan_of(lambda gpu: [*direct(gpu), [over("signal"), over("wait")]]))
    assert refusal.rule is PlanRule.RACE
    assert "signals over memory channel 0 between gpu 0 and gpu 1, as gpu 0 threadblock 0" in refusal.message


def test_what_is_said_over_one_channel_is_not_heard_over_another():
    def blocks(gpu):
        return [[over("signal", 0), over("wait", 1 if gpu else 0), *direct(gpu)[0]]]

    refusal = mistake(plan_of(blocks))
    assert refusal.rule is PlanRule.ORDER
    assert "waits for a signal from gpu 0 over memory channel 1 of the two, which nobody gives" in refusal.message


@pytest.mark.parametrize(
    "operation",
    [
        data("re", [own("i", 0, 2), own("s", 0, 2)], [own("i", 1, 2)]),
        data("re", [own("s", 0, 2), own("i", 0, 2)], [own("i", 1, 2)]),
        data(
            "res",
            [own("i", 0, 2), own("s", 0, 2)],
            [own("o", 0, 2), there(2, 0, 2), there(2, 1, 2)],
            channel_type="memory",
        ),
    ],
    ids=["first source", "second source", "targets"],
)
def test_chunks_that_overlap_in_one_operation_are_written_in_any_order(operation):
    refusal = mistake(plan_of(lambda gpu: [[operation] if not gpu else []], chunks=3, scratch=3))
    assert refusal.rule is PlanRule.OVERLAP


def test_a_put_to_chunks_that_overlap_on_another_gpu_is_one_copy():
    """The same names on two GPUs are other chunks: i[0:2] of each goes to i[1:3] of the other's, over a scratch."""

    def blocks(gpu):
        if gpu:
            return [[over("wait"), NOP, data("copy", [own("i", 1, 2)], [own("s", 0, 2)])]]
        return [[data("put", [own("i", 0, 2)], [there(0, 1, 2)], channel_type="memory"), NOP, over("signal")]]

    refusal = mistake(plan_of(blocks, chunks=3))
    assert refusal.rule is not PlanRule.OVERLAP
    assert "data[0] of device 0" in refusal.message


def test_the_input_of_a_plan_out_of_place_stays():
    assert mistake(plan_of(direct, inplace=False)).rule is PlanRule.INPUT


def test_goals_are_the_files_or_those_asked_for():
    exchange = plan_of(
        lambda gpu: [
            [
                data("copy", [own("i", gpu)], [own("o", gpu)]),
                data("put", [own("i", 1 - gpu)], [there(1, gpu)], channel_type="memory"),
                NOP,
                *meeting(),
            ]
        ],
        inplace=False,
        collective="alltoall",
    )
    assert verdict(exchange) == Proved(PlanProof(4))
    custom = exchange.replace(b"alltoall", b"custom")
    with pytest.raises(VerifyError, match="collective 'custom' is unknown; say what the plan does"):
        verdict(custom)
    assert verdict(custom, AskedGoal(collective=Exchange.ALL_TO_ALL)) == Proved(PlanProof(4))
    assert isinstance(verdict(exchange, AskedGoal(collective=Collective.ALL_REDUCE)), Refuted)


def test_wrong_sums_come_with_numbers():
    come = data("get", [there(0, 0, 2)], [own("s", 0, 2)], channel_type="memory")
    twice = plan_of(
        lambda gpu: [
            [*meeting(), come, NOP, data("re", [own("i", 0, 2), own("s", 0, 2), own("s", 0, 2)], [own("o", 0, 2)])]
        ],
        inplace=False,
    )
    refusal = mistake(twice)
    assert refusal.rule is PlanRule.COUNTED_TWICE
    assert refusal.example is not None


MISTAKES = {
    "re.*: 1 src_buff; there are 2 to 10": lambda gpu: [[data("re", [own("i", 0)], [own("o", 0)])]],
    "2 chunks from 1 of i of gpu 0, which has 2": lambda gpu: [[data("copy", [own("i", 1, 2)], [own("o", 0, 2)])]],
    "sources and targets of 1 and 2 chunks": lambda gpu: [[data("copy", [own("i", 0, 2)], [own("o", 0)])]],
    "from index 0 to 1; the executor swaps the two": lambda gpu: [
        [data("get", [there(0, 0)], [own("s", 1)], channel_type="memory")]
    ],
    "channel_ids 2; the threadblock has 2": lambda gpu: [[over("signal", 2)]],
    "buffer_id 3; the threadblock has 3": lambda gpu: [
        [data("put", [own("i", 0)], [there(3, 0)], channel_type="memory")]
    ],
    "'ppkt' is not supported; supported operations are": lambda gpu: [[{"name": "ppkt"}]],
    "semaphore 1; the GPU has 1": lambda gpu: [[{"name": "sem_acquire", "semaphore_ids": [1]}]],
    "barrier_id 0 of 2 threadblocks": lambda gpu: [[{"name": "barrier", "barrier_id": 0, "num_threadblocks": 2}]],
    "barrier_id 16 of 1 threadblocks": lambda gpu: [[{"name": "barrier", "barrier_id": 16, "num_threadblocks": 1}]],
    "has 65 operations; the executor has room for 64": lambda gpu: [[NOP] * 65],
    "puts with a signal are for ports": lambda gpu: [
        [data("pws", [own("i", 0)], [there(2, 0)], channel_type="memory", channel_ids=[0])]
    ],
    "2 sources for 1 targets": lambda gpu: [[data("put", [own("i", 0)] * 2, [there(2, 0)], channel_type="memory")]],
    "sources in several buffers": lambda gpu: [
        [data("put", [own("i", 0), own("s", 0)], [there(1, 0), there(1, 1)], channel_type="memory")]
    ],
    "channel_type port does not reach the memory of other GPUs": lambda gpu: [
        [data("get", [there(0, 0)], [own("s", 0)], channel_type="port", channel_ids=[0])]
    ],
    r"channel_ids \[0, 0\]; give 1 to": lambda gpu: [[over("signal", 0, 0)]],
    r"channel_ids \[\]; give 1 to": lambda gpu: [[{"name": "signal", "channel_ids": [], "channel_type": "memory"}]],
    "channel_type 'radio'; it is memory or port": lambda gpu: [[over("signal", kind="radio")]],
    "reduce_op 'max' is not supported": lambda gpu: [
        [data("re", [own("i", 0), own("s", 0)], [own("o", 0)], reduce_op="max")]
    ],
    "iterations are not supported; write the operations out": lambda gpu: [
        [data("copy", [own("i", 0)], [own("o", 0)], iter_context={"unit_size": 16, "num_chunks": 2})]
    ],
    "tb_id 2 of tbg_size 2": lambda gpu: [
        [data("copy", [own("i", 0)], [own("o", 0)], tbg_info={"tb_id": 2, "tbg_size": 2})]
    ],
}


@looped("message", MISTAKES)
def test_mistakes_have_their_place(message):
    with pytest.raises(VerifyError, match=rf"file: gpu 0 threadblock 0.*{message}"):
        verdict(plan_of(MISTAKES[message]))


def test_every_target_of_a_put_by_port_has_a_channel():
    def puts(gpu):
        return [[data("put", [own("i", 0)] * 2, [there(2, 0), there(2, 1)], channel_type="port", channel_ids=[0])]]

    with pytest.raises(VerifyError, match="1 channel_ids for 2 targets; give one for every target"):
        verdict(plan_of(puts, kind="port"))


def test_a_put_by_port_goes_where_its_channel_goes():
    def elsewhere(gpus):
        gpus.append({**gpus[1], "id": 2, "threadblocks": [], "channels": [], "remote_buffers": []})
        gpus[0]["remote_buffers"][2]["rank"] = 2

    entry = json.loads(plan_of(by_port, kind="port", inplace=False))
    elsewhere(entry["gpus"])
    with pytest.raises(VerifyError, match="a channel to gpu 1 for a buffer of gpu 2"):
        verdict(json.dumps(entry).encode())


def changed(change, collective="allreduce"):
    """The direct plan with something else said of its GPUs."""
    entry = json.loads(plan_of(direct, collective=collective))
    change(entry["gpus"])
    return json.dumps(entry).encode()


def test_what_is_no_execution_plan():
    for text, message in (
        (b"{", "file: not valid JSON: Input data was truncated"),
        (b'{"gpus": []}', "object missing required field"),
        (plan_of(direct, gpus=[]), "0 GPUs; a plan has 1 to 4096"),
        (plan_of(direct, colour=1), "unknown key 'colour'"),
        (plan_of(direct, collective="allgather"), "output_chunks is 2; a all-gather of 4 chunks has 4"),
        (
            changed(lambda gpus: [gpu.update(input_chunks=3, output_chunks=0) for gpu in gpus], "reducescatter"),
            "3 chunks do not divide into equal blocks for 2 GPUs",
        ),
        (changed(lambda gpus: gpus.reverse()), "gpu 1 is in position 0; the executor takes GPU n from position n"),
        (
            changed(lambda gpus: gpus[1].update(id=0)),
            "gpu 0 is in position 1; the executor takes GPU n from position n",
        ),
        (changed(lambda gpus: gpus[0]["threadblocks"][0].update(id=1)), "threadblock 1 is in position 0"),
        (changed(lambda gpus: gpus[0].update(input_chunks=1)), "it must be the same on all"),
        (changed(lambda gpus: gpus[0].update(semaphores=[{"init_value": 0}] * 4096)), "has 4096 semaphores"),
        (changed(lambda gpus: gpus[0].update(semaphores=[{"init_value": -1}])), "gpu 0 semaphore 0 begins at -1"),
        (changed(lambda gpus: gpus[0].update(semaphores=[{"init_value": 2**31}])), "it is 0 to 2147483647"),
        (
            changed(lambda gpus: gpus[0]["channels"][0].update(connected_to=[0, 1])),
            "connected to 0, which is not another",
        ),
        (
            changed(lambda gpus: gpus[0]["channels"][0].update(connected_to=[2, 1])),
            "connected to 2, which is not another",
        ),
        (changed(lambda gpus: gpus[0]["remote_buffers"][0].update(rank=2)), "rank 2 does not exist; there are 2"),
        (
            changed(lambda gpus: gpus[0]["remote_buffers"][0].update(access_channel_types=["port"])),
            "remote buffer 0 is not accessible through channels of type memory",
        ),
        (
            changed(lambda gpus: gpus[0]["threadblocks"][0]["channels"][0].update(channel_ids=[0, 2])),
            "memory channel 2 does not exist; there are 2, counted from 0",
        ),
        (
            changed(lambda gpus: gpus[0]["threadblocks"][0]["remote_buffer_refs"][0].update(remote_buffer_ids=[-1])),
            "remote buffer -1 does not exist; there are 3, counted from 0",
        ),
    ):
        with pytest.raises(VerifyError, match=message):
            parse_mscclpp(text, "file")


def test_a_semaphore_that_begins_high_takes_no_memory():
    """It is taken as often as the plan acquires it, and no more is kept of it."""
    text = plan_of(
        lambda gpu: [[{"name": "sem_acquire", "semaphore_ids": [0]}, {"name": "sem_release", "semaphore_ids": [0]}]]
    )
    high = text.replace(b'"init_value": 0', b'"init_value": 2147483647')
    assert high != text
    assert not isinstance(verdict(high), Unknown)
