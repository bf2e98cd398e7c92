"""Backends that run collectives, NCCL and gloo, and the cost models for them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias, assert_never

from p2smt.argument_types import require
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import CHOICES, Auto, Choice

if TYPE_CHECKING:
    from p2smt.cost.network.cost import Cost
    from p2smt.problem.system.network import System


@dataclass(frozen=True, slots=True)
class Nccl:
    """NCCL, with the algorithm of its AllReduces."""

    library: ClassVar = "nccl"
    algorithm: Choice = Auto.AUTO

    def __str__(self) -> str:
        return str(self.algorithm)


@dataclass(frozen=True, slots=True)
class Gloo:
    """Gloo, PyTorch's library for CPUs, which has one algorithm for each collective."""

    library: ClassVar = "gloo"

    def __str__(self) -> str:
        return "gloo"


Backend: TypeAlias = Nccl | Gloo
"""A library that runs collectives."""

BACKENDS: tuple[Backend, ...] = (*map(Nccl, CHOICES), Gloo())
"""All backends; `str` of each is its name in options and files."""

LIBRARIES = tuple(dict.fromkeys(backend.library for backend in BACKENDS))
"""The names of the libraries, without an algorithm."""


_NCCL = Nccl()


def backend_named(name: str) -> Backend:
    """Return the backend with a name; raises ProblemError for an unknown name.

    >>> backend_named("tree"), backend_named("gloo")
    (Nccl(algorithm=<Algorithm.TREE: 'tree'>), Gloo())
    """
    for backend in BACKENDS:
        if str(backend) == name:
            return backend
    raise ProblemError(f"algorithm {name[:40]!r} is unknown; write {' or '.join(map(str, BACKENDS))}")


def backend_given(backend: Backend | str) -> Backend:
    """Return the backend, or the one with the name of a library or an algorithm.

    Raises ProblemError for an unknown name.

    >>> backend_given("gloo"), backend_given("nccl"), backend_given("ring") == backend_given(backend_named("ring"))
    (Gloo(), Nccl(algorithm=<Auto.AUTO: 'auto'>), True)
    """
    require(backend, (Nccl, Gloo, str), "backend", "write Nccl(), Gloo() or a name")
    if not isinstance(backend, str):
        return backend
    return chosen_backend(backend, None) if backend in LIBRARIES else backend_named(backend)


def chosen_backend(library: str | None, name: str | None) -> Backend:
    """Return the backend for a library and an algorithm's name, each of which may be None.

    Raises ProblemError if the two contradict each other, or if the name is unknown.

    >>> chosen_backend(None, None), chosen_backend("gloo", None), chosen_backend(None, "tree")
    (Nccl(algorithm=<Auto.AUTO: 'auto'>), Gloo(), Nccl(algorithm=<Algorithm.TREE: 'tree'>))
    """
    if name is not None:
        backend = backend_named(name)
    elif library is not None:
        backend = next(backend for backend in BACKENDS if backend.library == library)
    else:
        backend = Nccl()
    if library is not None and backend.library != library:
        raise ProblemError(
            f"algorithm {backend} belongs to {backend.library}, not to {library}; leave one of the two out"
        )
    return backend


def asked_cost(system: "System", backend: Backend) -> "Cost":
    """Return the cost model for a user's choice.

    Raises ProblemError for an algorithm that no group of the system can use.
    """
    check_backend(system, backend)
    return cost_of(system, backend)


def check_backend(system: "System", backend: Backend) -> None:
    """Raise ProblemError for an algorithm that no group of the system can use."""
    from p2smt.cost.network.applicable import check_applies  # loads numpy, which names of backends do not need

    if isinstance(backend, Nccl):
        check_applies(system, backend.algorithm)


def cost_of(system: "System | str", backend: Backend | str = _NCCL) -> "Cost":
    """Return the cost model of a system and a backend; both may be given by name.

    Raises ProblemError for unknown names, ArgumentTypeError for values of other types.

    >>> cost_of("dgx-h100:2x8", "nccl").system.devices
    16
    """
    from p2smt.problem.spellings import system_given  # reads system files, with msgspec

    system, backend = system_given(system), backend_given(backend)
    match backend:
        case Nccl(algorithm) if system.is_uneven:
            from p2smt.cost.network.unlike import UnlikeCost

            return UnlikeCost(system, algorithm)
        case Nccl(algorithm):
            from p2smt.cost.network.nccl import NetworkCost

            return NetworkCost(system, algorithm)
        case Gloo():  # with its graphs, which take a quarter of a second to import
            from p2smt.cost.network.gloo import GlooCost

            return GlooCost(system)
        case _:
            assert_never(backend)
