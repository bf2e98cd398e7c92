"""MSCCL's XML: verdicts, both spellings, every kind of step, races, deadlocks, and whatever else a file can hold."""

import tomllib

import numpy as np
import pytest
from frontend.msccl import msccl_interpreter
from frontend.msccl.msccl_files import File, Tb, all_pairs, hierarchical, random_steps, ring
from looped import looped
from paths import TESTS
from tiers import is_full
from verify import interpreter

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN
from p2smt.frontend.msccl import xml_file
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.frontend.msccl.schedule import MscclKind
from p2smt.verify.check import verify
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import PlanMistake, PlanProof, PlanRule, mistake_of, plan_word
from p2smt.verify.verdict import Proved

PLANS = sorted((TESTS / "plans").glob("msccl_*.xml"))

every_plan = pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)


def verdict_of(file, **options):
    return verify(parse_msccl(file.bytes(**options), "file"))


def head(path):
    return tomllib.loads(path.read_text(encoding="utf-8").split("-->")[0].removeprefix("<!--"))


def given_to(gpus, chunks, seed=1):
    return np.random.default_rng(seed).integers(-(2**62), 2**62, (gpus, chunks))


@every_plan
def test_plan_files(path):
    wanted, verdict = head(path)["verdict"], verify(parse_msccl(path.read_bytes(), path.name))
    assert head(path)["about"]
    assert plan_word(verdict) == wanted.pop("verdict")
    if (mistake := mistake_of(verdict)) is not None:
        assert mistake.rule == PlanRule[wanted.pop("rule").upper()]
        place = {name: getattr(mistake.place, name) for name in wanted}
        assert {name: list(value) if name == "group" else value for name, value in place.items()} == wanted
        assert f"step {mistake.place.step}" in mistake.message or not mistake.place.step
    else:
        assert wanted == {}


def test_plan_files_cover_the_rules():
    rules = [head(path)["verdict"].get("rule") for path in PLANS]
    assert rules.count(None) >= 5
    assert rules.count("race") >= 2
    assert {"order", "mismatch", "undefined", "foreign"} <= set(rules)


@looped("gpus", [2, 3, 5, 8])
@looped("make", [ring, all_pairs])
def test_generated_all_reduces_are_right(gpus, make):
    assert verdict_of(make(gpus)) == Proved(PlanProof(gpus * gpus))
    given = given_to(gpus, gpus)
    assert (msccl_interpreter.run(make(gpus).text(), given) == given.sum(axis=0)).all()


def test_a_label_says_which_step_it_is():
    plan = parse_msccl(ring(3).bytes(), "file")
    assert plan.labels[0] == (1, "gpu 0 threadblock 0 step 0, s")
    assert [number for number, _ in plan.labels] == list(range(1, 16))
    verdict = verify(parse_msccl(ring(3, shifted=2).bytes(), "file"))
    assert verdict.counter_example.message == (
        "step 9 (gpu 2 threadblock 0 step 2, rrcs), group [2, 0]: chunks 0, 1 are added together, "
        "and data[0] of device 0 gets the sum"
    )


@pytest.mark.parametrize("file", [ring(4), ring(4, shifted=6), ring(2)], ids=["ring", "wrong", "two"])
def test_both_spellings_are_one_plan(file):
    assert parse_msccl(file.bytes(), "file") == parse_msccl(file.bytes(short=True), "file")


@pytest.mark.parametrize("kind", ["cpy", "re"])
def test_the_short_spelling_cannot_name_two_chunks(kind):
    file = ring(2)
    file.gpus[0][0].do(kind, "i0", "o1")
    with pytest.raises(VerifyError, match=rf"^file: gpu 0 threadblock 0 step 3: <op> names one chunk, {kind} has two"):
        parse_msccl(file.bytes(short=True), "file")


@looped("path", PLANS)
def test_files_run_as_the_plans_that_they_become(path):
    plan = parse_msccl(path.read_bytes(), path.name)
    if not isinstance(plan, VerificationPlan) or path.stem == "msccl_short":
        return
    given = given_to(plan.devices, plan.goal.source.length)
    found = msccl_interpreter.run(path.read_text(encoding="utf-8"), given, seed=2)
    wanted = interpreter.run(plan, given)
    if isinstance(verify(plan), Proved):
        assert (wanted == given.sum(axis=0)).all()
    defined = wanted == interpreter.run(plan, given, seed=1)
    assert defined.any()
    assert (found == wanted)[defined].all()


def test_every_kind_of_step_does_the_same_to_numbers():
    """Also: whatever is found free of races has one result in every order, and dependencies kept are no race."""
    kinds, found = set(), []
    seeds = 150 if is_full() else 45
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        file = random_steps(random, int(random.integers(3, 25)), forget=(0, 9, 4)[seed % 3])
        plan = parse_msccl(file.bytes(), "file")
        if isinstance(plan, PlanMistake):
            assert plan.rule is PlanRule.RACE
            assert seed % 3, plan.message
            continue
        found.append(seed)
        kinds |= {step[0] for gpu in file.gpus for block in gpu for step in block.steps}
        given = given_to(3, 4, seed)
        wanted = interpreter.run(plan, given)
        for order in range(3):
            assert (msccl_interpreter.run(file.text(), given, order) == wanted).all()
    assert kinds == set(MscclKind)
    assert seeds / 3 < len(found) < seeds / 1.5
    assert len([seed for seed in found if seed % 3]) > seeds / 30


@pytest.mark.parametrize("name", ["missing_dependency", "adds_too_early"])
def test_a_race_has_more_than_one_result(name):
    path = next(path for path in PLANS if path.stem == f"msccl_{name}")
    given = given_to(4, 4)
    assert (
        len({msccl_interpreter.run(path.read_text(encoding="utf-8"), given, seed).tobytes() for seed in range(60)}) > 1
    )


@pytest.mark.parametrize("name", ["deadlock", "connection_full", "no_report"])
def test_a_deadlock_is_one_in_every_order(name):
    path = next(path for path in PLANS if path.stem == f"msccl_{name}")
    for seed in range(5):
        with pytest.raises(msccl_interpreter.StuckError):
            msccl_interpreter.run(path.read_text(encoding="utf-8"), given_to(4, 4), seed)


@pytest.mark.parametrize(
    "file",
    [all_pairs(4), all_pairs(4, forget=2), all_pairs(4, 1, early=True), hierarchical(), hierarchical(forget=True)],
    ids=["right", "race", "early", "levels", "levels race"],
)
def test_the_order_of_threadblocks_in_a_file_does_not_matter(file):
    wanted = parse_msccl(file.bytes(), "file")
    for seed in range(4):
        random = np.random.default_rng(seed)
        shuffled = file.bytes(
            order=lambda blocks, random=random: [blocks[at] for at in random.permutation(len(blocks))]
        )
        assert parse_msccl(shuffled, "file") == wanted


@pytest.mark.parametrize("make", [all_pairs, lambda gpus, **more: all_pairs(gpus, 2, **more)], ids=["right", "race"])
def test_names_of_threadblocks_do_not_matter(make):
    """The same schedule with threadblocks numbered from the other end gets the same kind of verdict."""
    file = make(4)
    wanted = verdict_of(file)
    for blocks in file.gpus:
        blocks.reverse()
        for block in blocks:
            block.steps = [(*s[:4], s[4] and (len(blocks) - 1 - s[4][0], s[4][1])) for s in block.steps]
    verdict = verdict_of(file)
    assert type(verdict) is type(wanted)
    if (mistake := mistake_of(verdict)) is not None:
        assert (mistake.rule, mistake.place.device) == (mistake_of(wanted).rule, mistake_of(wanted).place.device)


@pytest.mark.parametrize(
    ("proto", "fit", "machine"), [("Simple", 2, 2), ("Simple", 4, 1), ("LL", 8, 2), ("LL128", 8, 1)]
)
def test_a_connection_holds_so_many_messages(proto, fit, machine):
    def exchange(messages):
        block = [Tb(1 - gpu, 1 - gpu) for gpu in range(2)]
        for of in block:
            for chunk in range(messages):
                of.do("s", f"i{chunk}", f"i{chunk}")
            for chunk in range(messages):
                of.do("rrc", f"i{chunk}", f"i{chunk}")
        return verify(
            parse_msccl(File([[of] for of in block], messages, proto=proto).bytes(), "file", AS_WRITTEN, machine)
        )

    assert exchange(fit) == Proved(PlanProof(2 * fit))
    stuck = exchange(fit + 1).counter_example
    assert stuck.rule is PlanRule.ORDER
    assert stuck.message.startswith(
        f"step {2 * fit + 1} (gpu 0 threadblock 0 step {fit}, s): waits for gpu 1 to take one of {fit} messages"
    )
    assert stuck.message.endswith(
        f"it ends if every connection holds {fit + 1} messages; Simple holds 2 inside a machine and 4 between "
        "machines, LL and LL128 hold 8"
    )


def test_messages_are_first_come_first_served_and_may_be_long():
    """The second message is received first by nobody: chunks end where the first receive puts them."""
    blocks = [Tb(1 - gpu, 1 - gpu) for gpu in range(2)]
    for block in blocks:
        block.do("s", "i0", "s0", 2)
        block.do("s", "i2", "s2", 1)
        block.do("rrc", "i0", "i0", 2)
        block.do("rrc", "i2", "i2", 1)
    assert verdict_of(File([[block] for block in blocks], 3)) == Proved(PlanProof(6))
    for block in blocks:
        block.steps[0], block.steps[1] = block.steps[1], block.steps[0]
    assert verdict_of(File([[block] for block in blocks], 3)).counter_example.rule is PlanRule.MISMATCH


def test_a_wait_ends_with_the_next_report():
    """Only the last step of gpu 0's first threadblock reports; who waits for an earlier one waits for it."""
    file = hierarchical()
    text = file.text()
    assert text.count('deps="1" hasdep="0"') == 8
    earlier = text.replace('depid="0" deps="1"', 'depid="0" deps="0"')
    assert verify(parse_msccl(earlier.encode(), "file")) == verdict_of(file) == Proved(PlanProof(8))


def test_messages_order_what_is_done_before_and_after_them():
    """Two threadblocks of gpu 0: one writes a chunk and sends; gpu 1 answers the other, which reads the chunk."""
    writes, reads, takes, answers = Tb(1, -1), Tb(-1, 1, 1), Tb(-1, 0), Tb(0, -1, 1)
    writes.do("cpy", "i0", "s0")
    writes.do("s", "i1", "i1")
    received = takes.do("rrc", "i1", "i1")
    answers.do("s", "i1", "i1", after=(0, received))
    reads.do("r", "i1", "i1")
    reads.do("cpy", "s0", "s1")
    file = File([[writes, reads], [takes, answers]], 2, scratch=2, proto="LL")
    plan = parse_msccl(file.bytes(), "file")
    assert isinstance(plan, VerificationPlan), plan.message
    reads.steps.reverse()
    found = parse_msccl(file.bytes(), "file")
    assert isinstance(found, PlanMistake)
    assert found.rule is PlanRule.RACE


def test_a_nop_ends_no_wait():
    """Only the nop has hasdep="1", and the runtime does not count it: who waits for it waits for ever."""
    first, second, third = Tb(), Tb(), Tb()
    first.do("cpy", "i0", "s0")
    first.do("nop", after=(1, 0))
    first.do("re", "s0", "i0", after=(1, 0))
    second.do("cpy", "i0", "s1")
    third.do("cpy", "s1", "s2", after=(0, 1))
    file = File([[first, second, third]], 1, scratch=3)
    found = parse_msccl(file.bytes(), "file")
    assert isinstance(found, PlanMistake)
    assert found.rule is PlanRule.ORDER
    assert 'threadblock 0 step 1, but no step from there on has hasdep="1"' in found.message


def test_parts_that_overlap_are_refused():
    file = File([[Tb()], [Tb()]], 3, in_place=1)
    file.gpus[0][0].do("cpy", "i0", "o1", 2)
    assert verdict_of(file).counter_example.rule is PlanRule.OVERLAP


def test_a_mistake_out_of_place_is_found_where_both_are_promised():
    assert verdict_of(ring(3)) == Proved(PlanProof(9))
    file = ring(3)
    file.more = ' outofplace="1"'
    verdict = verdict_of(file)
    assert verdict.counter_example.rule is PlanRule.INPUT
    assert verdict.counter_example.message == (
        "out of place, step 7 (gpu 0 threadblock 0 step 2, rrcs): writes i[1], but the input of a schedule out of "
        "place has to stay as it is; write o or s"
    )
    file = File([[Tb()], [Tb()]], 2, more=' outofplace="1"')
    assert verdict_of(file).counter_example.message.startswith(
        "out of place, output[0] of device 0 is undefined at the end"
    )


RIGHT = ring(2).text()
ERRORS = [
    (
        'coll="allreduce"',
        'coll="custom"',
        "<algo>: coll='custom' names no collective; say what the schedule does (--goal",
    ),
    (
        'coll="allreduce"',
        'coll="allgather"',
        "gpu 0: i_chunks=2 and o_chunks=2, but nchunksperloop=2; its all-gather has",
    ),
    (
        ' coll="allreduce"',
        "",
        "<algo>: coll is missing; say what the schedule does (--goal all-reduce, reduce-scatter,",
    ),
    (' proto="LL"', "", "<algo>: proto is missing; add proto=, which is one of Simple, LL, LL128"),
    ('proto="LL"', 'proto="LL64"', "<algo>: proto='LL64' is unknown; it is one of Simple, LL, LL128"),
    ('ngpus="2"', 'ngpus="3"', '<algo>: ngpus="3", but the file has 2 <gpu>'),
    ('ngpus="2"', 'ngpus="0"', "<algo>: ngpus='0'; it is a number from 1 to 4096"),
    ('ngpus="2"', 'ngpus="' + "9" * 100_000 + '"', f"<algo>: ngpus='{'9' * 40}'; it is a number from 1 to 4096"),
    ('inplace="1"', 'inplace="yes"', "<algo>: inplace='yes'; it is a number from 0 to 1"),
    (' inplace="1"', "", "<algo>: inplace is missing; add inplace=, which is a number from 0 to 1"),
    (
        'nchunksperloop="2"',
        'nchunksperloop="1"',
        "gpu 0: i_chunks=2 and o_chunks=2, but nchunksperloop=1; its all-reduce has 1 chunk of i",
    ),
    ('<gpu id="1"', '<gpu id="0"', "gpu 0 is defined twice; give every id one <gpu>"),
    ('<gpu id="1"', '<gpu id="7"', "gpu 7: ids are 0 to 1"),
    (' i_chunks="2"', "", "gpu 0: i_chunks is missing; add i_chunks=, which is a number from 0 to 999999999"),
    ('s_chunks="0"', 's_chunks="-1"', "gpu 0: s_chunks='-1'; it is a number from 0 to 999999999"),
    ('<tb id="0"', '<tb id="x"', "gpu 0 <tb>: id='x'; it is a number from 0 to 999999999"),
    (
        "</tb>",
        '</tb><tb id="0" send="1" recv="1" chan="0"></tb>',
        "gpu 0 threadblock 0 is defined twice; give every id one",
    ),
    ('send="1"', 'send="0"', 'gpu 0 threadblock 0: send="0" chan="0"; name another GPU and a channel'),
    ('recv="1"', 'recv="-1"', 'gpu 0 threadblock 0: recv="-1" chan="0"; name another GPU and a channel'),
    ('send="1"', 'send="2"', "gpu 0 threadblock 0: send='2'; it is a number from -1 to 1"),
    ('chan="0"', 'chan="-1"', 'gpu 0 threadblock 0: send="1" chan="-1"; name another GPU and a channel'),
    (' s="0"', ' s="1"', "gpu 0 threadblock 0: step 1 is at position 0; number the steps 0, 1, 2, ... in order"),
    (
        'type="rrcs"',
        'type="rr\ncs"',
        "gpu 0 threadblock 0 step 1: type='rr cs' is unknown; it is one of nop, s, r, rcs",
    ),
    (
        'type="rrcs"',
        'type="rr&#10;cs"',
        "gpu 0 threadblock 0 step 1: type='rr\\ncs' is unknown; it is one of nop, s, r,",
    ),
    ('srcbuf="i"', 'srcbuf="x"', "gpu 0 threadblock 0 step 0: srcbuf='x' is unknown; it is one of i, o, s"),
    ('srcbuf="i"', "", "gpu 0 threadblock 0 step 0: srcbuf is missing; add srcbuf=, which is one of i, o, s"),
    ('srcoff="0"', 'srcoff="-1"', "gpu 0 threadblock 0 step 0: srcoff='-1'; it is a number from 0 to 999999999"),
    ('srcoff="0"', 'srcoff="2"', "gpu 0 threadblock 0 step 0: chunks 2 to 2 of i, which has 2 (i_chunks)"),
    ('srcbuf="i"', 'srcbuf="s"', "gpu 0 threadblock 0 step 0: chunks 0 to 0 of s, which has 0 (s_chunks)"),
    ('cnt="1"', 'cnt="0"', "gpu 0 threadblock 0 step 0: cnt='0'; it is a number from 1 to 999999999"),
    ('cnt="1"', 'cnt="3"', "gpu 0 threadblock 0 step 0: chunks 0 to 2 of i, which has 2 (i_chunks)"),
    (
        'depid="-1" deps="-1"',
        'depid="4" deps="0"',
        'gpu 0 threadblock 0 step 0: depid="4" deps="0" does not name a step of gpu 0',
    ),
    (
        'depid="-1" deps="-1"',
        'depid="0" deps="3"',
        'gpu 0 threadblock 0 step 0: depid="0" deps="3" does not name a step of gpu 0',
    ),
    ('hasdep="0"', 'hasdep="2"', "gpu 0 threadblock 0 step 0: hasdep='2'; it is a number from 0 to 1"),
    (' hasdep="0"', "", "gpu 0 threadblock 0 step 0: hasdep is missing; add hasdep="),
    (
        'type="s"',
        'type="nop"',
        "gpu 0 threadblock 0 step 0: a nop adds its depid to the next step; give both a depid",
    ),
    ("<tb ", "<block ", "<block> in <gpu> is not allowed; elements nest as <algo>, <gpu>, <tb>, and <step> or <op>"),
    (
        "<algo ",
        "<algo>" * 3,
        "<algo> in <algo> is not allowed; elements nest as <algo>, <gpu>, <tb>, and <step> or <op>",
    ),
    (
        "</algo>",
        "",
        "not XML that p2smt reads: no element found: line 17, column 0; entities and document types are refused",
    ),
    ("<algo ", "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><algo ", "not XML that p2smt reads: DTDForbidden("),
    ("<algo ", "<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><algo ", "not XML that p2smt reads: DTDForbidden("),
    ('name="test"', 'name="&b;"', "not XML that p2smt reads: undefined entity: line 1, column 0"),
    ("<algo ", "<?xml version='1.0' encoding='klingon'?><algo ", "not XML that p2smt reads: unknown encoding"),
]


@looped(("old", "new", "message"), ERRORS)
def test_errors_are_one_line_with_the_place(old, new, message):
    assert old in RIGHT
    data = RIGHT.replace(old, new, 1).encode()
    with pytest.raises(VerifyError) as caught:
        parse_msccl(data, "file")
    assert str(caught.value).startswith(f"file: {message}")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_gather_has_equal_blocks_and_reads_what_its_goal_gives():
    """Three chunks are no shards of two GPUs; a file may say more chunks of i than the goal, if no step reads them."""
    gathering = [[Tb(1 - gpu, 1 - gpu)] for gpu in range(2)]
    for (block,) in gathering:
        block.do("s", "i1", "o0")
        block.do("r", "i0", "o0")
    with pytest.raises(
        VerifyError, match="nchunksperloop=3 does not divide into equal blocks for 2 GPUs, as AllGather needs"
    ):
        verdict_of(File(gathering, 3, coll="allgather", in_place=0))
    with pytest.raises(VerifyError, match="gpu 0: i_chunks=2 and o_chunks=2, but nchunksperloop=2; its all-gather"):
        verdict_of(File(gathering, 2, coll="allgather", in_place=0))
    for (block,) in gathering:
        block.steps[0] = ("s", "i0", "o0", 1, None)
    assert parse_msccl(File(gathering, 2, coll="allgather", in_place=0).bytes(), "file").goal.source.length == 1


def test_the_first_of_several_races_is_told_whichever_gpu_it_is_on(monkeypatch):
    """Gpu 0 races in its fifth steps, gpu 1 in its first; also where the threadblocks of one GPU are looked at."""
    late, early = [Tb(), Tb()], [Tb(), Tb()]
    for at in range(4):
        late[0].do("cpy", "i0", f"s{at}")
        late[1].do("cpy", "i0", f"s{at + 4}")
    late[0].do("cpy", "i0", "s8")
    late[1].do("cpy", "i0", "s8")
    for block in early:
        block.do("cpy", "i0", "s8")
    file = File([late, early], 1, scratch=9)
    whole = parse_msccl(file.bytes(), "file")
    assert (whole.rule, whole.place.device) == (PlanRule.RACE, 1)
    monkeypatch.setattr("p2smt.frontend.msccl.races.MOST_CLOCKS", 1)
    assert parse_msccl(file.bytes(), "file") == whole


def test_every_gpu_has_as_much_scratch_as_it_says():
    file = File([[Tb()], [Tb()]], 1, scratch=2)
    file.gpus[1][0].do("cpy", "i0", "s1")
    none = file.text().replace('s_chunks="2"', 's_chunks="0"', 1)
    assert dict(parse_msccl(none.encode(), "file").buffers)["scratch"] == 2


def test_two_threadblocks_cannot_share_a_connection():
    file = ring(2)
    file.gpus[0].append(Tb(1, 1, steps=[("s", "i0", "o0", 1, None)]))
    with pytest.raises(
        VerifyError, match="gpu 0 threadblock 1 sends to gpu 1 on channel 0, as threadblock 0 does; give"
    ):
        parse_msccl(file.bytes(), "file")
    file.gpus[0][1].steps = [("r", "i0", "o0", 1, None)]
    with pytest.raises(
        VerifyError, match="threadblock 1 receives from gpu 1 on channel 0, as threadblock 0 does; give"
    ):
        parse_msccl(file.bytes(), "file")


def test_sizes_have_bounds(monkeypatch):
    assert (xml_file.MAX_BLOCKS, xml_file.MAX_STEPS) == (2**16, 2**18)
    monkeypatch.setattr(xml_file, "MAX_BLOCKS", 100)
    monkeypatch.setattr(xml_file, "MAX_STEPS", 200)
    many = File([[Tb() for _ in range(101)]], 1)
    with pytest.raises(VerifyError, match="more than 100 threadblocks"):
        parse_msccl(many.bytes(), "file")
    steps = File([[Tb()]], 1, 1)
    steps.gpus[0][0].steps = [("cpy", "i0", "s0", 1, None)] * 201
    with pytest.raises(
        VerifyError,
        match="up to here the file has 201 steps, which move 201 chunks; at most 200 steps and 1048576 moves",
    ):
        parse_msccl(steps.bytes(), "file")
    wide = File([[Tb()], [Tb()]], 10**9 - 1)
    with pytest.raises(VerifyError, match="2 devices with 999999999 chunks each"):
        parse_msccl(wide.bytes(), "file")
    for text in (b"<algo>" * 10**6, b"<tb><tb>" * 10**6, b'<algo ngpus="' + b"9" * 10**7):
        with pytest.raises(VerifyError):
            parse_msccl(text, "file")


@pytest.mark.thorough  # damaged files are refused by name in this file
def test_nothing_but_a_verify_error_comes_of_damaged_files():
    random = np.random.default_rng(5)
    texts = [path.read_bytes() for path in PLANS]
    words = [b'"', b"<", b">", b"&a;", b'"-1"', b'"999999999"', b'"1' + b"0" * 5000, b"<tb>", b"</gpu>", b'"\xff"']
    words += [b'"nop"', b'"re"', b'"rcs"', b'"0"', b'"1"', b'"2"', b'"3"', b"<!DOCTYPE a>", b"\0", b"-->", b"<!--"]
    seen = set()
    for _ in range(600 if is_full() else 300):
        data = texts[random.integers(len(texts))]
        for _ in range(random.integers(1, 4)):
            data = _damaged(data, random, words)
        found = _read(data)
        if isinstance(found, VerifyError):
            assert str(found).startswith("file: ")
            assert "\n" not in str(found)
        if isinstance(found, VerificationPlan):
            assert max(dict(found.buffers).values()) > 100 or verify(found)
        seen.add(found.rule.name if isinstance(found, PlanMistake) else type(found).__name__)
    assert {"VerifyError", "VerificationPlan", "ORDER", "MISMATCH", "RACE"} <= seen


def _read(data):
    try:
        return parse_msccl(data, "file")
    except VerifyError as error:
        return error


def _damaged(data, random, words):
    at = int(random.integers(len(data) + 1))
    word = words[random.integers(len(words))]
    quotes = [place for place in range(len(data)) if data[place : place + 1] == b'"']
    match random.integers(5):
        case 0:
            return data[:at] + word + data[at:]
        case 1:
            return data[:at] + data[at + int(random.integers(1, 40)) :]
        case 2:
            return data[:at] + bytes([random.integers(256)]) + data[at + 1 :]
        case 3 if len(quotes) > 1:
            first = int(random.integers(len(quotes) // 2)) * 2
            return data[: quotes[first]] + word + data[quotes[first + 1] + 1 :]
        case _:
            lines = data.split(b"\n")
            one, other = random.integers(len(lines), size=2)
            lines[one], lines[other] = lines[other], lines[one]
            return b"\n".join(lines)


@pytest.mark.parametrize(("after", "right"), [(0, False), (2, True)])
def test_a_write_waits_for_the_last_of_a_threadblocks_reads(after, right):
    """Others keep the writer busy meanwhile, so that in any order of the steps both reads come first."""
    reads, writes = Tb(), Tb()
    reads.do("cpy", "i0", "s0")
    reads.do("cpy", "i0", "s1")
    reads.do("cpy", "s0", "s2")
    for chunk in range(3, 6):
        writes.do("cpy", "i1", f"s{chunk}")
    writes.do("cpy", "s3", "i0", after=(0, after))
    found = parse_msccl(File([[reads, writes]], 2, scratch=6).bytes(), "file")
    if right:
        assert isinstance(found, VerificationPlan), found.message
    else:
        assert isinstance(found, PlanMistake)
        assert found.rule is PlanRule.RACE
