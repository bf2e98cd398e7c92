"""The option for the speed of devices, where one speed prices computing: one syntax for every command."""

import click

SPEED = click.option(
    "--speed",
    metavar="SPEED",
    help="Price computing as operations by one speed, such as 100Tflop/s, in place of the devices' rooflines.",
)


def _refuse_flops(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    """Raise UsageError for the old name of --speed."""
    if value is not None:
        raise click.UsageError(f"--flops is now --speed, as everywhere: --speed {_speed_of(value)}")


def _speed_of(value: str) -> str:
    """A bare number as a speed; 100Tflop/s for what is none."""
    try:
        return f"{float(value) / 1e12:g}Tflop/s"
    except ValueError:
        return "100Tflop/s"


FLOPS = click.option("--flops", hidden=True, expose_value=False, callback=_refuse_flops)
"""The option's earlier name."""
