"""Context manager for a laboratory."""

import json
import secrets
import signal
import threading
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NoReturn, Self  # Any: JSON before it is checked

from p2smt.errors import LabError
from p2smt.run.lab.commands import MTU, Command, up_commands
from p2smt.run.lab.names import checked_id, host_address, host_interface, host_namespace, lab_of, part_name
from p2smt.run.lab.namespaces import require_tools, run_commands, run_tool
from p2smt.run.lab.quotas import find_groups, make_groups
from p2smt.run.lab.shape import LabShape
from p2smt.run.lab.sweep import Claim, lab_exists, remove_lab

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Host:
    """A host: its namespace, and its network card and address there."""

    number: int
    namespace: str
    interface: str
    address: str

    @property
    def exec(self) -> Command:
        """The command prefix that runs a command on this host."""
        return ("ip", "netns", "exec", self.namespace)


class Laboratory:
    """The hosts of a shape, under a unique id. Use as a context manager; `keep` leaves it up on exit.

    On exit, including Ctrl-C and failures, everything that carries the id is removed. If the process is killed,
    the laboratory stays up until `remove_lab` (`p2smt lab down`) removes it.
    """

    def __init__(self, shape: LabShape, lab: str | None = None, *, mtu: int = MTU, attach: bool = False) -> None:
        """Store the parameters without creating anything.

        With `attach` the laboratory must be up already, and it stays up on exit.
        """
        if attach and lab is None:
            raise LabError("no id of a laboratory is given; `p2smt lab list` prints those that are up")
        if not 576 <= mtu <= 65535:
            raise LabError(f"mtu {mtu} is out of range; give 576 to 65535 bytes")
        self.shape = shape
        self.lab = secrets.token_hex(2) if lab is None else checked_id(lab)
        self.mtu = mtu
        self._stays = attach
        self._attach = attach
        self._claim: Claim | None = None
        self.groups: tuple[Path, ...] = ()
        """The control group of every rank, where ranks have quotas."""

    @property
    def hosts(self) -> tuple[Host, ...]:
        """All hosts in rank order."""
        return tuple(
            Host(n, host_namespace(self.lab, n), host_interface(self.lab, n), str(host_address(n)))
            for n in range(self.shape.hosts)
        )

    def host_of(self, rank: int) -> Host:
        """Return the host of a rank."""
        return self.hosts[bisect_right([*accumulate(self.shape.ranks_on)], rank)]

    def __enter__(self) -> Self:
        """Bring the laboratory up; if a LabError is raised, everything is removed again."""
        require_tools()
        self._claim = Claim(self.lab)
        try:
            if self._attach:
                self._check_there()
            elif lab_exists(self.lab):
                # Somebody else's laboratory: `close` below must not remove it.
                self._stays = True
                raise LabError(f"laboratory {self.lab} is up already; `p2smt lab down {self.lab}` removes it")
            else:
                run_commands(up_commands(self.lab, self.shape, self.mtu))
                if self.shape.quotas:
                    self.groups = make_groups(self.lab, self.shape.quotas)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove everything, unless the laboratory is to stay up."""
        self.close()

    def close(self) -> None:
        """Remove everything, unless the laboratory is to stay up. Calling it twice is harmless."""
        with _undisturbed():
            claim, self._claim = self._claim, None
            if claim is None:
                return
            try:
                if not self._stays:
                    remove_lab(self.lab)
            finally:
                claim.release()

    def keep(self) -> None:
        """Leave the laboratory up on exit; it can be reused with `attach` and removed by `remove_lab`."""
        self._stays = True

    def card_bytes(self) -> tuple[tuple[int, int], ...]:
        """Return the bytes received and sent by every host's network card; headers count once per segment."""
        counts = []
        for host in self.hosts:
            (card,) = _json(("ip", "-n", host.namespace, "-j", "-s", "link", "show", "dev", host.interface))
            counts.append((card["stats64"]["rx"]["bytes"], card["stats64"]["tx"]["bytes"]))
        return tuple(counts)

    def _check_there(self) -> None:
        """Raise LabError unless the running laboratory has the hosts, CPU quotas and card rates of this shape."""
        if not lab_exists(self.lab):
            raise LabError(f"laboratory {self.lab} is not up; `p2smt lab list` prints those that are")
        named = {group.name: group for group in find_groups() if lab_of(group.name) == self.lab}
        wanted_groups = [part_name(self.lab, f"q{rank}") for rank in range(len(self.shape.quotas))]
        if sorted(named) != sorted(wanted_groups):
            raise LabError(
                f"laboratory {self.lab} was built for another system: {len(named)} ranks have a quota there, "
                f"{len(wanted_groups)} in the system"
            )
        self.groups = tuple(named[name] for name in wanted_groups)
        for host in self.hosts:
            queues = _json(("tc", "-n", host.namespace, "-j", "qdisc", "show", "dev", host.interface))
            rates = [queue["options"]["rate"] for queue in queues if queue["kind"] == "tbf"]
            # `tc` keeps whole bytes per second, so the wanted rate is rounded like the kernel's.
            wanted = round(round(self.shape.tiers[-1].rate * 8) / 8)
            if not rates or abs(rates[0] - wanted) > 1:
                raise LabError(
                    f"laboratory {self.lab} was built for another system: host {host.number} sends at "
                    f"{rates[0] * 8 / 1e6 if rates else 0:g} Mb/s, not {wanted * 8 / 1e6:g} Mb/s"
                )


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Make SIGTERM and SIGHUP raise KeyboardInterrupt in the context, so that context managers clean up."""

    def interrupt(_number: int, _frame: FrameType | None) -> NoReturn:
        raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Block signals in the context, until cleaning up is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _json(command: Command) -> list[dict[str, Any]]:
    outcome = run_tool(command)
    if outcome.returncode:
        raise LabError(f"`{' '.join(command)}` failed: {' '.join(outcome.stderr.split())}")
    entries: list[dict[str, Any]] = json.loads(outcome.stdout)
    return entries
