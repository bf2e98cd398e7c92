"""The origin of emitted files: version, command, system, prediction, memory; the same input writes the same bytes."""

import weakref
from importlib.metadata import version

import pytest
from command_line import run

import p2smt
from p2smt.emit.torch.memory import buffers_share
from p2smt.problem.quantity import format_seconds

PLAN = ("plan", "--system", "dgx-h100:2x4", "--axes", "8", "--reduce", "0", "--bytes", "64MiB", "--out", "plan.json")
BY_PARTS = "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)"


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_an_emitted_plan_says_where_it_comes_from(tmp_path, capsys):
    assert run([*PLAN, "--program", BY_PARTS]) == 0
    for name in ("one.py", "two.py"):
        assert run(["emit", "plan.json", "--target", "torch", "--quiet", "--out", name]) == 0
    text = (tmp_path / "one.py").read_text(encoding="utf-8")
    assert text == (tmp_path / "two.py").read_text(encoding="utf-8")
    plan = p2smt.read_plan("plan.json")
    assert text.endswith(p2smt.emit_torch(plan))
    said = " ".join(line.removeprefix("#").strip() for line in text.partition('"""')[0].splitlines())
    cost = p2smt.cost_of(plan.system)
    assert said.startswith(f"written   by p2smt {version('p2smt')}: p2smt emit plan.json --target torch system")
    assert "dgx-h100: node=2 x gpu=4; preset dgx-h100, not measured: nic 45 GB/s" in said
    assert (
        f"predicted {format_seconds(cost.plan_seconds(plan))} for 64 MiB of float32 a device; one AllReduce: " in said
    )
    assert "a call in place allocates nothing; a rank is in 2 process groups" in said
    capsys.readouterr()
    assert run(["emit", "plan.json", "--target", "msccl"]) == 0
    assert capsys.readouterr().out.startswith("<algo ")


def test_all_files_of_code_of_a_job_say_it(tmp_path):
    job = 'system = "dgx-h100:2x4"\n[[axis]]\nname = "dp"\nsize = 8\n[[reduction]]\nname = "g"\naxes = ["dp"]\n'
    (tmp_path / "job.toml").write_text(f'{job}bytes = "1GiB"\n', encoding="utf-8")
    assert run(["optimize", "job.toml", "--out", "all"]) == 0
    for name in ("communication.py", "mesh.py"):
        text = (tmp_path / "all" / name).read_text(encoding="utf-8")
        assert text.startswith(f"# written   by p2smt {version('p2smt')}: p2smt optimize job.toml\n# system ")
        assert "# predicted " in text
        compile(text, name, "exec")
    assert (tmp_path / "all" / "reduction-0.json").read_text(encoding="utf-8").startswith("{")


class Buffer:
    """Numbers of elements, and how many of them are alive at once; the first is the tensor itself."""

    alive = most = 0

    def __init__(self, elements: int, *, counts: bool = True) -> None:
        self.elements = elements
        if counts:
            Buffer.alive += elements
            Buffer.most = max(Buffer.most, Buffer.alive)
            weakref.finalize(self, Buffer.freed, elements)

    @classmethod
    def freed(cls, elements: int) -> None:
        cls.alive -= elements

    def numel(self) -> int:
        return self.elements

    def new_empty(self, elements: int) -> "Buffer":
        return Buffer(elements)

    def view(self, parts: int, _rest: int) -> list["Buffer"]:
        views = [Buffer(self.elements // parts, counts=False) for _ in range(parts)]
        for each in views:
            each.whole = self  # as a view keeps the memory that it is of
        return views


@pytest.mark.parametrize(
    "program",
    [
        BY_PARTS,
        "(root, InsideGroup, AllReduce)",
        "(root, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)",
        "(node, Parallel(root), ReduceScatter); (node, InsideGroup, AllReduce); (node, Parallel(root), AllGather)",
        "(node, Parallel(root), ReduceScatter); (node, InsideGroup, ReduceScatter); (root, InsideGroup, AllGather)",
    ],
)
def test_what_a_call_is_said_to_allocate_is_what_it_allocates(program):
    pytest.importorskip("torch")
    problem = p2smt.build_problem("node:2,gpu:4", ["data:8"], ["data"], "64MiB")
    plan = p2smt.program_plan(problem, program)
    names = {"__name__": "emitted"}
    exec(p2smt.emit_torch(plan), names)
    names |= {name: lambda *_, **__: None for name in ("reduce_scatter_single", "all_gather_single")}
    names["dist"] = type("Silent", (), {"all_reduce": staticmethod(lambda *_, **__: None)})
    reduction = object.__new__(names["Reduction"])
    reduction._mine = {rule: next(names["groups_of"](rule)) for rule in names["RULES"]}
    reduction.groups, reduction.rank = dict.fromkeys(reduction._mine.values()), 0
    Buffer.alive = Buffer.most = 0
    length = 1000 * plan.multiple
    assert reduction._run(Buffer(length, counts=False), length).numel() == length
    assert Buffer.most == pytest.approx(buffers_share(plan) * length)
    assert buffers_share(plan) == (1 if program.endswith("(root, InsideGroup, AllGather)") and "node" in program else 0)
