"""The option --speed, the computing speed of a device, with one syntax for every command."""

import click

SPEED = click.option(
    "--speed",
    metavar="SPEED",
    help="Price computing as operations by one speed, such as 100Tflop/s, in place of the devices' rooflines.",
)


def _refuse_flops(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    """Raise UsageError for --flops, the earlier name of --speed."""
    if value is not None:
        raise click.UsageError(f"--flops was renamed --speed; write --speed {_speed_of(value)}")


def _speed_of(value: str) -> str:
    """Rewrite a bare number as a speed with a unit; for text that is not a number, return the example 100Tflop/s."""
    try:
        return f"{float(value) / 1e12:g}Tflop/s"
    except ValueError:
        return "100Tflop/s"


FLOPS = click.option("--flops", hidden=True, expose_value=False, callback=_refuse_flops)
"""The hidden option --flops, the earlier name of --speed; it is always refused."""
