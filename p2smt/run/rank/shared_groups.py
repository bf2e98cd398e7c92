"""Process groups shared by the steps of several emitted files.

Each group has threads that wake up a hundred times a second even when idle. Those of forty groups take a
twentieth of a core, which is half the time of a rank with a quota of a tenth of a core.
"""

from collections.abc import Mapping
from types import ModuleType, TracebackType
from typing import Protocol

import torch


class RanksInterface(Protocol):
    """The interface of class `Ranks` in emitted files: a rank's place in the mesh, and its process groups."""

    def close(self) -> None:
        """Destroy the process groups."""
        ...


class StepInterface(Protocol):
    """The interface of class `Step` in emitted files."""

    ranks: RanksInterface

    def __call__(self, batch: Mapping[str, torch.Tensor], **scalars: float) -> Mapping[str, torch.Tensor]:
        """Execute a step and return its outputs."""
        ...


class SharedGroups:
    """Creates steps of emitted files; files with equal mesh, groups and data type share process groups.

    The groups and their threads end with the context.
    """

    def __init__(self) -> None:
        """Begin without groups; they are created with the first step."""
        self._ranks: dict[object, RanksInterface] = {}

    def __enter__(self) -> "SharedGroups":
        """Return this object, which destroys the groups on exit."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None
    ) -> None:
        """Destroy the groups; every rank must do so at the same point."""
        for ranks in self._ranks.values():
            ranks.close()

    def step(self, module: ModuleType, state: Mapping[str, object], **given: object) -> StepInterface:
        """Return the step of a file, initialised with `state`; `given` are further arguments of its class `Step`."""
        # Everything that decides a file's process groups.
        mesh = (*module.MESH.items(), module.SENDS, getattr(module, "INSIDE", ()), module.REAL)
        step: StepInterface = module.Step(state, ranks=self._ranks.get(mesh), **given)
        self._ranks.setdefault(mesh, step.ranks)
        return step
