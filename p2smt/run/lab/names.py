"""Names of a laboratory's parts, and the reverse lookup from a name to its laboratory.

Everything that laboratory `ID` creates is called `p2l-ID-...`: namespaces, interfaces, control groups and
temporary folders.
"""

import re
from ipaddress import IPv4Address, IPv4Network

from p2smt.errors import LabError

NETWORK = IPv4Network("198.18.0.0/15")
"""Address range reserved for benchmarks of network devices (RFC 2544), which is never routed."""

_ID = re.compile(r"[a-z0-9]{1,6}")
_PART = re.compile(r"p2l-([a-z0-9]{1,6})-(?:net|h\d{1,3}|q\d{1,3}|run-\w+)")


def checked_id(text: str) -> str:
    """Return the id if it is valid: at most 6 characters, as the kernel limits interface names to 15."""
    if not _ID.fullmatch(text):
        raise LabError(f"laboratory id {text[:40]!r} is not allowed; give 1 to 6 lower-case letters and digits")
    return text


def lab_of(name: str) -> str | None:
    """Return the id of the laboratory to which a namespace, control group or temporary folder belongs, or None.

    >>> lab_of("p2l-7f3a-h0"), lab_of("p2lab-net")
    ('7f3a', None)
    """
    match = _PART.fullmatch(name)
    return None if match is None else match[1]


def part_name(lab: str, part: str) -> str:
    """Return the full name of a part of a laboratory.

    >>> part_name("7f3a", "h0")
    'p2l-7f3a-h0'
    """
    return f"p2l-{lab}-{part}"


def switch_namespace(lab: str) -> str:
    """Return the name of the namespace that holds the bridges."""
    return part_name(lab, "net")


def host_namespace(lab: str, host: int) -> str:
    """Return the name of a host's namespace."""
    return part_name(lab, f"h{host}")


def host_interface(lab: str, host: int) -> str:
    """Return the name of the network card inside a host's namespace."""
    return part_name(lab, f"n{host}")


def host_address(host: int) -> IPv4Address:
    """Return the address of a host, which is equal in all laboratories, as they are not connected.

    >>> host_address(0)
    IPv4Address('198.18.0.1')
    """
    return NETWORK.network_address + 1 + host
