"""`p2smt emit` for a distributed tensor program: its options, and the training step that it emits."""

from dataclasses import dataclass
from pathlib import Path

from p2smt.cli.options.buckets import buckets_of
from p2smt.cli.provenance import Facts, system_facts
from p2smt.cost.network.backend import Backend
from p2smt.errors import ProgramError


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """The options of `p2smt emit` that only apply to tensor programs, and --system, which also applies to jobs."""

    system_text: str | None
    buckets: str | None
    programs: bool
    compiled: bool

    def refuse(self, *, elsewhere: bool) -> None:
        """Raise ProgramError if such an option is given for another kind of input, or --programs without --system."""
        given = {"--programs": self.programs, "--buckets": self.buckets is not None, "--compile": self.compiled}
        option = next((name for name, is_given in given.items() if is_given), "")
        if option and elsewhere:
            raise ProgramError(f"{option} is for distributed tensor programs without --steps; leave it out")
        if self.programs and self.system_text is None:
            raise ProgramError("--programs chooses the fastest reduction programs on a system; give --system as well")


@dataclass(frozen=True, slots=True)
class EmittedProgram:
    """The text of an emitted training step, its number of ranks, and the facts for the comment at its top."""

    text: str
    ranks: int
    facts: Facts = ()


def emitted_program(path: Path, options: ProgramOptions, backend: Backend) -> EmittedProgram:
    """Emit the distributed program of a file as a training step."""
    from p2smt.emit.torch.program.source import emit_program
    from p2smt.problem.system.text import find_system
    from p2smt.spmd.account.ways import CollectiveWays, carried
    from p2smt.spmd.devices.system import cluster_of
    from p2smt.tensor.buckets import BUCKET
    from p2smt.tensor.placing import world
    from p2smt.tensor.text.file import read_program

    program, most = read_program(path), buckets_of(options.buckets)
    facts: Facts
    if options.system_text is None:
        how, facts = CollectiveWays({}, BUCKET if most is None else most), ()
    else:
        system = find_system(options.system_text)
        facts = tuple(system_facts(system))
        cluster = cluster_of(system, backend, programs=options.programs)
        how = carried(program, cluster, most)
    text = emit_program(
        program, how.ways, buckets=how.buckets, programs=how.programs, library=how.library, compile=options.compiled
    )
    return EmittedProgram(text, world(program.mesh), facts)


def emitted_for_jax(path: Path, options: ProgramOptions) -> str:
    """Emit the program of one device as a JAX function; ProgramError for options of torch."""
    from p2smt.emit.jax.program.source import emit_jax_program
    from p2smt.tensor.text.file import read_program

    if options != ProgramOptions(system_text=None, buckets=None, programs=False, compiled=False):
        raise ProgramError(
            "--system, --buckets, --programs and --compile are for torch; leave them out, as XLA compiles a JAX step"
        )
    return emit_jax_program(read_program(path))
