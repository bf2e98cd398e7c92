"""What goals mean for arrays, in numpy alone, and XLA as the judge of texts."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.frontend.xla.stablehlo import parse_stablehlo

FORMS = ("mlir", "lowered.hlo", "compiled.hlo")
SCRIPT = Path(__file__).with_name("jax_execution.py")


@dataclass
class Job:
    """A text, in one form, and the program that it is, or was before it was changed."""

    program: dict
    form: str
    text: str


def process(what: str, folder: Path, devices: int, *names: str) -> None:
    """Run the script with so many host devices."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1"}
    flags = (f"force_host_platform_device_count={devices}", "backend_optimization_level=0")  # each runs once
    environment["XLA_FLAGS"] = " ".join(f"--xla_{flag}" for flag in (*flags, "llvm_disable_expensive_passes=true"))
    command = [sys.executable, str(SCRIPT), what, str(folder), *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0 or what == "run", done.stderr[-3000:]


def lowered(folder: Path, devices: int, *names: str) -> list[Job]:
    """Every program, or those of these names, in every form."""
    process("lower", folder, devices, *names)
    programs = json.loads((folder / "programs.json").read_text(encoding="utf-8"))
    return [
        Job(program, form, (folder / f"{program['name']}.{form}").read_text(encoding="utf-8"))
        for program in programs
        for form in FORMS
    ]


def plan_of(job: Job, told: bool = True):
    """The plan of a text, for its program's goal or for the one that is inferred; the message of what is refused."""
    program = job.program
    goal = next(one for one in (*Collective, *Exchange) if one.hyphenated == program["goal"])
    groups = tuple(map(tuple, program["groups"]))
    asked = AskedGoal(
        collective=goal if told or program["told"] else None,
        groups=None if len(groups) == 1 else groups,
        root=program["root"] or None,
        average=program["average"],
    )
    parse = parse_stablehlo if job.form == "mlir" else parse_hlo
    try:
        return parse(job.text.encode(), "f", asked)
    except VerifyError as cause:
        return str(cause)


def executed(job: Job, folder: Path) -> bool | str:
    """Whether the program that was lowered there does what it is for, as JAX runs it."""
    return truth(job, folder / job.program["name"])


def truths(jobs: list[Job], folder: Path, devices: int) -> list[bool | str]:
    """Whether each text does on XLA what its program is for; or why XLA refuses it."""
    listed = []
    for number, job in enumerate(jobs):
        name = f"text{number}.{job.form}"
        (folder / name).write_text(job.text, encoding="utf-8")
        listed.append({"file": name, "form": job.form, "shapes": job.program["shapes"], "kind": job.program["kind"]})
    (folder / "jobs.json").write_text(json.dumps(listed), encoding="utf-8")
    left = len(jobs)
    while left:
        process("run", folder, devices)
        done = len({path.stem for path in folder.iterdir() if path.stem.isdigit()})
        assert len(jobs) - done < left, "XLA runs no text any more"
        left = len(jobs) - done
    return [truth(job, folder / str(number)) for number, job in enumerate(jobs)]


def truth(job: Job, stem: Path) -> bool | str:
    """Whether what XLA did is right."""
    if not stem.with_suffix(".npz").exists():
        return stem.with_suffix(".txt").read_text(encoding="utf-8")
    with np.load(stem.with_suffix(".npz")) as kept:
        arrays = dict(kept)
    trials = {name.split("_")[0].removeprefix("given") for name in arrays if name.startswith("given")}
    return all(
        reached(
            job.program,
            [arrays[f"given{trial}_{place}"] for place in range(len(job.program["shapes"]))],
            [one for name, one in sorted(arrays.items()) if name.startswith(f"result{trial}_")],
        )
        for trial in trials
    )


def reached(program: dict, given: list[np.ndarray], results: list[np.ndarray]) -> bool:
    """Whether every device got what the goal makes of what the devices of its group had."""
    if len(given) != len(results):
        return False
    for group in program["groups"]:
        for had, got in zip(given, results, strict=True):
            for member, device in enumerate(group):
                wanted = wanted_of(program, had[group], member, got[device].ndim)
                if wanted.size != got[device].size or not (wanted.reshape(-1) == got[device].reshape(-1)).all():
                    return False
    return True


def wanted_of(program: dict, had: np.ndarray, member: int, dims: int) -> np.ndarray:
    """What a member of a group gets; `had` is what its members had, `dims` how many dimensions the result has."""
    axis, size = program["axis"], len(had)
    match program["goal"]:
        case "all-reduce":
            return had.sum(axis=0) / (size if program["average"] else 1)
        case "reduce-scatter":
            return np.split(had.sum(axis=0), size, axis=axis)[member]
        case "all-gather":
            return (np.concatenate if dims == had.ndim - 1 else np.stack)(list(had), axis=axis)
        case "all-to-all":
            return np.concatenate([np.split(one, size, axis=0)[member] for one in had], axis=axis)
        case "broadcast":
            return had[program["root"]]
    raise AssertionError(program["goal"])
