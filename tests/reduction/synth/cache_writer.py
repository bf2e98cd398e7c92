"""A process that keeps the same programs again and again."""

from pathlib import Path

from p2smt.reduction.synth.disk_cache import DiskCache


def keep_often(folder, language, limit, programs):
    for _ in range(50):
        DiskCache(Path(folder)).keep(language, limit, programs)
