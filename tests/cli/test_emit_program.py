"""`p2smt emit` of a distributed program: a training step, with collectives in the ways that are fastest there."""

from pathlib import Path

import pytest
from cli.test_schedule import TAIL, WRONG
from command_line import below_origin, output, refused

import p2smt.tensor
from p2smt.cli.main import run

EXAMPLES = Path(p2smt.tensor.__file__).parent / "examples"
WIDE = """program wide
mesh device=4
input x : f32[64, 4096] sliced(0)
parameter w : f32[4096, 4096] sliced(0, sizes=4000/32/32/32)
whole = AllGather(w, 0)
y = matmul(x, whole)
loss = AllReduce(sum(y * y))
output loss
"""


def test_collectives_of_unlike_shards_are_done_in_the_way_that_is_fastest_there(tmp_path, capsys):
    path = tmp_path / "wide.tp"
    path.write_text(WIDE, encoding="utf-8")
    assert " = all_gather_padded(w, " in output(["emit", str(path)], capsys)
    assert " = all_gather_grouped(w, " in output(["emit", str(path), "--system", "hap-a100-p100"], capsys)


def test_what_shard_writes_is_emitted(tmp_path, capsys):
    path = tmp_path / "dist.tp"
    assert run(["shard", str(EXAMPLES / "sgd.tp"), "--system", "hap-a100-p100", "--out", str(path)]) == 0
    capsys.readouterr()
    text = output(["emit", str(path), "--system", "hap-a100-p100"], capsys)
    compile(text, "step.py", "exec")
    assert below_origin(text).startswith('"""One step of ')
    assert "on 4 devices, as torch code on every rank's parts." in text


def test_a_program_of_one_device_is_emitted_for_jax(capsys):
    text = output(["emit", str(EXAMPLES / "mlp_step.tp"), "--target", "jax"], capsys)
    compile(text, "step.py", "exec")
    assert below_origin(text).startswith('"""The step mlp_step on one device, in JAX.')


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mlp_step.tp"], "program mlp_step is for one device; distribute it first with p2smt shard"),
        (
            ["mlp_step_megatron.tp", "--target", "jax"],
            "is distributed, and a JAX step is of one device; emit",
        ),
        (["mlp_step.tp", "--target", "ddp"], "target ddp is for plans; a tensor program is emitted for torch or jax"),
        (["mlp_step.tp", "--target", "jax", "--compile"], "are for torch; leave them out, as XLA compiles"),
        (
            ["mlp_step_megatron.tp", "--system", "hap-a100-p100"],
            ", but hap-a100-p100 has 4 devices; implementations are chosen for one axis",
        ),
    ],
)
def test_what_cannot_be_is_said(arguments, said, capsys):
    assert said in refused(["emit", str(EXAMPLES / arguments[0]), *arguments[1:]], capsys)


def test_a_plan_takes_no_system(tmp_path, capsys):
    path = tmp_path / "plan.json"
    output(["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)], capsys)
    said = "--system is for jobs and distributed tensor programs; a plan has its own system"
    assert refused(["emit", str(path), "--system", "2x4"], capsys) == said


SCHEDULE = "comps = fuse m1, v1, p1\nrs, ag = split avg rs-ag\nsc, agP, agM, agV = reorder ag past comps\n"


def scheduled(tmp_path, text=SCHEDULE):
    path = tmp_path / "adam.steps"
    path.write_text(text, encoding="utf-8")
    return ["emit", str(EXAMPLES / "adam.tp"), "--steps", str(path)]


def test_a_scheduled_program_is_emitted_once_its_steps_are_proved(tmp_path, capsys):
    text = output([*scheduled(tmp_path), "--ranks", "2"], capsys)
    compile(text, "adam.py", "exec")
    assert below_origin(text).startswith(
        '"""One step of adam on 2 ranks, as a schedule carries it out, in torch code.\n'
    )
    assert "    rs, ag = split avg rs-ag\n" in text


def test_a_schedule_that_is_not_proved_is_not_emitted(tmp_path, capsys):
    assert run([*scheduled(tmp_path), "--ranks", "2", "--bitwise"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("refused: step 2 of 3, line 2\n")


def test_a_schedule_that_no_numbers_tell_apart_is_not_emitted_and_not_refused(tmp_path, capsys):
    program = tmp_path / "tail.tp"
    program.write_text(TAIL.replace("6, 4", "1, 4"), encoding="utf-8")
    _, _, _, steps = scheduled(tmp_path, WRONG)
    assert run(["emit", str(program), "--steps", steps, "--ranks", "2"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "not proved: step 2 of 2, line 2" in err


def test_what_is_for_schedules_needs_steps(tmp_path, capsys):
    adam = str(EXAMPLES / "adam.tp")
    said = "--ranks, --bitwise, --optimizer and --kernels are for schedules; add --steps FILE"
    assert refused(["emit", adam, "--ranks", "2"], capsys) == said
    assert refused(["emit", adam, "--kernels", "triton"], capsys) == said
    assert "a schedule is emitted for torch" in refused([*scheduled(tmp_path), "--target", "jax"], capsys)
    assert "has no mesh; give the number of ranks" in refused(scheduled(tmp_path), capsys)


def test_kernels_are_triton_s_where_that_is_asked_for(tmp_path, capsys):
    arguments = [*scheduled(tmp_path), "--ranks", "2", "--kernels", "triton"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "@triton.jit" in text
    assert run([*scheduled(tmp_path), "--ranks", "2"]) == 0
    assert "triton" not in below_origin(capsys.readouterr().out)


def test_an_optimizer_keeps_its_states_in_slices(tmp_path, capsys):
    arguments = ["--ranks", "2", "--optimizer"]
    said = refused([*scheduled(tmp_path), *arguments], capsys)
    assert "3 of p, m, v are kept unsharded; an emitted optimizer has to" in said
    text = output([*scheduled(tmp_path, f"{SCHEDULE}slice m, v\ndead agM, agV\n"), *arguments], capsys)
    compile(text, "adam.py", "exec")
    assert below_origin(text).startswith('"""Adam as an optimizer for models ')


def test_collectives_are_in_buckets_of_a_size_or_in_none(tmp_path, capsys):
    path = tmp_path / "dist.tp"
    path.write_text(
        "program two\nmesh r=2\ninput a : f32[8] partial(+)\ninput b : f32[8] partial(+)\n"
        "x = AllReduce(a)\ny = AllReduce(b)\noutput x\noutput y\n",
        encoding="utf-8",
    )
    joined = "    x, y = all_reduce_bucket((a, b), along_r)"
    assert joined in output(["emit", str(path)], capsys)
    assert joined in output(["emit", str(path), "--buckets", "64B"], capsys)
    for size in ("63B", "off"):
        assert joined not in output(["emit", str(path), "--buckets", size], capsys)
    assert "bytes 'none' is not a size" in refused(["emit", str(path), "--buckets", "none"], capsys)


def test_collectives_are_reduction_programs_where_these_are_faster(tmp_path, capsys):
    path = tmp_path / "dist.tp"
    path.write_text(
        "program two\nmesh r=4\ninput a : f32[800000] partial(+)\ninput b : f32[8] partial(+)\n"
        "x = AllReduce(a)\ny = AllReduce(b)\noutput x\noutput y\n",
        encoding="utf-8",
    )
    asked = ["emit", str(path), "--system", "lab:2x2", "--buckets", "off"]
    assert "by_program" not in output([*asked, "--algorithm", "gloo"], capsys)
    text = output([*asked, "--algorithm", "gloo", "--programs"], capsys)
    assert "    x = all_reduce_by_program(a, along_r)" in text
    assert "    buffer = reduce_scatter_exchanged(buffer, along_rank, 0, even(buffer.numel()" in text
    said = "--programs chooses the fastest reduction programs on a system; give --system as well"
    assert refused(["emit", str(path), "--programs"], capsys) == said


def test_a_plan_has_no_programs(tmp_path, capsys):
    path = tmp_path / "plan.json"
    output(["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)], capsys)
    said = "--programs is for distributed tensor programs without --steps; leave it out"
    assert refused(["emit", str(path), "--programs"], capsys) == said


def test_a_plan_has_no_buckets(tmp_path, capsys):
    path = tmp_path / "plan.json"
    output(["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)], capsys)
    said = "--buckets is for distributed tensor programs without --steps; leave it out"
    assert refused(["emit", str(path), "--buckets", "off"], capsys) == said
