"""The number of ranks that a command line starts: processes of the launcher times GPUs per process."""

import re

_PROGRAM = re.compile(r"(?<!\S)\S*(?:\w_perf|osu_\w+|\.py)\b")
_LAUNCHER = re.compile(r"\b(?:mpirun|mpiexec(?:\.hydra)?|prun|srun|torchrun|torch\.distributed\.\w+|deepspeed)\b")
_PROCESSES = re.compile(r"(?:\s-n|\s--?np|\s--ntasks)(?:=|\s+)(\d{1,7})\b")
_PER_MACHINE = re.compile(
    r"(?:\s--?npernode|\s--?ppn|\s--ntasks-per-node|\s--nproc[_-]per[_-]node|\s--num_gpus)(?:=|\s+)(\d{1,5})\b"
)
_MACHINES = re.compile(r"(?:\s-N|\s--nodes|\s--nnodes|\s--num_nodes)(?:=|\s+)(\d{1,6})\b")
_GPUS = re.compile(r"\s-(?:g|-ngpus)(?:=|\s+)(\d{1,4})\b")
_THREADS = re.compile(r"\s-(?:t|-nthreads)(?:=|\s+)(\d{1,4})\b")


def launched_ranks(command: str) -> int:
    """Return the number of ranks that a test's command line starts; 0 if it does not state them.

    Options before the program belong to the launcher, options after it to the program, where `-n` counts iterations.

    >>> launched_ranks("mpirun -np 2 ./build/sendrecv_perf -b 8 -g 4 -n 50"), launched_ranks("./all_reduce_perf -g 8")
    (8, 8)
    >>> launched_ranks("srun -N 2 --ntasks-per-node=8 all_gather_perf"), launched_ranks("./all_reduce_perf -e 1G")
    (16, 0)
    """
    program = _PROGRAM.search(command)
    if program is None:
        return 0
    before, behind = command[: program.start()] + " ", command[program.end() :]
    launcher = _LAUNCHER.search(before)
    processes = 1
    if launcher is not None:
        processes = _started(before[launcher.end() :])
    devices = _number(_GPUS, behind) * _number(_THREADS, behind)
    said = launcher is not None or _GPUS.search(behind) is not None
    return processes * devices if said else 0


def _started(options: str) -> int:
    """Return the number of processes that a launcher's options start; 0 if unknown."""
    processes = _PROCESSES.search(options)
    if processes:
        return int(processes[1])
    each = _PER_MACHINE.search(options)
    return int(each[1]) * _number(_MACHINES, options) if each else 0


def _number(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return int(found[1]) if found else 1
