"""What sharded training steps are measured on: hosts whose ranks get parts of a core, behind cards of several rates."""

from dataclasses import dataclass

from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system


@dataclass(frozen=True, slots=True)
class Setting:
    """Hosts of so many ranks, the part of a core that each host's ranks get, the rate of cards in Mb/s, and models."""

    ranks: int
    quotas: tuple[float, ...]
    rate: int
    models: tuple[str, ...]

    def __str__(self) -> str:
        quotas = "/".join(f"{quota:g}" for quota in self.quotas)
        return f"{len(self.quotas)}x{self.ranks}@{quotas}, {self.rate} Mb/s"

    @property
    def system(self) -> System:
        """The system that the laboratory is shaped by."""
        quotas = "/".join(f"{quota:g}" for quota in self.quotas)
        return with_figures(find_system(f"lab:{len(self.quotas)}x{self.ranks}@{quotas}"), f"nic={self.rate}Mb/s")


SETTINGS = (
    Setting(2, (0.5, 0.25), 60, ("mlp", "vgg", "vit", "bert", "moe")),
    Setting(2, (0.4, 0.4), 100, ("vgg", "vit", "moe")),
    Setting(1, (0.6, 0.4, 0.2, 0.2), 200, ("mlp", "vgg", "bert")),
    Setting(2, (0.6, 0.15), 300, ("vit", "bert", "moe")),
    Setting(4, (0.25, 0.12), 400, ("vit", "moe", "mlp")),
    Setting(2, (0.35, 0.25, 0.15), 200, ("vit", "bert", "vgg")),
)
