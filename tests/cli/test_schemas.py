"""The schemas that `p2smt schema` prints take files of their kinds, and refuse those with a value of another type."""

import json
import tomllib

import jsonschema
from command_line import output
from paths import ROOT, TESTS
from support import problem

from p2smt.cli.commands.schema import SchemaKind
from p2smt.placement.enumeration import all_placements
from p2smt.problem.file import example_text, job_example_text
from p2smt.problem.system.file import preset, system_text
from p2smt.reduction.language.hierarchy import all_to_all_text
from p2smt.reduction.plan.exchange import all_to_all_plan
from p2smt.reduction.plan.exchange_file import exchange_text
from p2smt.reduction.plan.file import plan_text
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.all_to_all import all_to_all_programs
from p2smt.sweep.sweep_file import sweep_example_text


def exchange(lowering):
    groupings = next(iter(all_to_all_programs(lowering.language, 2))).groupings
    return exchange_text(all_to_all_plan(lowering, groupings, all_to_all_text(lowering.hierarchy, groupings)))


def examples():
    """Of every kind a file as plain values, and a key whose value gets another type."""
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    rates = (ROOT / "scripts" / "results" / "schedule_rates.json").read_text(encoding="utf-8")
    written = (TESTS / "plans" / "all_reduce.toml").read_text(encoding="utf-8")
    return {
        SchemaKind.PROBLEM: (tomllib.loads(example_text()), "axis"),
        SchemaKind.SYSTEM: (tomllib.loads(system_text(preset("dgx-h100"))), "link"),
        SchemaKind.PLAN: (json.loads(plan_text(lowering.direct)), "steps"),
        SchemaKind.EXCHANGE: (json.loads(exchange(lowering)), "steps"),
        SchemaKind.HAND_WRITTEN: (tomllib.loads(written), "step"),
        SchemaKind.STUDY: (tomllib.loads(sweep_example_text()), "grid"),
        SchemaKind.MODEL: (tomllib.loads(job_example_text("dense-70b")), "transformer"),
        SchemaKind.MESH: ({"mesh_dim_names": ["data", "model"], "mesh": [[0, 1], [2, 3]]}, "mesh_dim_names"),
        SchemaKind.RATES: (json.loads(rates), 0),
    }


def test_a_schema_takes_files_of_its_kind_and_refuses_a_value_of_another_type(capsys):
    files = examples()
    assert list(files) == list(SchemaKind)
    for kind, (content, key) in files.items():
        checked = jsonschema.Draft202012Validator(json.loads(output(["schema", kind.value], capsys)))
        checked.check_schema(checked.schema)
        assert [error.message for error in checked.iter_errors(content)] == [], kind
        content[key] = "text"
        assert not checked.is_valid(content), kind
