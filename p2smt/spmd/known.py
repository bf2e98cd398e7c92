"""What is worked out once for a program, a cluster and shares, whatever else restricts what may be chosen."""

from dataclasses import dataclass, field

from p2smt.spmd.availability import FewWays, Prices, Ways, ways
from p2smt.tensor.layout import Layout


@dataclass(frozen=True, slots=True)
class Options:
    """What tensors that are cut, produced and needed alike can be chosen; numbered.

    `prices` are of all conversions between layouts, of which at most `most` may cost something.
    """

    number: int
    layouts: tuple[Layout, ...]
    prices: Prices
    options: tuple[tuple[int, int], ...]
    costs: tuple[int, ...]
    most: int | None


@dataclass(frozen=True, slots=True)
class Known:
    """The options of tensors, the times of operations and what goes together, by what they depend on."""

    options: dict[tuple[object, ...], Options] = field(default_factory=dict)
    times: dict[tuple[object, ...], tuple[int, ...]] = field(default_factory=dict)
    allowed: dict[tuple[object, ...], tuple[int, ...]] = field(default_factory=dict)
    _ways: dict[tuple[Prices, int, int | None], Ways | FewWays] = field(default_factory=dict)

    def ways(self, prices: Prices, root: int, most: int | None) -> Ways | FewWays:
        """How other layouts are made of one."""
        key = (prices, root, most)
        if key not in self._ways:
            self._ways[key] = ways(*key)
        return self._ways[key]
