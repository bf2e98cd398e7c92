"""AutoParallel run in a process of its own: what it is asked, what it answers, and what it needs."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from ring_bytes import Collective

from p2smt.errors import ProblemError


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerAnswer:
    """What `autoparallel_answer.py` writes; layouts of parameters by name, of inputs and linear layers in order."""

    build_s: float
    solve_s: float
    objective_us: float
    parameters: dict[str, list[str]]
    inputs: list[list[str]]
    layers: list[tuple[list[int], list[str]]]
    collectives: list[Collective]
    product_flops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A model on a mesh; `sliced`: every device keeps its even part of all parameters, on both sides."""

    model: str
    mesh: tuple[int, ...]
    sliced: bool

    @property
    def axes(self) -> dict[str, int]:
        """Sizes by names."""
        return {f"axis{number}": size for number, size in enumerate(self.mesh)}

    def __str__(self) -> str:
        """As in the table."""
        return f"{self.model} {'x'.join(map(str, self.mesh))}" + (", sliced" if self.sliced else "")


def versions(checkout: Path) -> str:
    """The commit of a checkout, and the versions of what both sides use."""
    commit = subprocess.run(
        ["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "pulp", "p2smt"))
    return f"AutoParallel {commit.stdout.strip() or 'of an unknown commit'}, {packages}\n"


def refuse_without(checkout: Path) -> None:
    """ProblemError where AutoParallel, or the solver's library that it calls, cannot be imported."""
    missing = [
        what
        for what, is_there in (
            ("autoparallel/api.py", (checkout / "autoparallel" / "api.py").is_file()),
            ("PuLP", find_spec("pulp") is not None),
            ("PyTorch", find_spec("torch") is not None),
        )
        if not is_there
    ]
    if missing:
        raise ProblemError(
            f"--autoparallel {checkout}: there is no {' and no '.join(missing)}; give a checkout of "
            "github.com/meta-pytorch/autoparallel, and have PuLP (pip install pulp) on PYTHONPATH"
        )


def peer_answer(checkout: Path, case: Case, timeout_s: float) -> PeerAnswer | str:
    """AutoParallel's answer, or why there is none."""
    mesh = ",".join(map(str, case.mesh))
    command = [sys.executable, str(Path(__file__).with_name("autoparallel_answer.py")), str(checkout), case.model, mesh]
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        process = subprocess.Popen(
            [*command, "--sliced"] if case.sliced else command, stdout=out, stderr=err, start_new_session=True
        )
        try:
            code = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # its solver is a process of the same group
            process.wait()
            return f"none in {timeout_s:g} s"
        out.seek(0)
        err.seek(0)
        written, last = out.read(), (err.read().strip().splitlines() or [""])[-1]
    if code:
        return last[:60]
    read = json.loads(written.splitlines()[-1])
    return PeerAnswer(**{**read, "collectives": [Collective(*each) for each in read["collectives"]]})
