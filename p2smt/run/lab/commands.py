"""The `ip` and `tc` commands that make a laboratory, as a pure function of its shape.

One namespace holds the bridges: one in the middle and one per rack. Every host is a namespace of its own with
one end of a veth pair, whose other end is a port of its bridge. Every rack's bridge hangs on the bridge around
it by a veth pair. Both ends of every pair are shaped where frames leave them, so both directions are. All are
made inside their namespaces: in the namespace of whoever runs the commands no interface ever appears.
"""

from p2smt.run.lab.names import NETWORK, host_address, host_interface, host_namespace, part_name, switch_namespace
from p2smt.run.lab.shape import LabShape

MTU = 1500

_BURST_S = 0.0015
_PIECES = 3
_MOST_PIECE = 60_000
_MOST_QUEUE = 1 << 26
# Plain reno, which every kernel has, and windows that survive a pause: with bbr or slow start after every pause the
# times of one program spread several times as far.
_TCP = "cd /proc/sys/net/ipv4 && echo reno > tcp_congestion_control && echo 0 > tcp_slow_start_after_idle"

Command = tuple[str, ...]
_Path = tuple[int, ...]


def up_commands(lab: str, shape: LabShape, mtu: int = MTU) -> tuple[Command, ...]:
    """Everything that brings a laboratory up, in order."""
    switch = switch_namespace(lab)
    paths = [path for depth in range(len(shape.tiers)) for path in shape.units(depth)]
    bridges = {path: number for number, path in enumerate(paths)}
    commands: list[Command] = [("ip", "netns", "add", switch)]
    for path, number in bridges.items():
        bridge = part_name(lab, f"b{number}")
        commands += _words(
            # No spanning tree protocol: the bridges are a tree already, and it would hold ports back for seconds.
            f"ip -n {switch} link add {bridge} mtu {mtu} type bridge stp_state 0 mcast_snooping 0",
            f"ip -n {switch} link set {bridge} up",
        )
        if path:
            commands += _uplink(lab, number, bridges[path[:-1]], shape.tiers[len(path) - 1].rate, mtu)
    piece = min(piece_bytes(tier.rate, mtu) for tier in shape.tiers)
    for host, path in enumerate(shape.units(len(shape.tiers))):
        commands += _host(lab, host, bridges[path[:-1]], shape.tiers[-1].rate, mtu, piece)
    return tuple(commands)


def token_bucket(rate: float, mtu: int = MTU) -> str:
    """The queue of a port of `rate` bytes/s.

    It lets 1.5 ms of its rate through at once: with less, plans in chunks do not reach the rate where several messages
    share a port; with more, short messages pass as if it had none. The queue holds 0.3 s: long enough that several
    senders to one port lose nothing.
    """
    burst = burst_bytes(rate, mtu)
    # A queue that is too short drops frames, and TCP's pauses would then be what is measured.
    limit = max(10 * burst, min(_MOST_QUEUE, round(rate * 0.3)))
    return f"tbf rate {round(rate * 8)}bit burst {burst}b limit {limit}b"


def piece_bytes(rate: float, mtu: int = MTU) -> int:
    """The bytes that hosts may hand to their cards at once if the slowest port on the path has `rate` bytes/s.

    The kernel hands on up to 64 KiB, and a port cuts into frames what is more than its burst, at the expense of the
    rank that sends: one with a small part of a core then takes four times as long for 1 MB as for 0.8 MB.
    """
    return min(_MOST_PIECE, burst_bytes(rate, mtu) // _PIECES)


def burst_bytes(rate: float, mtu: int = MTU) -> int:
    """The burst of a port of `rate` bytes/s: what it passes at once after being idle."""
    return max(2 * _PIECES * (mtu + 14), round(rate * _BURST_S))


def _uplink(lab: str, number: int, around: int, rate: float, mtu: int) -> list[Command]:
    """Hang bridge `number` on the bridge around it; `u` is the port below, `d` the one above."""
    switch = switch_namespace(lab)
    below, above = part_name(lab, f"u{number}"), part_name(lab, f"d{number}")
    commands = _words(f"ip -n {switch} link add {below} mtu {mtu} type veth peer name {above} mtu {mtu}")
    for port, bridge in ((below, number), (above, around)):
        commands += _port(lab, port, bridge, rate, mtu)
    return commands


def _host(lab: str, host: int, bridge: int, rate: float, mtu: int, piece: int) -> list[Command]:
    switch, inside = switch_namespace(lab), host_namespace(lab, host)
    card, port = host_interface(lab, host), part_name(lab, f"p{host}")
    return [
        *_words(
            f"ip netns add {inside}",
            f"ip -n {inside} link add {card} mtu {mtu} type veth peer name {port} mtu {mtu} netns {switch}",
        ),
        *_words(f"ip -n {inside} link set {card} gso_max_size {piece}"),
        ("ip", "netns", "exec", inside, "sh", "-c", _TCP),
        *_port(lab, port, bridge, rate, mtu),
        *_words(
            f"tc -n {inside} qdisc add dev {card} root {token_bucket(rate, mtu)}",
            f"ip -n {inside} addr add {host_address(host)}/{NETWORK.prefixlen} dev {card}",
            f"ip -n {inside} link set {card} up",
            f"ip -n {inside} link set lo up",
        ),
    ]


def _port(lab: str, port: str, bridge: int, rate: float, mtu: int) -> list[Command]:
    switch = switch_namespace(lab)
    return _words(
        f"tc -n {switch} qdisc add dev {port} root {token_bucket(rate, mtu)}",
        f"ip -n {switch} link set {port} master {part_name(lab, f'b{bridge}')}",
        f"ip -n {switch} link set {port} up",
    )


def _words(*lines: str) -> list[Command]:
    return [tuple(line.split()) for line in lines]
