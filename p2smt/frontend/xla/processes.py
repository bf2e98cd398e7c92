"""Mapping from the numbers in groups of XLA programs (replicas, partitions, global ids) to devices."""

from collections.abc import Iterable

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.xla.mesh import Groups
from p2smt.frontend.xla.operators import HloKind
from p2smt.frontend.xla.ssa import HloInstruction, Module
from p2smt.verify.limits import MAX_DEVICES

_COUNTED_BY_REPLICA = (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER)  # only: by XLA's rule


def device_count(module: Module) -> int:
    """Return the number of devices: replicas times partitions, or the requested number if the text states neither.

    Without a requested number, it is one more than the largest number in the program's groups.
    """
    if module.asked is not None and (module.replicas, module.partitions) == (None, None):
        devices = module.asked
    elif module.replicas is not None or module.partitions is not None:
        devices = (module.replicas or 1) * (module.partitions or 1)
    else:
        named = {
            id(groups): groups
            for computation in module.computations.values()
            for instruction in computation.instructions
            for groups in (instruction.groups, instruction.pairs)
        }
        devices = 1 + max((device for groups in named.values() for group in groups for device in group), default=-1)
    if not 1 <= devices <= MAX_DEVICES:
        raise VerifyError(
            f"{devices} devices follow from the numbers of replicas and partitions, or else from the "
            f"groups; 1 to {MAX_DEVICES} are supported; give --devices if the text does not say how many"
        )
    if module.asked not in (None, devices):
        raise VerifyError(f"--devices is {module.asked}, but the text is for {devices} devices; leave --devices out")
    return devices


def partition_ids(module: Module, devices: int) -> list[int]:
    """Return the result of `partition-id` on every device; without counts every device is a partition."""
    partitions = module.partitions or (devices if module.replicas is None else 1)
    return [device % partitions for device in range(devices)]


def replica_ids(module: Module, devices: int) -> list[int]:
    """Return the result of `replica-id` on every device; without counts every device is a replica."""
    if module.replicas is None and module.partitions is None:
        _check_one_kind(module)
        return list(range(devices))
    return [device // (module.partitions or 1) for device in range(devices)]


def _check_one_kind(module: Module) -> None:
    for computation in module.computations.values():
        if any(instruction.kind is HloKind.PARTITION_ID for instruction in computation.instructions):
            raise VerifyError(
                "partition-id and replica-id are both used, but num_replicas and num_partitions are missing; "
                "add the two to the module"
            )


def process_groups(module: Module, instruction: HloInstruction, devices: int) -> Groups:
    """Return an instruction's groups of devices, which cover all devices. Raises VerifyError without a line."""
    groups = _meant(module, instruction, instruction.groups) or (tuple(range(devices)),)
    named = [device for group in groups for device in group]
    check_devices(named, devices, "its groups")
    if len(named) < devices:
        missing = min(set(range(devices)) - set(named))
        raise VerifyError(f"device {missing} is in no group; name all {devices} devices, or none for one group of all")
    if not all(groups):
        raise VerifyError("a group is empty; name its devices")
    return groups


def process_pairs(module: Module, instruction: HloInstruction, devices: int) -> Groups:
    """Return the (source, target) pairs of a collective-permute; each device occurs at most once on each side."""
    _meant(module, instruction, ())
    for pair in instruction.pairs:
        if len(pair) != 2:
            raise VerifyError(f"{list(pair)} is not a pair of a source and a target")
    for place, what in enumerate(("the sources of its pairs", "the targets of its pairs")):
        check_devices((pair[place] for pair in instruction.pairs), devices, what)
    return instruction.pairs


def check_devices(named: Iterable[int], devices: int, what: str) -> None:
    """Raise VerifyError for devices that do not exist or are named twice."""
    seen: set[int] = set()
    for device in named:
        if not 0 <= device < devices:
            raise VerifyError(f"{what} name device {device}; devices are 0 to {devices - 1}")
        if device in seen:
            raise VerifyError(f"{what} name device {device} twice; name each once")
        seen.add(device)


def _meant(module: Module, instruction: HloInstruction, groups: Groups) -> Groups:
    """Convert groups of global ids, replicas or partitions to groups of devices (XLA's and StableHLO's modes)."""
    replicas, partitions = module.replicas or 1, module.partitions or 1
    if instruction.global_ids or partitions == 1:
        return groups
    if replicas > 1:
        raise VerifyError(
            f"{replicas} replicas and {partitions} partitions, and numbers that may be either; write "
            "use_global_device_ids, or one of the two counts as 1"
        )
    if not instruction.channel:
        raise VerifyError(
            f"without a channel only replicas communicate, and there is 1 of {partitions} partitions; "
            "write channel_id, and use_global_device_ids where it is allowed"
        )
    if instruction.kind not in _COUNTED_BY_REPLICA:
        return groups
    if any(replica for group in groups for replica in group):
        raise VerifyError(
            f"with a channel and without use_global_device_ids groups name replicas, and there is 1 of {partitions} "
            "partitions; write use_global_device_ids"
        )
    return ()
