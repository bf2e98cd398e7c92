"""Values as users of Python write and see them: texts for values, wrong types named, a line for each answer."""

import re
from dataclasses import replace

import pytest

import p2smt
from p2smt.cli.main import run

DATA = "program one\nsize B = 64\ninput x : f32[B, 8]\nparameter w : f32[8, 8]\ny = matmul(x, w)\noutput y\n"


@pytest.fixture(scope="module")
def problem() -> p2smt.Problem:
    return p2smt.build_problem("node:2,gpu:2", ["data:4"], ["data"], p2smt.Payload("1GiB", "bf16"))


def test_texts_stand_for_values(problem):
    levels = [p2smt.Level("node", 2), p2smt.Level("gpu", 2)]
    asked = p2smt.build_problem(
        p2smt.default_system(levels), [p2smt.Axis("data", 4)], [0], p2smt.Payload(2**30, "bfloat16")
    )
    assert problem == asked
    by_text = p2smt.build_problem("node:2,gpu:2", "data:2,model:2", "data", "1GiB", goal="reduce-scatter")
    assert by_text.axes == (p2smt.Axis("data", 2), p2smt.Axis("model", 2))
    assert (by_text.reduce, by_text.goal) == ((0,), p2smt.Collective.REDUCE_SCATTER)
    reduction = p2smt.Reduction(name="sum", axes=(0,), payload=p2smt.Payload("1MiB"))
    job = p2smt.build_workload("node:2,gpu:2", ["data:4"], [reduction])
    assert (job.system, job.axes) == (asked.system, asked.axes)


def test_a_backend_and_a_system_may_be_named(problem):
    plan = p2smt.cheapest_plan(problem, p2smt.cost_of("node:2,gpu:2", "nccl")).plan
    assert plan is not None
    cost = p2smt.cost_of(problem.system, p2smt.Nccl())
    assert p2smt.cost_of("node:2,gpu:2").plan_seconds(plan) == cost.plan_seconds(plan)
    assert p2smt.cost_of("node:2,gpu:2", "gloo").plan_seconds(plan) != cost.plan_seconds(plan)


def test_links_of_a_system_are_changed_by_name():
    system = p2smt.find_system("dgx-h100:2x8")
    changed = system.with_bandwidth(nic="25GB/s", nvswitch=300e9).with_latency(nic="7us")
    links = {link.name: (link.bandwidth, link.latency) for link in changed.network.links}
    before = {link.name: link.latency for link in system.network.links}
    assert links == {"nic": (25e9, 7e-6), "nvswitch": (300e9, before["nvswitch"])}
    assert system.with_bandwidth() == replace(system, timings=None) == system
    for mistake, message in (
        ({"nicc": "25GB/s"}, r"dgx-h100 has no link 'nicc'; its links are nic, nvswitch; did you mean nic\?"),
        ({"nic": "25GB"}, r"bandwidth '25GB' is not a positive rate; .* did you mean 25GB/s"),
        ({"nic": -1.0}, "nic"),
    ):
        with pytest.raises(p2smt.P2Error, match=message):
            system.with_bandwidth(**mistake)


WRONG = [
    (lambda _: p2smt.build_problem(4, ["data:4"], ["data"], "1GiB"), "system is 4, an int; give a System or a str"),
    (lambda _: p2smt.build_problem("2x2", [4], ["data"], "1GiB"), "an axis is 4, an int; .* 'model:16'"),
    (lambda _: p2smt.build_problem("2x2", ["data:4"], 0, "1GiB"), "reduce is 0, an int"),
    (lambda _: p2smt.build_problem("2x2", ["data:4"], ["data"], 1.5), r"payload is 1.5, a float; .*Payload\('1GiB'"),
    (lambda _: p2smt.Payload(2.5e9), "bytes of a payload is 2500000000.0, a float"),
    (lambda _: p2smt.Payload(4, None), "dtype of a payload is None, a NoneType"),
    (lambda _: p2smt.cost_of(3), "system is 3, an int"),
    (lambda _: p2smt.cost_of("2x2", 3), "backend is 3, an int; give a Nccl or a Gloo or a str"),
    (lambda _: p2smt.synthesize("2x2"), "problem is '2x2', a str; give a Problem; build_problem"),
    (lambda problem: p2smt.rank(problem, None), "synthesis is a Problem; give a Synthesis"),
    (lambda _: p2smt.cheapest_plan(None, None), "problem is None"),
    (lambda _: p2smt.program_plan("p", "AllReduce"), "problem is 'p'"),
    (lambda _: p2smt.emit_torch("plan.json"), "plan is 'plan.json', a str; give a Plan; read_plan reads a file"),
    (lambda _: p2smt.emit_jax("plan.json"), "plan is 'plan.json'"),
    (lambda _: p2smt.emit_ddp("plan.json"), "plan is 'plan.json'"),
    (lambda _: p2smt.plan_text({}), "plan is {}, a dict"),
    (lambda _: p2smt.run_plan("plan.json"), "plan is 'plan.json'"),
    (lambda _: p2smt.execute("plan.json", []), "plan is 'plan.json'"),
    (lambda _: p2smt.explain_plan("plan.json", None), "plan is 'plan.json'"),
    (lambda _: p2smt.optimize("job.toml", None), "workload is 'job.toml', a str; give a Workload"),
    (lambda _: p2smt.verify_program("many.tp", "one.tp"), "program is 'many.tp', a str; give a Program"),
    (lambda _: p2smt.check_schedule("many.tp", ()), "program is 'many.tp'"),
    (lambda _: p2smt.shard_program("one.tp", "2x2"), "program is 'one.tp'.*capture"),
    (lambda _: p2smt.tune_schedule("one.tp", "2x2"), "program is 'one.tp'"),
    (lambda _: p2smt.advise(8, "2x2"), "model is 8, an int"),
    (lambda _: p2smt.report_html("plan.json"), "subject of a report is 'plan.json', a str; give a Syn"),
]


def test_wrong_types_are_named(problem):
    for call, message in WRONG:
        with pytest.raises(TypeError, match=message) as raised:
            call(problem)
        assert isinstance(raised.value, p2smt.P2Error), message


def test_every_answer_is_a_line_and_a_table_in_a_notebook(problem, tmp_path):
    step = tmp_path / "step.tp"
    step.write_text(DATA, encoding="utf-8")
    program = p2smt.read_program(step)
    cost = p2smt.cost_of(problem.system)
    synthesis = p2smt.synthesize(problem)
    ranked = p2smt.rank(synthesis, cost)
    plan = ranked[0].programs[0].plan
    sharded = p2smt.shard_program(program, "node:1,gpu:2")
    reduction = p2smt.Reduction(name="sum", axes=(0,), payload=problem.payload)
    best = p2smt.optimize(p2smt.build_workload(problem.system, problem.axes, [reduction]), cost)
    search = p2smt.advise("llama-8b", "dgx-h100:1x8", batch=16, fixed=p2smt.FixedDegrees(tp=2))
    tuned = p2smt.tune_schedule(sharded.program, "node:1,gpu:2", depth=1)
    checked = p2smt.check_schedule(sharded.program, ())
    for value, line in (
        (problem.system, "<System without a name: node=2 x gpu=2, 4 devices>"),
        (problem, "<Problem AllReduce of 1 GiB bfloat16 over data: axes data=4 on node=2 x gpu=2>"),
        (best.workload, "<Workload 1 reduction: axes data=4 on node=2 x gpu=2>"),
        (synthesis, f"<Synthesis {synthesis.total_programs} programs on 1 placement, all>"),
        (synthesis.placements[0], f"<PlacedPrograms 2x2: {synthesis.total_programs} programs>"),
        (ranked[0], "<RankedPlacement 2x2: .* programs, best .*, AllReduce .*>"),
        (ranked[0].programs[0], "<RankedProgram 1, .*: .*>"),
        (plan, r"<Plan on 2x2, 4 devices, \d steps?: .*>"),
        (p2smt.certify(synthesis, ranked, cost), "<WinnerCertificate proved: .*, lower bound .*>"),
        (best, "<Optimum 2x2, .* a step, best of 1, all priced>"),
        (search, "<StepSearch tp 2.*: .* a step, of .* splits>"),
        (sharded, "<ShardingResult .*: .* a step, lower bound .*>"),
        (tuned, "<TuningResult .* schedules?: fastest .*, as it is .*>"),
        (checked, "<CheckedSchedule one: 0 steps, valid>"),
        (program, "<Program one: 1 statement>"),
    ):
        said = repr(value)
        assert re.fullmatch(line, said), said
        assert len(said) < 200
        table = getattr(value, "_repr_html_", None)
        if table is not None:
            text = table()
            assert re.match("<(table|pre)>", text)
            assert len(text) < 20_000
    assert all(
        isinstance(getattr(type(each), "_repr_html_", None), type(test_wrong_types_are_named))
        for each in (problem.system, synthesis, ranked[0], plan, best, search, sharded, tuned, checked, program)
    )


def test_shardings_and_schedules_have_reports(tmp_path):
    step = tmp_path / "step.tp"
    step.write_text(DATA, encoding="utf-8")
    sharded = p2smt.shard_program(p2smt.read_program(step), "node:1,gpu:2")
    tuned = p2smt.tune_schedule(sharded.program, "node:1,gpu:2", depth=1)
    assert "The graph with its layouts" in p2smt.report_html(sharded)
    checked = p2smt.check_schedule(sharded.program, tuned.found[0].schedule)
    for schedule in (tuned, checked):
        assert "When what runs" in p2smt.report_html(schedule, system="node:1,gpu:2")
        with pytest.raises(p2smt.P2Error, match="a schedule has no system; give the one"):
            p2smt.report_html(schedule)
    with pytest.raises(p2smt.P2Error, match="a ShardingResult has its own system; leave system out"):
        p2smt.report_html(sharded, system="node:1,gpu:2")


def test_a_system_is_fitted_as_the_command_fits_it(tmp_path, monkeypatch, capsys):
    pytest.importorskip("scipy")
    monkeypatch.chdir(tmp_path)
    rows = [f'"4","0","2x2","AllReduce","ring","{size}MiB","{size / 1000}"' for size in (1, 4, 16, 64)]
    table = ["axes,reduce,matrix,program,algorithm,bytes,seconds", *rows, ""]
    (tmp_path / "times.csv").write_text("\n".join(table), encoding="utf-8")
    found = p2smt.calibrate("node:2,gpu:2", "times.csv")
    assert re.fullmatch(r"<Calibration of a system: 4 rows, mean \|ln\| 0\.\d{3}>", repr(found))
    run(["calibrate", "times.csv", "--system", "node:2,gpu:2", "--out", "fitted.toml", "--force"])
    assert p2smt.find_system("fitted.toml").network.links == found.system.network.links
    with pytest.raises(p2smt.P2Error, match=r"cannot read none\.csv"):
        p2smt.calibrate("node:2,gpu:2", ["none.csv"])


def test_a_plan_shows_the_groups_of_every_step(problem):
    plan = p2smt.program_plan(problem, "(node, InsideGroup, AllReduce); (node, Parallel(root), AllReduce)")
    cells = re.findall(r"<tr><th>\d ([A-Za-z]+)</th>(.*?)</tr>", plan._repr_html_())
    shown = [(what, re.findall(">([A-Z]?)</td>", row)) for what, row in cells]
    assert shown == [("AllReduce", ["A", "A", "B", "B"]), ("AllReduce", ["A", "B", "A", "B"])]


OTHER_TYPES = {
    "a size in words": lambda: p2smt.build_problem("2x2", [p2smt.Axis("d", "4")], ["d"], p2smt.Payload("1GiB")),
    "a path for a system": lambda: p2smt.build_problem(5, ["4"], ["axis0"], p2smt.Payload("1GiB")),
    "a number of bytes": lambda: p2smt.build_problem("2x2", "4", "0", 3),
    "a system's number": lambda: p2smt.find_system(4),
    "a text of levels": lambda: p2smt.default_system("2x2"),
    "a payload in words": lambda: p2smt.build_workload(
        "2x2", ["dp:4"], [p2smt.Reduction(name="g", axes=(0,), payload="1GiB")]
    ),
    "a path of a job": lambda: p2smt.optimize("job.toml", p2smt.cost_of("2x2")),
    "a name of a library": lambda: p2smt.rank(p2smt.synthesize(p2smt.build_problem("2x2", "4", "0", "1GiB")), "nccl"),
    "a synthesis in words": lambda: p2smt.certify("x", (), p2smt.cost_of("2x2")),
    "a problem in words": lambda: p2smt.all_placements("x"),
    "a path of a program": lambda: p2smt.emit_program("step.tp"),
    "a job in words": lambda: p2smt.placement_file("job.toml", "2x2", "rankfile"),
    "a number for a file": lambda: p2smt.verify_file(5),
    "a number for a plan": lambda: p2smt.read_plan(4),
    "a number for a program": lambda: p2smt.read_program(None),
    "a model's number": lambda: p2smt.advise(5, "dgx-h100:1x8"),
    "a batch in words": lambda: p2smt.advise("llama-8b", "dgx-h100:1x8", batch="many"),
}


def test_a_wrong_type_is_named_with_what_to_give_by_every_function():
    for what, call in OTHER_TYPES.items():
        with pytest.raises(TypeError) as error:
            call()
        assert re.search("; give an? [A-Z]?[a-z]", str(error.value)), (what, str(error.value))
    with pytest.raises(
        p2smt.P2Error, match=r"framework 'megatrom' is unknown; choose one of .*; did you mean megatron"
    ):
        p2smt.advise("llama-8b", "dgx-h100:1x8", framework="megatrom")
