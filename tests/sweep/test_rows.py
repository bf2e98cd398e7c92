"""What rows say of what was asked: every column, of a problem and a job that take no default."""

from dataclasses import astuple, replace

from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl
from p2smt.cost.ten_digits import ten_digits
from p2smt.job.step.job_step import job_step
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Grammar, HierarchyKind, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.memory import device_memory
from p2smt.problem.transformer.model import Parallelism, Zero, bubble
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Recompute
from p2smt.sweep.job_rows import JobColumns, failed_job, job_columns
from p2smt.sweep.rows import TaskColumns, failed, task_columns
from p2smt.sweep.task import JobTask, ProblemTask
from p2smt.sweep.training_job import TrainingJob

TREE = Nccl(Algorithm.TREE)


def test_every_column_of_a_problem_says_what_was_asked():
    search = Search(4, Grammar.PAPER, Engine.EXPLICIT, HierarchyKind.ROWS, collapse=False)
    axes = [Axis("a", 2), Axis("b", 4), Axis("c", 4)]
    asked = build_problem(
        find_system("p2-a100:2x16"), axes, ["c", "b"], Payload(4096, "int8"), search, Collective.REDUCE_SCATTER
    )
    task = ProblemTask(asked, TREE)
    wanted = TaskColumns(
        key=task.key,
        system="p2-a100",
        levels="node:2,gpu:16",
        sizes="2x16",
        devices=32,
        axes="a:2,b:4,c:4",
        reduce=",".join("abc"[axis] for axis in asked.reduce),
        goal="reduce-scatter",
        bytes=4096,
        dtype="int8",
        algorithm="tree",
        grammar="paper",
        max_instructions=4,
        engine="explicit",
        hierarchy="c",
        collapse=0,
    )
    assert sorted(asked.reduce) == [1, 2]
    assert task_columns(task) == wanted
    assert failed(task, "why", "here").row[: len(astuple(wanted))] == astuple(wanted)


def test_every_column_of_a_job_says_what_was_asked_and_whether_it_fits():
    split = Parallelism(dp=4, tp=2, cp=3, pp=2, ep=4, chunks=2, sequence_parallel=True, zero=Zero(2))
    model = named_model("mixtral-8x7b", 96, 6144, 3)
    system = find_system("dgx-h100:6x8")
    needed = device_memory(model, split, recompute=True)
    assert needed != device_memory(model, split, recompute=False)
    job = TrainingJob(
        model="mixtral-8x7b",
        system=system,
        transformer=model,
        parallelism=split,
        search=Search(2),
        memory=None,
        recompute=True,
    )
    for memory, holds in ((None, None), (needed.total, 0), (2 * needed.total, 1)):  # a part of it is for others
        task = JobTask(replace(job, memory=memory), TREE)
        wanted = JobColumns(
            key=task.key,
            model="mixtral-8x7b",
            system="dgx-h100",
            levels="node:6,gpu:8",
            sizes="6x8",
            devices=48,
            split="tp:2,pp:2,dp:4,cp:3,ep:4,chunks:2",
            tp=2,
            pp=2,
            dp=4,
            cp=3,
            ep=4,
            chunks=2,
            zero=2,
            sequence_parallel=1,
            recompute=1,
            batch=96,
            micro_batch=3,
            sequence=6144,
            algorithm="tree",
            max_instructions=2,
            memory=needed.total,
            device_memory=memory,
            fits=holds,
            bubble=bubble(model, split),
            step_seconds=ten_digits(job_step(model, split, system, Recompute.FULL).own.seconds),
        )
        assert job_columns(task) == wanted
        assert failed_job(task, "why", "here").row[: len(astuple(wanted))] == astuple(wanted)
