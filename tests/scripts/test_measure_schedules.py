"""Hosts with several ranks: sums level by level among what is measured there, over the levels that hosts make."""

from math import prod

import pytest
from scripts.loading import script_module

from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.text.parser import parse_schedule
from p2smt.verify.verdict import Proved

script = script_module("measure_schedules")


def test_settings_have_names_of_their_own():
    every = (*script.SETTINGS, *script.HIERARCHIES)
    assert len({str(each) for each in every}) == len(every)


@pytest.mark.thorough  # a script for results: what it calls is tested in its room
@pytest.mark.parametrize(
    "setting", {(each.ranks, each.per_host): each for each in script.HIERARCHIES}.values(), ids=str
)
def test_sums_level_by_level_are_over_the_hosts_and_their_ranks(setting):
    """Of two hosts each sends half of all elements in both halves of a sum, so as many bytes as there are in all."""
    machine = script.machine_of(setting.ranks, setting.rate, None, setting.per_host)
    assert [level.size for level in machine.cost.system.levels] == [2, setting.per_host]
    length, card = prod(size for _, size in setting.sizes), setting.rate * 1e6 / 8 * 1448 / 1514
    found = dict(script.by_levels(setting))
    assert list(found) == ["adam_by_levels", "adam_by_roots", "adam_rs_opt_ag_by_levels"]
    for name, text in found.items():
        made = check_schedule(script.program_of(setting), parse_schedule(text))
        assert isinstance(made.verdict, Proved)
        pricer = Pricer(made.scheduled, machine)
        busy = sum(pricer.stage((each.statement,)).busy.get("card", 0.0) for each in made.scheduled.implementations)
        assert busy == pytest.approx(length * 4 / card), name


@pytest.mark.parametrize("name", ["measure_schedules", "measure_rates"])
def test_nothing_is_measured_where_threads_keep_a_core_for_long(name, tmp_path, monkeypatch, capsys):
    """As under `chrt -r` they do by default, for 100 ms."""
    monkeypatch.setattr("os.sched_rr_get_interval", lambda _: 0.1)
    table = "--probes" if name == "measure_rates" else "--out"
    files = [table, str(tmp_path / "new.csv"), "--rates", str(tmp_path / "new.json")]
    monkeypatch.setattr("sys.argv", [name, *files])
    assert script_module(name).main() == 2
    said = capsys.readouterr().err
    assert said.startswith(f"{name}: threads of this priority keep a core for 100 ms")
    assert said.count("\n") == 1
    assert not [*tmp_path.iterdir()]
