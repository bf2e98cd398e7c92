"""The list of models known by name."""

from collections.abc import Sequence

import click

from p2smt.problem.quantity import format_decimal
from p2smt.problem.transformer.named import ModelEntry


def print_models(models: Sequence[ModelEntry]) -> None:
    """Print the models with their published parameter counts."""
    width = max(len(model.name) for model in models)
    for model in models:
        size = model.parameters if isinstance(model.parameters, str) else format_decimal(model.parameters)
        title = model.title.partition(" (")[0]
        click.echo(f"{model.name:<{width}}  {title}: {size.replace(' G', ' billion').replace(' M', ' million')}")
