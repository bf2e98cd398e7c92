"""Loading a plan file that is given to a command: parsing, verification, and the plan's system."""

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import click

from p2smt.cli.output.aside import say_aside
from p2smt.cli.output.links import links_of
from p2smt.errors import PlanError
from p2smt.verify.verdict import Unknown

if TYPE_CHECKING:
    from p2smt.problem.system.network import System
    from p2smt.reduction.plan.exchange import ExchangePlan
    from p2smt.reduction.plan.model import Plan

UNCHECKED = click.option("--unchecked", is_flag=True, help="Take the plan even if `p2smt verify` calls it invalid.")


def given_plan(path: Path, *, unchecked: bool) -> "Plan":
    """Read the plan of a reduction; raises PlanError like `given_any_plan`, and for plans of exchanges."""
    from p2smt.reduction.plan.model import Plan

    plan = given_any_plan(path, unchecked=unchecked)
    if not isinstance(plan, Plan):
        raise PlanError(
            f"{path} is the plan of {plan.goal.hyphenated}; this command takes plans of reductions; "
            "use p2smt emit, run or verify"
        )
    return plan


def given_any_plan(path: Path, *, unchecked: bool) -> "Plan | ExchangePlan":
    """Read a plan of either kind; raises PlanError if it is wrong, unless `unchecked`, which skips the verification."""
    from p2smt.frontend.plan_mistake import plan_mistake
    from p2smt.reduction.plan.exchange import ExchangePlan
    from p2smt.reduction.plan.exchange_file import read_any_plan
    from p2smt.verify.plan_verdict import PlanMistake

    plan = read_any_plan(path)
    if isinstance(plan, ExchangePlan):  # its steps were compared when it was read
        return plan
    match None if unchecked else plan_mistake(plan):
        case None:
            pass
        case Unknown(reason):
            _note(f"{path} is not checked: {reason}")
        case PlanMistake(rule, message=message) as mistake:
            raise PlanError(
                f"{path} is not a correct plan: {rule}: {message}; `p2smt verify {path}` shows a "
                "counter-example, and --unchecked uses the plan anyway"
            )
        case mistake:
            assert_never(mistake)
    return plan


def system_of_plan(plan: "Plan", path: Path, given: str | None) -> "System":
    """Return the given system, or else the plan's own; prints on stderr if it differs from the plan's or is missing."""
    from p2smt.problem.system.build import default_system
    from p2smt.problem.system.network import Level
    from p2smt.problem.system.text import find_system

    if given is not None:
        system = find_system(given)
        if plan.system is not None and plan.system != system and plan.system.levels == system.levels:
            _note(f"the links of {path}, {links_of(plan.system)}, are replaced by those of --system {given}")
        return system
    if plan.system is not None:
        return plan.system
    _note(f"{path} does not say its links, so default ones are taken; name the system with --system")
    return default_system([Level(name, size) for name, size in plan.levels])


def _note(text: str) -> None:
    say_aside(f"p2smt: note: {text}")
