"""Options that stand for several: their parts become the options that they stand for, or are refused by name."""

import click
import pytest

from p2smt.cli.commands.shard import command
from p2smt.cli.options.merged import MergedOption, expanded

CASES = {
    "--search certify": "--certify",
    "--search=certify,memory=8GB": "--certify --search-memory 8GB",
    "--search next-best=2 --search like=a.tp": "--next-best 2 --like a.tp",
    "--compute precision=compute=bf16,reduce=f32,twice=4": "--precision compute=bf16,reduce=f32 --twice 4",
    "--collectives buckets=off,programs,algorithm=ring step.tp": "--buckets off --programs --algorithm ring step.tp",
    "step.tp --out x -- --search certify": "step.tp --out x -- --search certify",
    "step.tp --search": "step.tp --search",
}


def test_parts_become_the_options_that_they_stand_for():
    for given, wanted in CASES.items():
        assert expanded(command, given.split()) == wanted.split(), given


def test_every_key_stands_for_a_hidden_option():
    hidden = {opt for each in command.params if getattr(each, "hidden", False) for opt in each.opts}
    merged = [each for each in command.params if isinstance(each, MergedOption)]
    assert len(merged) == 3
    assert {target for each in merged for target in each.keys.values()} < hidden


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--search certified", "--search has no 'certified'; it takes certify, memory, next-best, like"),
        ("--search certify=yes", "--search certify takes no value; write certify alone"),
        ("--compute twice", "--compute twice lacks its value; write twice=VALUE"),
        ("--compute twice=", "--compute twice lacks its value; write twice=VALUE"),
    ],
)
def test_other_parts_are_refused(given, said):
    with pytest.raises(click.UsageError, match=f"^{said}$"):
        expanded(command, given.split())
