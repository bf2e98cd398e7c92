"""Random joint problems, and clusters whose figures are round."""

from dataclasses import dataclass

from p2smt.spmd.devices.cluster import Cluster, Device
from p2smt.spmd.devices.network import CollectivePrice, NoNetwork
from p2smt.spmd.engines.problem import Choice, Compatibility, JointProblem
from p2smt.tensor.way import Way

MOMENTUM = """program momentum
size B = 4096, H = 64
input x : f32[B, H]
parameter w : f32[H, H]
state m : f32[H, H]
scalar lr, mu
y = matmul(x, w)
loss = sum(y * y)
g = matmul(transpose(x, 1, 0), y)
m_new = update(m, m * mu + g)
w_new = update(w, w - lr * m_new)
output loss
"""
"""Computing by samples, with everything whole: four bytes of each element of w and m on every device."""


def random_problem(rng, choices=7, options=3, density=0.7, links=1.6):
    """A problem whose links hold most pairs of options."""
    made = tuple(
        Choice(f"c{number}", tuple(rng.randrange(20) for _ in range(rng.randint(1, options))))
        for number in range(choices)
    )
    pairs = []
    for _ in range(round(links * choices)):
        left, right = rng.sample(range(choices), 2)
        allowed = tuple(
            sum(1 << other for other in range(len(made[right].costs)) if rng.random() < density)
            for _ in made[left].costs
        )
        pairs.append(Compatibility(left, right, allowed))
    return JointProblem(made, tuple(pairs))


@dataclass(frozen=True)
class RoundNetwork:
    """`unit` picoseconds per byte that the largest shard brings: AllGather and ReduceScatter of n shards take
    n - 1 of those, an AllReduce both, an AllToAll one shard without the part that stays."""

    unit: int
    devices: int

    def _shards(self, count, parts):
        return round(count * max(parts) * (self.devices - 1) * self.unit)

    def all_reduce(self, count):
        return CollectivePrice(round(2 * count * (self.devices - 1) * self.unit / self.devices), Way.PLAIN)

    def all_gather(self, count, parts):
        return CollectivePrice(self._shards(count, parts), Way.PADDED)

    def reduce_scatter(self, count, parts):
        return CollectivePrice(self._shards(count, parts), Way.PADDED)

    def all_to_all(self, count, before, after):
        return CollectivePrice(round(self._shards(count, (*before, *after)) / self.devices), Way.EXCHANGE)


def cluster(speeds, unit=1, memory=None):
    """Devices of these speeds (operations per second); 10**12 of them are one operation per picosecond."""
    devices = tuple(Device(f"speed {speed}", speed, memory) for speed in speeds)
    network = RoundNetwork(unit, len(devices)) if len(devices) > 1 else NoNetwork()
    return Cluster("test", devices, network)
