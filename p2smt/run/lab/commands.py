"""Build the `ip` and `tc` commands that create a laboratory, as a pure function of its shape.

One namespace holds the bridges: a central one and one per rack. Every host is a namespace with one end of a
veth pair, whose other end is a port of the host's bridge. A veth pair also connects every rack's bridge to the
enclosing bridge. Both ends of every pair limit the rate of outgoing frames, so both directions are limited. All
interfaces are created inside these namespaces; none ever appears in the namespace of the user who runs the
commands.
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
    """Return all commands that bring a laboratory up, in order."""
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
    """Return the `tc` token-bucket queue of a port with a rate of `rate` bytes/s.

    The burst is 1.5 ms of the rate. With a smaller one, chunked plans do not reach the rate when several
    messages share a port; with a larger one, short messages bypass the limit. The queue holds 0.3 s of traffic,
    so that several senders to one port lose no frames.
    """
    burst = burst_bytes(rate, mtu)
    # A queue that is too short drops frames, and TCP's pauses would then be what is measured.
    limit = max(10 * burst, min(_MOST_QUEUE, round(rate * 0.3)))
    return f"tbf rate {round(rate * 8)}bit burst {burst}b limit {limit}b"


def piece_bytes(rate: float, mtu: int = MTU) -> int:
    """Return the largest segment in bytes (GSO) that hosts may pass to their cards, given the path's slowest rate.

    The kernel passes on segments of up to 64 KiB. A port splits any segment larger than its burst into frames,
    on the CPU time of the sending rank: with a small CPU quota, sending 1 MB then takes four times as long as
    sending 0.8 MB.
    """
    return min(_MOST_PIECE, burst_bytes(rate, mtu) // _PIECES)


def burst_bytes(rate: float, mtu: int = MTU) -> int:
    """Return the burst of a port of `rate` bytes/s: the bytes that it passes without delay after being idle."""
    return max(2 * _PIECES * (mtu + 14), round(rate * _BURST_S))


def _uplink(lab: str, number: int, around: int, rate: float, mtu: int) -> list[Command]:
    """Return commands that connect bridge `number` to the enclosing bridge by ports `u` (below) and `d` (above)."""
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
