"""`p2smt emit`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.emitted_program import ProgramOptions, emitted_for_jax, emitted_program
from p2smt.cli.exit_code import ExitCode, of_search, of_verdict
from p2smt.cli.file_kind import JOB, PLAN, PROGRAM, STEPS, another_kind, ending_of
from p2smt.cli.options.buckets import PROGRAMS
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.machine import RATES, machine_of
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath, OutputPath
from p2smt.cli.options.plan_file import UNCHECKED, given_any_plan
from p2smt.cli.options.shared import FORCE, backend_options
from p2smt.cli.options.values import choice
from p2smt.cli.output.written import WRITTEN_JSON
from p2smt.cli.provenance import Facts, plan_facts, signed, system_facts
from p2smt.cli.training_step import JOB_SUFFIX, StepFile, emitted_exchange, emitted_job
from p2smt.cost.network.backend import Backend
from p2smt.emit.target import KernelLanguage, Target
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import read_bounded

if TYPE_CHECKING:
    from p2smt.reduction.plan.exchange import ExchangePlan
    from p2smt.reduction.plan.model import Plan
    from p2smt.schedule.cost.machine import Machine

_MOST_BYTES = 64_000_000
_BEGINNING = 65_536
"""The number of leading bytes that are read to recognise a file's kind."""


@click.command("emit", cls=HelpPage)
@click.argument("plan_file", type=InputPath(PLAN, JOB, PROGRAM), metavar="FILE")
@choice("--target", Target, default=Target.TORCH, help="What to emit for.")
@click.option("--steps", type=InputPath(STEPS), metavar="FILE", help="Of a program: the schedule that carries it out.")
@click.option("--ranks", type=int, metavar="N", help="With --steps: on so many ranks [the mesh that the program says].")
@click.option("--bitwise", is_flag=True, help="With --steps: refuse what changes results, and compare bit for bit.")
@click.option("--optimizer", is_flag=True, help="With --steps: a class in the place of torch.optim's, for any model.")
@choice("--kernels", KernelLanguage, default=KernelLanguage.TORCH, help="With --steps: what computes.")
@click.option(
    "--system",
    "system_text",
    type=SYSTEM_TEXT,
    metavar="SYSTEM",
    help="Of a job, or of a program with uneven collectives: where it runs.",
)
@RATES
@click.option(
    "--buckets", metavar="SIZE", help="Of a program: bytes of collectives that are one call [25MiB]; off for none."
)
@PROGRAMS
@click.option(
    "--compile", "compiled", is_flag=True, help="Of a program: torch.compile of what lies between collectives."
)
@UNCHECKED
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@WRITTEN_JSON
@backend_options
def command(
    plan_file: Path,
    target: Target,
    steps: Path | None,
    ranks: int | None,
    bitwise: bool,
    optimizer: bool,
    kernels: KernelLanguage,
    system_text: str | None,
    rates_file: Path | None,
    buckets: str | None,
    programs: bool,
    compiled: bool,
    unchecked: bool,
    out: Path | None,
    force: bool,
    backend: Backend,
) -> ExitCode:
    """Write a plan, a job or a distributed program as one file that needs torch, or jax, or MSCCL's runtime, alone.

    Of a plan, target torch is the reduction of a tensor on nccl or gloo; ddp adds a communication hook for
    DistributedDataParallel and a drop-in for gradients that are averaged by hand; both check themselves under
    torchrun. Target jax is a function for shard_map; its file checks itself on host devices. Targets msccl (XML) and
    mscclpp (JSON) are schedules, in place, for the communicator of a reduction group. Plans of all-to-alls and sends
    are for torch. So is a job (JOB.toml): a training step's communication on its best placement, by the best programs.

    Of a program of one device, jax is the step for jax.jit. Of one that p2smt shard writes, torch is a training step on
    parts of parameters and states, with checkpoints of whole tensors. Collectives are joined in buckets; with --system
    each is what is fastest there: padded, for each owner, an exchange, or with --programs a reduction program.

    With --steps the program is emitted as a schedule carries it out, once p2smt schedule has proved every step: loops
    with collectives under way, fused groups, states in slices. The file also compares that with the program as it was.
    A ReduceScatter is an exchange of blocks that ranks add up, or with --system the library's where that is faster, by
    models or --rates; with --bitwise sums are in the order of the ranks. --optimizer makes a class in the place of
    torch.optim's. With --kernels triton groups compute in Triton's; triton-fused has collectives in them, on one node.

    \b
    Example:
      p2smt emit plan.json --target torch --out reduction.py
      p2smt emit plan.json --target ddp --out hook.py
      p2smt emit plan.json --target jax --out reduction.py
      p2smt emit plan.json --target msccl --out schedule.xml
      p2smt emit job.toml --out communication.py
      p2smt emit sharded.tp --system a100:2 --programs --out step.py
      p2smt emit adam.tp --steps fused.steps --ranks 4 --optimizer --kernels triton --out sharded_adam.py
      p2smt emit adam.tp --steps fused.steps --ranks 4 --system 4x1 --rates rates.json --out adam.py

    Exit codes: 0 written, 2 bad input; of a schedule also 1 refused, 3 not proved.
    """  # noqa: D301
    options = ProgramOptions(system_text=system_text, buckets=buckets, programs=programs, compiled=compiled)
    options.refuse(elsewhere=steps is not None or not _is_program(plan_file))
    if steps is not None:
        how = _ScheduleRequest(plan_file, steps, ranks, bitwise, optimizer, kernels, system_text)
        return _scheduled(how, target, machine_of(system_text, backend, rates_file), out, force=force)
    _without_steps(ranks, rates_file, kernels, bitwise=bitwise, optimizer=optimizer)
    if _is_program(plan_file):
        return _program(plan_file, target, options, out, backend, force=force)
    if ending_of(plan_file) == JOB_SUFFIX:
        return _job(plan_file, target, system_text, out, backend, force=force)
    return _plan_alone(plan_file, target, system_text, out, unchecked=unchecked, force=force)


def _without_steps(
    ranks: int | None, rates: Path | None, kernels: KernelLanguage, *, bitwise: bool, optimizer: bool
) -> None:
    if rates is not None:
        raise ProgramError("--rates is for schedules; add --steps FILE")
    if ranks is not None or bitwise or optimizer or kernels is not KernelLanguage.TORCH:  # only: the default
        raise ProgramError("--ranks, --bitwise, --optimizer and --kernels are for schedules; add --steps FILE")


def _plan_alone(
    path: Path, target: Target, system_text: str | None, out: Path | None, *, unchecked: bool, force: bool
) -> ExitCode:
    if system_text is not None:
        raise ProgramError("--system is for jobs and distributed tensor programs; a plan has its own system")
    return _plan(given_any_plan(path, unchecked=unchecked), target, out, force=force)


def _job(
    path: Path, target: Target, system_text: str | None, out: Path | None, backend: Backend, *, force: bool
) -> ExitCode:
    """Emit all communication of a training job on its best placement."""
    from p2smt.cli.output.files import refuse_overwriting

    _for_torch(target, "a job's communication")
    refuse_overwriting(out, force=force)
    return _step(emitted_job(path, system_text, backend), out, force=force)


def _plan(plan: "Plan | ExchangePlan", target: Target, out: Path | None, *, force: bool) -> ExitCode:
    from p2smt.emit.emission import emit
    from p2smt.reduction.plan.exchange import ExchangePlan

    if isinstance(plan, ExchangePlan):
        _for_torch(target, f"the plan of {plan.goal.hyphenated}")
        return _step(emitted_exchange(plan), out, force=force)
    what, check = _said(target, plan)
    facts = tuple(plan_facts(plan, for_torch=target in (Target.TORCH, Target.DDP)))  # only: jax reserves its own memory
    _write(
        out, signed(emit(plan, target), facts), what, f"{check} {out or 'FILE'} checks it", facts, target, force=force
    )
    return ExitCode.FOUND


def _for_torch(target: Target, what: str) -> None:
    if target is not Target.TORCH:  # only: all others are refused for programs
        raise ProgramError(f"target {target} is for reduction plans; {what} is emitted for torch")


def _step(step: StepFile | ExitCode, out: Path | None, *, force: bool) -> ExitCode:
    """Write the emitted communication of a training step, or of one all-to-all or send."""
    if isinstance(step, ExitCode):
        return step
    check = f"torchrun --standalone --nproc-per-node {step.ranks} {out or 'FILE'} checks it"
    _write(out, signed(step.text, step.facts), step.what, check, step.facts, Target.TORCH, force=force)
    return of_search(complete=step.proved)


def _is_program(path: Path) -> bool:
    """True if a file begins like a tensor program; False for unreadable files: the plan parser reports the error."""
    from p2smt.frontend.format import Format
    from p2smt.frontend.recognition import format_of

    try:
        data = read_bounded(path, _MOST_BYTES, ProgramError)
    except ProgramError:
        return False
    return format_of(path, data[:_BEGINNING]) is Format.TENSOR  # only: tensor programs are not plans


def _program(
    path: Path, target: Target, options: ProgramOptions, out: Path | None, backend: Backend, *, force: bool
) -> ExitCode:
    """Emit a distributed program as a training step."""
    if target is Target.JAX:  # only: the others run plans, or what p2smt distributes
        text, use = signed(emitted_for_jax(path, options)), "p2smt shard --export jax writes the shardings for jax.jit"
        _write(out, text, "the training step of one device in JAX", use, (), target, force=force)
        return ExitCode.FOUND
    if target is not Target.TORCH:  # only: all others are refused for programs
        raise ProgramError(f"target {target} is for plans; a tensor program is emitted for torch or jax")
    step = emitted_program(path, options, backend)
    check = f"torchrun --standalone --nproc-per-node {step.ranks} {out or 'FILE'} checks it"
    what = f"the training step on {step.ranks} ranks"
    _write(out, signed(step.text, step.facts), what, check, step.facts, target, force=force)
    return ExitCode.FOUND


@dataclass(frozen=True, slots=True)
class _ScheduleRequest:
    """A request to emit a program with a schedule (--steps)."""

    file: Path
    steps: Path
    ranks: int | None
    bitwise: bool
    optimizer: bool
    kernels: KernelLanguage
    system: str | None


def _scheduled(
    asked: _ScheduleRequest, target: Target, machine: "Machine | None", out: Path | None, *, force: bool
) -> ExitCode:
    """Emit a program as transformed by its schedule; if a step is not proved, print that step instead."""
    from p2smt.cli.output.files import refuse_overwriting
    from p2smt.cli.output.progress import working
    from p2smt.cli.output.schedule import schedule_text
    from p2smt.schedule.check import check_schedule, read_schedule
    from p2smt.schedule.emission.optimizer import emit_optimizer
    from p2smt.schedule.emission.source import emit_schedule
    from p2smt.schedule.sized import sized_schedule
    from p2smt.tensor.placing import world
    from p2smt.tensor.text.file import read_program

    if target is not Target.TORCH:  # only: all others are refused for programs
        raise ProgramError(f"target {target} is for plans; a schedule is emitted for torch")
    if asked.optimizer and machine is not None and machine.rates is not None:
        raise ProgramError(
            "--rates chooses between implementations of collectives, and --optimizer has only one; leave --rates out"
        )
    if (another := another_kind(asked.file, (PROGRAM,))) is not None:
        raise ProgramError(another)
    refuse_overwriting(out, force=force)
    program, schedule = read_program(asked.file), read_schedule(asked.steps)
    with working("proving the steps"):
        checked = check_schedule(program, schedule, asked.ranks, bitwise=asked.bitwise)
    code = of_verdict(checked.verdict)
    if code is not ExitCode.FOUND:
        click.echo(schedule_text(sized_schedule(checked)), nl=False, err=True)
        return code
    devices = world(checked.start.mesh)
    check = f"torchrun --standalone --nproc-per-node {devices} {out or 'FILE'} checks it"
    if asked.optimizer:
        text, what = emit_optimizer(checked, kernels=asked.kernels), "the optimizer, with states in slices"
    else:
        text = emit_schedule(checked, machine, bitwise=asked.bitwise, kernels=asked.kernels)
        what = f"the scheduled step on {devices} ranks"
    facts = () if asked.system is None else tuple(system_facts(find_system(asked.system)))
    _write(out, signed(text, facts), what, check, facts, target, force=force)
    return ExitCode.FOUND


def _write(out: Path | None, text: str, what: str, check: str, facts: Facts, target: Target, *, force: bool) -> None:
    """Write emitted source text, or the document on it."""
    from p2smt.cli.output.files import write_and_say

    write_and_say(out, text, what, check, force=force, facts={"target": str(target), "facts": dict(facts)})


def _said(target: Target, plan: "Plan") -> tuple[str, str]:
    """Return a description of the emitted file, and a command that checks it."""
    devices = plan.devices
    torchrun = f"torchrun --standalone --nproc-per-node {devices}"
    match target:
        case Target.TORCH:
            return f"the reduction for torch.distributed on {devices} ranks", torchrun
        case Target.DDP:
            return f"a hook for DistributedDataParallel on {devices} ranks", torchrun
        case Target.JAX:
            return f"the reduction for jax.shard_map on {devices} devices", "python"
        case Target.MSCCL:
            return _said_of_runtimes("schedule", plan)
        case Target.MSCCLPP:
            return _said_of_runtimes("execution plan", plan)


def _said_of_runtimes(what: str, plan: "Plan") -> tuple[str, str]:
    """Return a description of a file for MSCCL's or MSCCL++'s runtime, and the way to use it."""
    groups = plan.groups(plan.reduction)
    among = f"one of {groups.count} communicators" if groups.count > 1 else "a communicator"
    rooted = "--root 0 " if plan.goal.from_root or plan.goal.to_root else ""
    return f"the {what} of {among} of {groups.size} GPUs", f"p2smt verify {rooted}".rstrip()
