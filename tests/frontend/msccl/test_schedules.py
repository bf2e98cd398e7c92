"""Schedules of every goal, right and changed at random, against an interpreter that shares nothing with p2smt."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from frontend.msccl.happens_before import faults
from frontend.msccl.mutations import mutated
from frontend.msccl.schedules import COLLECTIVES, Schedule, all_pairs, halving_doubling, hierarchical, ring, tree
from tiers import is_full, sample

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.verify.check import verify
from p2smt.verify.counter_example import OF_RESULT
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan_verdict import PlanMistake, PlanProof, PlanRule, mistake_of
from p2smt.verify.verdict import Proved, Refuted, Unknown

MUTATIONS = 300 if is_full() else 100
SIZES = ((4, 1, "Simple"), (4, 2, "LL"), (8, 1, "LL128"), (2, 3, "Simple"))
"""GPUs, chunks and protocol."""
MAKERS = {
    "ring": (ring, COLLECTIVES[:3] + COLLECTIVES[4:]),
    "ring of two channels": (partial(ring, instances=2), COLLECTIVES[:3] + COLLECTIVES[4:]),
    "all pairs": (all_pairs, COLLECTIVES),
    "all pairs, joined": (partial(all_pairs, joined=True), COLLECTIVES),
    "tree": (tree, ("allreduce", "broadcast", "reduce")),
    "halving and doubling": (halving_doubling, ("allreduce", "allgather", "reduce_scatter", "reduce")),
    "halving, joined": (partial(halving_doubling, joined=True), ("allreduce", "allgather", "reduce_scatter")),
    "two levels": (partial(hierarchical, per_machine=2), ("allreduce", "allgather", "alltoall")),
}
CASES = [(name, collective) for name, (_, collectives) in MAKERS.items() for collective in collectives]


def schedule(name, collective, gpus=4, chunks=2, *, in_place=False, proto="Simple"):
    made = Schedule(gpus, collective, chunks * gpus, in_place=in_place, proto=proto)
    made.root = 1 if collective in ("broadcast", "reduce") else 0
    MAKERS[name][0](made)
    return made


def verdict_of(text, per_machine=2, asked=AS_WRITTEN):
    return verify(parse_msccl(text.encode(), "file", asked, per_machine))


def rule_of(verdict):
    """The rule that a mistake breaks; None without one."""
    mistake = mistake_of(verdict)
    return None if mistake is None else mistake.rule


def asked_of(made):
    return AskedGoal(root=made.root) if made.collective in ("broadcast", "reduce") else AS_WRITTEN


@pytest.mark.parametrize("in_place", [False, True], ids=["out of place", "in place"])
def test_right_schedules_of_every_goal_are_valid(in_place):
    """The standard tier takes every schedule either in place or out of it, and the sizes in turn."""
    cases = CASES if is_full() else CASES[in_place::2]
    for number, (name, collective) in enumerate(cases):
        for gpus, chunks, proto in SIZES if is_full() else [SIZES[(number + in_place) % len(SIZES)]]:
            made = schedule(name, collective, gpus, chunks, in_place=in_place, proto=proto)
            case = (name, collective, gpus, chunks)
            assert verdict_of(made.text(), asked=asked_of(made)) == Proved(PlanProof(_results(made))), case
            assert faults(made.text(), 2, root=made.root) == set(), case
        if (is_full() or in_place) and collective not in ("reduce",) and "pairs" not in name:
            both = schedule(name, collective, in_place=True).text(' outofplace="1"')
            written = "INPUT" in faults(both, 2, root=made.root)
            assert written == (rule_of(verdict_of(both)) is PlanRule.INPUT), (name, collective)


def _results(made):
    return made.outputs * (1 if made.collective == "reduce" else made.gpus)


def agreed(text, made, per_machine, outcomes, seed):
    """One verdict of both, or none because the file is no schedule."""
    asked = asked_of(made)
    try:
        verdict = verdict_of(text, per_machine, asked)
    except VerifyError:
        outcomes["refused"] += 1
        return
    found = faults(text, per_machine, seed, root=made.root)
    if isinstance(verdict, Proved):
        assert not found, text
        outcomes["valid"] += 1
        return
    assert isinstance(verdict, Refuted), verdict
    kind = "WRONG" if verdict.counter_example.rule in OF_RESULT else verdict.counter_example.rule.name
    assert kind in found, (found, verdict, text)
    outcomes[kind] += 1


def disagreements_of(count, random):
    """Changes one after the other, up to three in a schedule; both judges must agree on each."""
    outcomes, goals = Counter(), Counter()
    for number in range(count):
        name, collective = random.choice(CASES)
        gpus = random.choice([2, 4, 4])
        made = schedule(
            name,
            collective,
            gpus,
            random.choice([1, 2]),
            in_place=random.random() < 0.5,
            proto=random.choice(["Simple", "LL"]),
        )
        text = made.text(random.choice(["", ' outofplace="1"']))
        for _ in range(random.choice([1, 1, 2, 3])):
            text = mutated(text, random)
        agreed(text, made, random.choice([1, 2, gpus]), outcomes, number)
        goals[collective] += 1
    return outcomes, goals


def test_schedules_changed_at_random_get_the_interpreters_verdict():
    outcomes, goals = disagreements_of(MUTATIONS, Random(8))
    assert set(goals) == set(COLLECTIVES)
    assert outcomes["refused"] < MUTATIONS / 2
    assert min(outcomes[kind] for kind in ("valid", "ORDER", "MISMATCH", "RACE", "WRONG")) > MUTATIONS / 50
    assert outcomes["INPUT"]


@pytest.mark.thorough  # schedules changed at random are judged below
@pytest.mark.parametrize("gpus", sample([3, 2, 4, 8, 10], 2))
def test_where_capacity_decides_the_machines_do(gpus):
    """Everyone sends its next some messages before it takes those of the one before: the ring's own deadlock."""
    seen = set()
    for messages in range(1, 7) if is_full() else range(2, 6):
        made = Schedule(gpus, "alltoall", gpus * 6)
        for gpu in range(gpus):
            for at in range(messages):
                made.do(gpu, ((gpu - 1) % gpus, (gpu + 1) % gpus, 0), "s", ("i", at), ("i", at))
            for at in range(messages):
                made.do(gpu, ((gpu - 1) % gpus, (gpu + 1) % gpus, 0), "r", ("o", at), ("o", at))
        text = made.text()
        stuck = [size for size in range(1, gpus + 1) if "ORDER" in faults(text, size)]
        verdicts = [verdict_of(text, size) for size in range(1, gpus + 1)]
        assert [size for size, one in enumerate(verdicts, 1) if rule_of(one) is PlanRule.ORDER] == stuck
        usual, verdict = [size for size in stuck if size <= 8], verdict_of(text, None)
        plan = parse_msccl(text.encode(), "file")
        if stuck and len(stuck) < gpus and usual:
            assert isinstance(verdict, Unknown)
            assert f"with {usual} ranks wait for each other; say how many there are (--devices" in verdict.reason
        else:
            assert (rule_of(verdict) is PlanRule.ORDER) == (len(stuck) == gpus)
            noted = [note for note in getattr(plan, "notes", ()) if note.startswith("machines: of at most 8 GPUs")]
            assert bool(noted) == (0 < len(stuck) < gpus)
        seen.add((len(stuck) == gpus, bool(stuck)))
    assert seen >= {(False, False), (True, True)}


def two(collective, *blocks, chunks=2, in_place=False, more=""):
    """Two GPUs that do the same: threadblocks named by (receives, sends, channel), each with its steps."""
    made = Schedule(2, collective, chunks, in_place=in_place, scratch=2)
    for gpu in range(2):
        for peers, steps in blocks:
            for kind, source, target, count in steps:
                block = (*(1 - gpu if peer else -1 for peer in peers[:2]), peers[2])
                made.do(gpu, block, kind, source, target, count)
    return made.text(more)


LOCAL, BOTH = (False, False, -1), (True, True, 0)


def test_an_input_that_is_not_the_output_may_not_be_written():
    steps = [("s", ("i", 0), ("i", 0), 2), ("rrc", ("i", 0), ("i", 0), 2)]
    copied = [(LOCAL, [("cpy", ("i", 0), ("o", 0), 2)])]
    verdict = verdict_of(two("allreduce", (BOTH, steps), *copied))
    assert verdict.counter_example.rule is PlanRule.INPUT
    assert faults(two("allreduce", (BOTH, steps), *copied), 1) == {"INPUT"}
    assert verdict_of(two("allreduce", (BOTH, steps), in_place=True)) == Proved(PlanProof(4))


def joined_reductions(counts, *, reports=False):
    """Both get the other's two chunks into scratch, and add them by reductions of these counts, all to the first."""
    came = [("s", ("i", 0), ("i", 0), 2), ("r", ("s", 0), ("s", 0), 2)]
    adds = [("cpy", ("i", 0), ("o", 0), 2)] + [("re", ("s", 0), ("o", 0), count) for count in counts]
    text = two("allreduce", (BOTH, came), (LOCAL, adds))
    first = f'cnt="{counts[0]}" depid="0" deps="1" hasdep='
    assert text.count(f'{first}"0"') == 2
    return text.replace(f'{first}"0"', f'{first}"{int(reports)}"')


@pytest.mark.parametrize(("counts", "reports"), [((2, 1), False), ((2, 1), True), ((1, 2), False), ((2,), False)])
def test_reductions_in_a_row_have_the_count_of_the_last(counts, reports):
    """Two to one chunk are one to the runtimes, which keep the last count; but not if the first reports."""
    text = joined_reductions(counts, reports=reports)
    found = faults(text, 1)
    verdict = verdict_of(text)
    assert found == (set() if counts == (2,) else {"WRONG"})
    assert isinstance(verdict, Proved if counts == (2,) else Refuted)
    if len(counts) == 2:
        plan = parse_msccl(text.encode(), "file")
        added = [step.source.length for step in plan.steps if step.operation == "Add"]
        assert sorted(set(added)) == ([1, 2] if reports else [counts[1]])


def lengths_added(text):
    """How many chunks every reduction of GPU 0 adds, in its order."""
    plan = parse_msccl(text.encode(), "file")
    return [
        step.source.length for step in plan.steps if step.operation is LocalOperation.ADD and step.groups == ((0,),)
    ]


def test_reductions_that_wait_or_follow_the_sixteenth_are_not_joined():
    text = joined_reductions((2, 1))
    assert lengths_added(text) == [1, 1]
    assert lengths_added(text.replace('cnt="1" depid="-1" deps="-1"', 'cnt="1" depid="0" deps="1"')) == [2, 1]
    assert lengths_added(joined_reductions((*[2] * 15, 1))) == [1] * 16
    assert lengths_added(joined_reductions((*[2] * 16, 1))) == [2] * 16 + [1]


def test_elements_that_no_runtime_reads_change_nothing_and_are_said():
    text = schedule("ring", "allgather", in_place=True).text()
    with_copies = text.replace('s_chunks="0">', 's_chunks="0"><copy i_off="0" o_off="0"/>')
    plan = parse_msccl(with_copies.encode(), "file")
    assert plan == parse_msccl(text.encode(), "file")
    assert plan.notes == (
        'goal: AllGather among 4 GPUs, as coll="allgather" says',
        "4 <copy>s not carried out: the runtimes do not read them",
    )
    with pytest.raises(VerifyError, match="gpu 0 <copy>: o_off is missing"):
        parse_msccl(with_copies.replace(' o_off="0"', "", 1).encode(), "file")


def test_the_files_own_words_are_the_goal_unless_another_is_asked_for():
    text = schedule("all pairs", "alltoall", in_place=False).text()
    for coll in ("custom", "all_to_all_v"):
        other = text.replace('coll="alltoall"', f'coll="{coll}"')
        with pytest.raises(VerifyError, match=f"coll='{coll}' names no collective; say what the schedule does"):
            parse_msccl(other.encode(), "file")
        plan = parse_msccl(other.encode(), "file", AskedGoal(collective=Exchange.ALL_TO_ALL))
        assert verify(plan) == Proved(PlanProof(32))
        assert plan.notes == ("goal: AllToAll among 4 GPUs, as asked for",)
    assert isinstance(verdict_of(text, asked=AskedGoal(collective=Collective.ALL_REDUCE)), Refuted)
    assert isinstance(verdict_of(text, asked=AskedGoal(groups=((0, 1, 3, 2),))), Refuted)


@pytest.mark.parametrize(
    ("name", "collective", "why"), [("ring", "broadcast", "receives"), ("tree", "reduce", "sends")]
)
def test_the_root_is_who_receives_or_sends_nothing(name, collective, why):
    text = schedule(name, collective).text()
    plan = parse_msccl(text.encode(), "file")
    assert (plan.goal.root, verify(plan)) == (1, Proved(PlanProof(8 if collective == "reduce" else 32)))
    assert plan.notes[0].endswith(f"; root 1, the only GPU that {why} nothing")
    assert isinstance(verdict_of(text, asked=AskedGoal(root=2)), Refuted)
    forgotten = Schedule(3, "broadcast", 3, in_place=True)
    forgotten.send(0, 1, ("i", 0), 3)
    forgotten.receive(1, 0, ("o", 0), 3)
    with pytest.raises(VerifyError, match="the file does not name the root of a broadcast, and 2 GPUs receive nothing"):
        parse_msccl(forgotten.text().encode(), "file")
    scattered = schedule("all pairs", "reduce").text()
    with pytest.raises(VerifyError, match=r"the file does not name the root of a reduce, .* name it \(--root\)"):
        parse_msccl(scattered.encode(), "file")
    assert parse_msccl(scattered.encode(), "file", AskedGoal(root=0)).goal.root == 0
    assert parse_msccl(text.encode(), "file", AskedGoal(root=0)).goal.root == 0


def test_text_before_the_xml_is_named():
    text = "ring of four\n" + schedule("ring", "allreduce").text()
    with pytest.raises(VerifyError, match="there is text before the first element of the XML: 'ring of four'; delete"):
        parse_msccl(text.encode(), "file")
    assert parse_msccl(("\n <!-- a comment -->\n" + schedule("ring", "allreduce").text()).encode(), "file")


@pytest.mark.thorough  # a larger grid
def test_races_are_the_same_however_many_threadblocks_are_looked_at_at_a_time(monkeypatch):
    random, races = Random(3), 0
    for _ in range(80 if is_full() else 40):
        text = mutated(schedule("all pairs", "allreduce").text(), random)
        monkeypatch.undo()
        try:
            whole = parse_msccl(text.encode(), "file")
        except VerifyError:
            continue
        monkeypatch.setattr("p2smt.frontend.msccl.races.MOST_CLOCKS", 1)
        assert parse_msccl(text.encode(), "file") == whole
        races += isinstance(whole, PlanMistake) and whole.rule is PlanRule.RACE
    assert races >= (3 if is_full() else 2)
    monkeypatch.setattr("p2smt.frontend.msccl.races.MOST_LOOKED_AT", 100)
    with pytest.raises(VerifyError, match="take 4 rounds of the race check, which covers at most 100 steps"):
        parse_msccl(schedule("all pairs", "allreduce").text().encode(), "file")


def test_limits_count_what_the_file_says(monkeypatch):
    """Copies that the plan makes of messages are none of its steps."""
    made = schedule("ring", "allreduce")
    steps = made.text().count("<step")
    monkeypatch.setattr("p2smt.frontend.msccl.xml_file.MAX_STEPS", steps)
    monkeypatch.setattr("p2smt.verify.limits.MAX_STEPS", steps)
    plan = parse_msccl(made.text().encode(), "file")
    assert len(plan.steps) > steps
    assert isinstance(verify(plan), Proved)


def test_a_file_in_place_may_leave_out_the_buffer_that_it_does_not_use():
    """An all-gather on o alone: every GPU's shard is its block of o, whatever i_chunks says."""
    made = Schedule(3, "allgather", 6, in_place=True)
    for gpu in range(3):
        for peer in {0, 1, 2} - {gpu}:
            made.send(gpu, peer, ("o", 2 * gpu), 2)
            made.receive(peer, gpu, ("o", 2 * gpu), 2)
    for own in (0, 2, 6):
        text = made.text().replace('i_chunks="2"', f'i_chunks="{own}"')
        assert verdict_of(text) == Proved(PlanProof(18))
    wrong = (
        made.text().replace('srcbuf="o" srcoff="2"', 'srcbuf="o" srcoff="3"', 1).replace('dstoff="4"', 'dstoff="3"', 1)
    )
    assert isinstance(verdict_of(wrong), Refuted) == bool(faults(wrong, 2))
