"""Process groups that the steps of several emitted files share.

Each group has threads, which wake a hundred times a second though nothing is sent. Those of forty groups take a
twentieth of a core, which is half of what a rank has that gets a tenth of one.
"""

from collections.abc import Mapping
from types import ModuleType, TracebackType
from typing import Protocol

import torch


class Ranks(Protocol):
    """The name that emitted files use: a rank's place in the mesh, and its groups."""

    def close(self) -> None:
        """Give the groups back."""
        ...


class Step(Protocol):
    """The name that emitted files use."""

    ranks: Ranks

    def __call__(self, batch: Mapping[str, torch.Tensor], **scalars: float) -> Mapping[str, torch.Tensor]:
        """Make a step; its outputs."""
        ...


class SharedGroups:
    """Makes steps of files; those whose meshes, groups and type are alike have the groups that were made first.

    They are given back behind the block, with their threads.
    """

    def __init__(self) -> None:
        """Without groups, which are made with the first step."""
        self._ranks: dict[object, Ranks] = {}

    def __enter__(self) -> "SharedGroups":
        """Close them behind the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, where: TracebackType | None
    ) -> None:
        """Give the groups back; every rank does so at the same point."""
        for ranks in self._ranks.values():
            ranks.close()

    def step(self, module: ModuleType, state: Mapping[str, object], **given: object) -> Step:
        """The step of a file, on a state; `given` is what else its Step takes."""
        # Everything that decides a file's process groups.
        mesh = (*module.MESH.items(), module.SENDS, getattr(module, "INSIDE", ()), module.REAL)
        step: Step = module.Step(state, ranks=self._ranks.get(mesh), **given)
        self._ranks.setdefault(mesh, step.ranks)
        return step
