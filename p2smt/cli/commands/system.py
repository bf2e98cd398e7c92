"""`p2smt system`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import SYSTEM_TEXT, OutputPath
from p2smt.cli.options.shared import FORCE, JSON
from p2smt.errors import ProblemError


@click.command("system", cls=HelpPage)
@click.argument("name", type=SYSTEM_TEXT, required=False, metavar="[SYSTEM]")
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@JSON
def command(name: str | None, out: Path | None, force: bool, as_json: bool) -> ExitCode:
    """List the clusters that come with p2smt, or print one as a file to edit.

    SYSTEM is a preset (dgx-h100), a preset with other sizes (dgx-h100:16x4), bare levels (node:4,gpu:8) or a file.
    Behind the file stands, as comments, what is known of its devices. The file goes wherever --system does;
    `p2smt calibrate` fits its figures to your own measurements.

    \b
    Example:
      p2smt system
      p2smt system dgx-h100 > mine.toml
      p2smt system aws-p5:16x8 --out mine.toml && p2smt synth --system mine.toml --axes 128 --reduce 0
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.system import models_text, presets_document, print_presets, system_document
    from p2smt.problem.system.file import preset, preset_names, preset_text, system_text
    from p2smt.problem.system.text import find_system

    if as_json and out is not None:
        raise ProblemError("--json goes to stdout and --out writes TOML; give one of the two")
    if name is None:
        if out is not None:
            raise ProblemError(f"--out needs a system to write; name one of {', '.join(preset_names())}")
        systems = [preset(one) for one in preset_names()]
        if as_json:
            print_json(presets_document(systems))
        else:
            print_presets(systems)
        return ExitCode.FOUND
    if as_json:
        print_json(system_document(find_system(name)))
        return ExitCode.FOUND
    text = preset_text(name) if name.lower() in preset_names() else system_text(find_system(name))
    write_and_say(
        out,
        text + models_text(find_system(name)),
        f"the system {name}",
        f"give --system {out} to any command",
        force=force,
    )
    return ExitCode.FOUND
