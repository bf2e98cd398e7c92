"""The options for the model, the training setup, and the fixed degrees of the split."""

import click

from p2smt.cli.options.paths import MODEL_TEXT, SYSTEM_TEXT
from p2smt.cli.options.values import Option, one_of
from p2smt.problem.quantity import parse_tokens
from p2smt.problem.system.text import SYSTEM_FORMS
from p2smt.problem.transformer.split import Dispatcher, Framework, Pipeline, Precision, Recompute


def _size(name: str, text: str) -> Option:
    return click.option(name, type=click.IntRange(min=1), metavar="N", help=text)


def _count(name: str, text: str) -> Option:
    """Create an option for a count that may be written with the suffix k for 1024, as context lengths are."""
    return click.option(name, metavar="N", callback=_parsed_count, help=text)


def _parsed_count(_context: click.Context, _option: click.Parameter, value: str | None) -> int | None:

    return None if value is None else parse_tokens(value)


TRAINING_OPTIONS = (
    click.option(
        "--model",
        type=MODEL_TEXT,
        required=True,
        metavar="NAME",
        help="A model such as llama-70b (--model list names all), a Hugging Face config.json, or a TOML.",
    ),
    click.option("--system", type=SYSTEM_TEXT, metavar="SYSTEM", help=f"{SYSTEM_FORMS}."),
    click.option(
        "--framework",
        type=one_of([str(one) for one in Framework]),
        default=str(Framework.MEGATRON),
        show_default=True,
        help="What runs the step: splits that it cannot run are left out.",
    ),
    click.option(
        "--precision",
        type=one_of([str(one) for one in Precision]),
        default=str(Precision.BF16),
        show_default=True,
        help="Number format of matrix products.",
    ),
    click.option(
        "--dispatcher",
        type=one_of([str(one) for one in Dispatcher]),
        help="What sends tokens to experts [the fastest on the device].",
    ),
    click.option("--split", type=one_of(["auto"]), help="Try every split of the devices that fits into memory."),
    _size("--tp", "Tensor-parallel devices [1; auto: any]."),
    _size("--pp", "Pipeline stages [1; auto: any]."),
    _size("--dp", "Data-parallel devices [what is left]."),
    _size("--cp", "Context-parallel devices [1; auto: any; 4096 tokens each if it fits]."),
    _size("--ep", "Expert-parallel devices [1; auto: any]."),
    _size("--etp", "Tensor-parallel devices of each expert [tp; auto: 1 or tp]."),
    _size("--replicas", "Replicas of hybrid sharding (HSDP) [1; auto: 1 or as many as domains]."),
    _size("--chunks", "Chunks of layers a stage, from 2 on interleaved [1; auto: any]."),
    click.option("--pipeline", type=one_of([str(one) for one in Pipeline]), help="Schedule of the stages [1f1b]."),
    click.option(
        "--zero",
        type=click.IntRange(0, 3),
        metavar="STAGE",
        help="ZeRO stage; 1 is a distributed optimizer, 3 FSDP [1; auto: any].",
    ),
    click.option(
        "--sequence-parallel/--no-sequence-parallel",
        "sequence_parallel",
        default=None,
        help="Cut activations along the sequence [where tp is more than 1].",
    ),
    _count("--batch", "Sequences per step [the first multiple of the devices from 1024 on]."),
    _size("--micro-batch", "Sequences at a time [1; auto: any]."),
    _count("--sequence", "Tokens of a sequence, 8k is 8192 [the model's]."),
    click.option(
        "--recompute",
        type=one_of([str(one) for one in Recompute]),
        is_flag=False,
        flag_value="full",
        help="Activations computed again; alone: full [none; auto: any].",
    ),
    click.option("--memory", metavar="SIZE", help="What a device holds, such as 80GB [the system's]."),
    click.option(
        "--mfu",
        type=click.FloatRange(0, 1, min_open=True),
        metavar="PART",
        help="Compute at this part of the peak, such as 0.45 [by the shapes of products].",
    ),
)
