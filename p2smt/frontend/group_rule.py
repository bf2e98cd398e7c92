"""Groups as hand-written plans write them: as lists, or by a rule."""

from math import prod

import msgspec

from p2smt.errors import VerifyError
from p2smt.placement.groups import DigitGroups
from p2smt.verify.plan import Groups


class GroupRuleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Groups by rule: `size` devices that are `stride` apart, or devices that differ only in some levels' digits."""

    size: int = 0
    stride: int = 1
    along: tuple[str, ...] = ()


def groups_of(groups: Groups | GroupRuleEntry | None, devices: int, levels: dict[str, int], place: str) -> Groups:
    """Return the groups written at `place`; None means one group of all devices.

    VerifyError messages name the place.
    """
    if groups is None:
        return (tuple(range(devices)),)
    if not isinstance(groups, GroupRuleEntry):
        if any(not group for group in groups):
            raise VerifyError(f"{place}: a group is empty; name its devices")
        return groups
    if groups.along:
        return _along(groups.along, devices, levels, place)
    block = groups.size * groups.stride
    if groups.size < 1 or groups.stride < 1 or devices % block:
        raise VerifyError(
            f"{place}: groups of size {groups.size} and stride {groups.stride} do not divide {devices} devices; "
            "size x stride must"
        )
    firsts = (base + offset for base in range(0, devices, block) for offset in range(groups.stride))
    return tuple(tuple(range(first, first + block, groups.stride)) for first in firsts)


def _along(along: tuple[str, ...], devices: int, levels: dict[str, int], place: str) -> Groups:
    names, sizes = list(levels), list(levels.values())
    unknown = [name for name in along if name not in names]
    if unknown:
        raise VerifyError(f"{place}: level {unknown[0][:64]!r} is unknown; [levels] has {', '.join(names) or 'none'}")
    if any(size < 1 for size in sizes) or prod(sizes) != devices:
        raise VerifyError(
            f"levels {levels} do not multiply to {devices} devices; the product of the sizes must be that"
        )
    varying = tuple(position for position, name in enumerate(names) if name in along)
    return tuple(DigitGroups(tuple(sizes), varying))
