"""The files that `p2smt example` prints: problems, jobs, and the reader's own code, program or log as it may look."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources

from p2smt.problem.file import JOB_EXAMPLES, example_text, job_example_text
from p2smt.problem.system.file import system_example_text
from p2smt.sweep.sweep_file import sweep_example_text


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """An example: what it is, what reads it (`{}` is the file), its text, and the name that other examples give it."""

    noun: str
    use: str
    text: Callable[[], str]
    file: str

    @property
    def is_toml(self) -> bool:
        """True if the text is a table of values to change."""
        return self.file.endswith(".toml")


def _file(package: str, *names: str) -> Callable[[], str]:
    return lambda: resources.files(package).joinpath("examples", *names).read_text(encoding="utf-8")


_OWN = partial(_file, "p2smt.cli")
_SCHEDULED = partial(_file, "p2smt.schedule")
_TORCHRUN = "torchrun --standalone --nproc-per-node 2 {}"

EXAMPLES = {
    "problem": ExampleFile("an example of a problem", "p2smt synth {}", example_text, "problem.toml"),
    "system": ExampleFile("an example of a system", "p2smt synth --system {}", system_example_text, "system.toml"),
    **{
        name: ExampleFile("an example of a job", "p2smt optimize {}", partial(job_example_text, name), "job.toml")
        for name in JOB_EXAMPLES
    },
    "study": ExampleFile("an example of a study", "p2smt study {}", sweep_example_text, "sweep.toml"),
    "function": ExampleFile(
        "a mean over ranks in torch.distributed",
        "p2smt verify {} --run-python --devices 4 --average",
        _OWN("average.py.in"),
        "average.py",
    ),
    "layer": ExampleFile(
        "a layer over ranks in torch.distributed",
        "p2smt verify {}:mlp --run-python --devices 2 --against mlp.tp",
        _OWN("layer.py.in"),
        "layer.py",
    ),
    "layer-program": ExampleFile("that layer on one device", "p2smt show {}", _OWN("mlp.tp"), "mlp.tp"),
    "model": ExampleFile(
        "a training step of a model",
        "p2smt capture {}:step --run-python --out step.tp",
        _OWN("model.py.in"),
        "model.py",
    ),
    "training": ExampleFile("a training script", _TORCHRUN, _OWN("train.py.in"), "train.py"),
    "optimizer": ExampleFile(
        "AdamW on gradients that ranks add up",
        "p2smt schedule {} --ranks 4 --system dgx-h100:1x4",
        _SCHEDULED("adamw.tp"),
        "adamw.tp",
    ),
    "optimizer-steps": ExampleFile(
        "the steps that shard AdamW",
        "p2smt emit adamw.tp --steps {} --ranks 4 --optimizer --out sharded_adamw.py",
        _SCHEDULED("adamw_rs_opt_ag.steps"),
        "adamw.steps",
    ),
    "log": ExampleFile(
        "what nccl-tests prints",
        "p2smt calibrate {} --system dgx-h100:1x8 --out measured.toml",
        _OWN("all_reduce.log"),
        "all_reduce.log",
    ),
}
"""The examples by the name that `p2smt example` takes."""
