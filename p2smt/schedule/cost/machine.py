"""The machine on which a scheduled program runs: device speed, network, and the devices along each mesh axis."""

from dataclasses import dataclass, replace
from itertools import product

from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pattern import Digits, Pattern, Role, merged
from p2smt.errors import ProgramError
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import SplitAxis, matrix_of_order
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_models import computing_of, computing_text, device_models
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.network import System
from p2smt.schedule.cost.price import Carrier
from p2smt.schedule.cost.rates import Rates, RatesByRanks
from p2smt.tensor.placing import Mesh, world

DEFAULT_FLOPS = 1e14
NCCL = Nccl()


@dataclass(frozen=True, slots=True)
class Machine:
    """The cost model of collectives, the backend that implements them, and the speed of a device.

    `placement` maps ranks to devices; by default in order, with the last axis varying fastest. `carrier`
    offers further implementations of collectives on this placement. With `rates`, calls take their measured
    times and `flops` is unused. With a `model`, computation is priced by its roofline. `computing` describes
    the pricing of computation in words. With `symmetric`, loops are priced by symmetric memory too, where devices
    share it.
    """

    cost: Cost
    flops: float = DEFAULT_FLOPS
    backend: Backend = NCCL
    placement: ParallelismMatrix | None = None
    carrier: Carrier | None = None
    rates: Rates | None = None
    model: DeviceModel | None = None
    computing: str = ""
    symmetric: bool = True

    @classmethod
    def priced(
        cls,
        system: System,
        speed: float | None,
        backend: Backend,
        rates: RatesByRanks | None = None,
        dtype: str = "float32",
    ) -> "Machine":
        """Return the machine of a system, priced by the slowest device's roofline unless a speed or rates are given.

        ProgramError as in `of`.
        """
        if speed is None and rates is None and computing_of(system) is ComputingMethod.ROOFLINE:
            # The slowest device sets the pace: every step waits for all ranks.
            model = min(device_models(system), key=lambda each: each.speed(dtype))
            return replace(cls.of(system, backend=backend), model=model, computing=computing_text(system))
        done = min((kind.done(dtype) for kind in system.kinds), default=DEFAULT_FLOPS)
        computing = "calls as measured" if rates is not None else computing_text(system, speed)
        return replace(cls.of(system, done if speed is None else speed, backend, rates), computing=computing)

    @classmethod
    def of(
        cls,
        system: System,
        flops: float = DEFAULT_FLOPS,
        backend: Backend = NCCL,
        rates: RatesByRanks | None = None,
    ) -> "Machine":
        """Return the machine of a system, with rates for its number of ranks.

        ProgramError if those were not measured.
        """
        measured = None if rates is None else rates.of(system.devices)
        return cls(cost_of(system, backend), flops, backend, rates=measured)


def placed(mesh: Mesh, machine: Machine) -> ParallelismMatrix:
    """Return the placement of the ranks of a mesh.

    ProgramError if the numbers of ranks and devices differ, or an axis ends inside a unit of a level.
    """
    system = machine.cost.system
    if world(mesh) != system.devices:
        raise ProgramError(
            f"the mesh has {world(mesh)} ranks, but the system has {system.devices} devices; the two must be equal"
        )
    if machine.placement is not None:
        return machine.placement
    shards, sizes = [axis.size for axis in mesh], [level.size for level in system.levels]
    matrix = matrix_of_order(tuple(range(len(mesh))), shards, sizes)
    if isinstance(matrix, SplitAxis):
        level, axis = system.levels[matrix.level].name, mesh[matrix.axis].name
        raise ProgramError(f"level {level} ends inside axis {axis}; choose axis sizes that are products of level sizes")
    return matrix


def patterns(mesh: Mesh, machine: Machine) -> tuple[Pattern, ...]:
    """Return the pattern of groups along every mesh axis. ProgramError as in `placed`."""
    rows = placed(mesh, machine).rows
    columns = list(zip(*rows, strict=True))
    return tuple(Pattern(tuple(_digits(column, number) for column in columns)) for number in range(len(mesh)))


def devices(mesh: Mesh, machine: Machine) -> tuple[int, ...]:
    """Return the device of every rank.

    ProgramError as in `placed`. Without a placement this is the rank number, since `matrix_of_order` places
    axis 0 outermost in every level.
    """
    of = DeviceMap(placed(mesh, machine))
    return tuple(of.device(coordinates) for coordinates in product(*(range(axis.size) for axis in mesh)))


def _digits(sizes: tuple[int, ...], varying: int) -> Digits:
    """Return the digits of a level, one per axis with more than one unit there; adjacent ones of one role are one."""
    return merged(
        [(Role.VARYING if axis == varying else Role.FREE, size) for axis, size in enumerate(sizes) if size > 1]
    )
