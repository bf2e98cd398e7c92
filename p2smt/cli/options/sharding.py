"""The options of a sharding, converted to a `ShardingRequest` (`spmd/request.py`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from p2smt.cli.file_kind import PROGRAM
from p2smt.cli.options.buckets import PROGRAMS, buckets_of
from p2smt.cli.options.paths import InputPath
from p2smt.cli.options.speed import SPEED
from p2smt.cli.options.values import Command, choice, several, take, with_options
from p2smt.cli.output.aside import say_aside
from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bytes, parse_speed
from p2smt.spmd.engines.engine import ALL, EngineOptions, HapRestriction, Heuristic, ShardingEngine
from p2smt.spmd.model.checkpoint_treatment import CheckpointTreatment

if TYPE_CHECKING:
    from p2smt.spmd.request import ShardingRequest


MOST_NEXT = 20

_SHARDING = (
    click.option(
        "--shares",
        "shares",
        default="vertices",
        show_default=True,
        metavar="SHARES",
        help="vertices (the best of one for each speed), even, proportional, alternate (HAP's loop), or 0.5/0.25/0.25.",
    ),
    click.option(
        "--mesh",
        "mesh",
        metavar="SIZES",
        help="Sizes of at most 4 axes, as 8,8 or data=8,tensor=8; auto: two. Their place on the levels is searched.",
    ),
    click.option(
        "--condition",
        "conditions",
        multiple=True,
        metavar="TEXT",
        help='Such as "w1 replicated", "layers.*.mlp.* sliced(1) on tensor", "x not sliced(0)" or "at most 30GB".',
    ),
    click.option(
        "--next-best",
        "more",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Also the N next best programs, which store a tenth of all bytes otherwise (needs scipy).",
    ),
    click.option(
        "--twice",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Compute up to N values twice where that is faster than communicating them; the bound is computing alone.",
    ),
    click.option(
        "--recompute",
        type=click.IntRange(0, MOST_NEXT),
        default=0,
        metavar="N",
        help="Where memory is short, compute results of up to N kinds of operations again in the backward pass.",
    ),
    choice(
        "--checkpoints",
        CheckpointTreatment,
        default=CheckpointTreatment.KEEP,
        help="What torch.utils.checkpoint computes again in a captured model: as it says, or kept in memory.",
    ),
    click.option(
        "--buckets",
        metavar="SIZE",
        help="Bytes of collectives that are one call once emitted [25MiB where that gains anything]; off for none.",
    ),
    PROGRAMS,
    click.option(
        "--precision",
        metavar="TYPES",
        help="Mixed precision: bf16 (gradients summed in f32), or compute=bf16,reduce=bf16,output=f32,keep=*softmax*.",
    ),
    click.option(
        "--search-memory",
        "search_memory",
        default="4GB",
        show_default=True,
        metavar="SIZE",
        help="Memory for the tables of elimination; where they take more, HiGHS searches, and the answer says so.",
    ),
    click.option("--tf32", is_flag=True, help="Price float32 products as those of tensor cores in tf32, if allowed."),
    click.option("--certify", is_flag=True, help="Have the bound's certificate checked by code of its own."),
)


_PAPERS = (
    click.option(
        "--segments",
        "segments",
        metavar="SEGMENTS",
        hidden=True,
        help="Shares apart, as in HAP: layers, a number (minimum cuts of balanced work), or parameters as w1,b1/w2,b2.",
    ),
    click.option(
        "--virtual",
        "virtual",
        metavar="LEVEL",
        hidden=True,
        help="Machines, the units of a level such as node, as devices, data parallel inside, as in HAP.",
    ),
    choice(
        "--engine",
        ShardingEngine,
        default=ShardingEngine.ELIMINATION,
        hidden=True,
        help="What searches; all find the same optimum.",
    ),
    several(
        "--without",
        Heuristic,
        hidden=True,
        help="Engine astar: a way of searching less that is left out; repeatable.",
    ),
    several("--published", HapRestriction, hidden=True, help="A restriction of HAP's published code; repeatable."),
)
"""Options for comparisons with published searches. `p2smt reproduce` shows them."""

_PAPER_NAMES = ("segments", "virtual", "engine", "without", "published")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingOptions:
    """The values of the options; fields have click's parameter names."""

    shares: str
    mesh: str | None
    segments: str | None
    virtual: str | None
    engine: ShardingEngine
    without: Sequence[Heuristic]
    published: Sequence[HapRestriction]
    conditions: tuple[str, ...]
    more: int
    twice: int
    recompute: int
    buckets: str | None
    programs: bool
    precision: str | None
    checkpoints: CheckpointTreatment
    search_memory: str
    tf32: bool
    certify: bool

    def request(self, backend: Backend, speed: str | None) -> "ShardingRequest":
        """Convert the options to a request.

        Raises ProblemError for speeds or sizes that do not parse, and for --without with an engine other than A*.
        """
        from p2smt.spmd.model.precision import parse_precision
        from p2smt.spmd.request import ShardingRequest

        if self.without and self.engine is not ShardingEngine.ASTAR:
            raise ProblemError(f"--without {self.without[0]} is for engine astar; add --engine astar")
        heuristics, memory = ALL - set(self.without), parse_bytes(self.search_memory)
        return ShardingRequest(
            shares=self.shares,
            mesh=self.mesh,
            segments=self.segments,
            virtual=self.virtual,
            conditions=self.conditions,
            next_best=self.more,
            twice=self.twice,
            recompute=self.recompute,
            buckets=buckets_of(self.buckets),
            programs=self.programs,
            backend=backend,
            speed=None if speed is None else parse_speed(speed),
            precision=None if self.precision is None else parse_precision(self.precision),
            checkpoints=self.checkpoints,
            tf32=self.tf32,
            search=EngineOptions(self.engine, heuristics, frozenset(self.published), self.certify, memory),
        )


def sharding_options(command: Command) -> Command:
    """Add the options of a sharding to a command, which receives them as the `ShardingOptions` argument `asked`."""

    @wraps(command)
    def asking(**values: object) -> int:
        code = command(asked=take(ShardingOptions, values), **values)
        _say_where_papers_are()
        return code

    return with_options(asking, (*_SHARDING, *_PAPERS))


def _say_where_papers_are() -> None:
    """Name the hidden options that are given, and the command that keeps them."""
    context = click.get_current_context()
    given = [
        each.opts[0]
        for each in context.command.params
        if isinstance(each, click.Option) and each.hidden and each.name in _PAPER_NAMES
        if each.name and context.get_parameter_source(each.name) is ParameterSource.COMMANDLINE
    ]
    if given:
        say_aside(
            f"{', '.join(given)}: for comparisons with published searches; `p2smt reproduce {context.info_name}` keeps "
            f"them, {context.command_path} will not"
        )


_EXPLAINED = (
    SPEED,
    click.option(
        "--tensor",
        "tensors",
        multiple=True,
        metavar="NAME",
        help="Of a program: the tensor to explain [the largest parameter]; repeatable.",
    ),
    click.option(
        "--instead",
        "instead",
        multiple=True,
        metavar="CONDITION",
        help="Of a program: a condition as --condition, whose cost is to be explained; repeatable.",
    ),
    click.option(
        "--against",
        type=InputPath(PROGRAM),
        metavar="PROGRAM",
        help="Of a program: another one for the same step, to compare it with; distributed, or for one device.",
    ),
)
SEARCHED_NAMES = (
    "shares",
    "mesh",
    "segments",
    "virtual",
    "without",
    "published",
    "conditions",
    "more",
    "twice",
    "recompute",
    "certify",
)
"""The names of the options that determine the search."""
SHARDING_NAMES = (*signature(ShardingOptions).parameters, "speed", "tensors", "instead", "against")
"""The names of all options that `sharding_explanation_options` adds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingExplanationOptions:
    """Options for explaining a sharding: tensors, conditions and programs to compare with, and the search's options."""

    asked: ShardingOptions
    speed: str | None
    tensors: tuple[str, ...]
    instead: tuple[str, ...]
    against: Path | None

    def request(self, backend: Backend) -> "ShardingRequest":
        """Convert the options to a request, like `ShardingOptions.request`."""
        return self.asked.request(backend, self.speed)


def sharding_explanation_options(command: Command) -> Command:
    """Add the options for explaining a sharding to a command, which receives them as the argument `explained`."""

    @wraps(command)
    def asking(**values: object) -> int:
        asked = take(ShardingOptions, values)
        code = command(explained=take(ShardingExplanationOptions, values, asked=asked), **values)
        _say_where_papers_are()
        return code

    return with_options(asking, (*_EXPLAINED, *_SHARDING, *_PAPERS))


def refuse_given(names: Sequence[str], what: str) -> None:
    """Raise UsageError if one of these options is given on the command line, because it does not apply to `what`."""
    context = click.get_current_context()
    for parameter in context.command.params:
        if parameter.name in names and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[0]} is not for {what}; leave it out")
