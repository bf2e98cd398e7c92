"""What a report says of a schedule that was searched for: others that were found, refusals, both footprints."""

from p2smt.problem.system.text import find_system
from p2smt.report.content.schedule_content import schedule_report, searched_report
from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.footprint import footprint
from p2smt.tensor.text.parser import parse_program

MACHINE = Machine.of(find_system("dgx-h100:1x4"))
PROGRAM = """program p
input x : f32[64, 64] partial(+)
sum = AllReduce(x)
y = relu(sum)
z = softmax(y, 0)
output z
"""


def test_others_are_all_found_but_the_fastest_and_footprints_are_of_before_and_after():
    tuned = tune(on_ranks(parse_program(PROGRAM), 4), MACHINE, depth=2)
    said = searched_report(tuned, MACHINE)
    assert len(tuned.found) > 1
    assert tuned.found[0].schedule
    assert said.checked.schedule == tuned.found[0].schedule
    assert list(said.alternatives) == list(tuned.found[1:])
    assert list(said.refusals) == list(tuned.refusals)
    start, end = said.checked.start, said.checked.scheduled.program
    assert (said.before, said.after) == (footprint(start), footprint(end))


def test_without_a_search_there_are_no_others_and_the_last_step_is_what_was_refused():
    steps = "rs, ag = split sum rs-ag\ns, t, whole = reorder ag past y, z\n"
    said = schedule_report(check_schedule(parse_program(PROGRAM), parse_schedule(steps), 4), MACHINE)
    assert said.alternatives == ()
    assert said.before == footprint(said.checked.start) != said.after
    assert list(said.refusals) == [said.checked.verdict.counter_example]
