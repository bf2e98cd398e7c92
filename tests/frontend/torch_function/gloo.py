"""Functions run on real gloo ranks: how many elements are wrong, and what is raised."""

import multiprocessing
import runpy
import tempfile
import time
import warnings
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import wait
from pathlib import Path

from p2smt.run.local.processes import PRELOADED

CONTEXT = multiprocessing.get_context("forkserver")


@dataclass(frozen=True)
class OnGloo:
    """Elements that are wrong on all ranks together, and what ranks raised, or that they did not end."""

    wrong: int
    raised: str

    @property
    def right(self):
        return not self.wrong and not self.raised


def on_gloo(path, ranks, elements, average=False, timeout_s=60.0):
    """Every rank contributes small whole numbers, and all are to end with the sum, or the average.

    Those of a rank are the same small ones and a power of 2 of its own: whoever is missing, or counted twice, shows
    everywhere, and no rank has to make all ranks' numbers to know the sum, which takes longer than the function itself.
    """
    with tempfile.TemporaryDirectory() as folder:
        CONTEXT.set_forkserver_preload([*PRELOADED])
        pipes, processes = [], []
        for rank in range(ranks):
            ours, theirs = CONTEXT.Pipe()
            seat = (str(path), rank, ranks, elements, average, f"{folder}/store", timeout_s / 2, theirs)
            process = CONTEXT.Process(target=_rank, args=seat, daemon=True)
            process.start()
            theirs.close()
            pipes.append(ours)
            processes.append(process)
        answers = _answers(pipes, time.monotonic() + timeout_s)
        for process in processes:
            process.kill()
            process.join()
    return OnGloo(sum(wrong for wrong, _ in answers), next((raised for _, raised in answers if raised), ""))


def _answers(pipes, deadline):
    answers = dict.fromkeys(pipes, (0, "does not end"))
    missing = list(pipes)
    while missing and (ready := wait(missing, max(0.0, deadline - time.monotonic()))):
        for pipe in ready:
            missing.remove(pipe)
            try:
                answers[pipe] = pipe.recv()
            except EOFError:
                answers[pipe] = 0, "ended"
    return list(answers.values())


def _rank(path, rank, ranks, elements, average, store, timeout_s, pipe):
    import torch
    import torch.distributed as dist

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    first = torch.randint(0, 8, (elements,), generator=torch.Generator().manual_seed(1)).float()
    wanted = (first * ranks + 8 * (2**ranks - 1)) / (ranks if average else 1)
    given = first + 8 * 2**rank
    dist.init_process_group(
        "gloo", store=dist.FileStore(store, ranks), rank=rank, world_size=ranks, timeout=timedelta(seconds=timeout_s)
    )
    try:
        result = runpy.run_path(path, run_name="plan")["reduce"](given)
        result = given if result is None else result
        # copied at once, as whoever is given it would use it; only then are other ranks waited for
        held = torch.empty_like(wanted).copy_(result)
        dist.barrier()
        pipe.send((int(((held - wanted).abs() > 0.01).sum()), ""))
    except Exception as error:
        pipe.send((0, f"{type(error).__name__}: {error}"[:200]))


def written(folder, body, name="reduce"):
    """A file with a function of this body."""
    path = Path(folder) / f"{name}.py"
    head = "import torch\nimport torch.distributed as dist\n\n\ndef reduce(tensor):\n"
    path.write_text(head + "".join(f"    {line}\n" for line in body.splitlines()), encoding="utf-8")
    return path
