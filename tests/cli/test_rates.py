"""`p2smt schedule --rates` and `p2smt emit --rates`: prices are what was measured; files that are none are refused."""

import json
from dataclasses import replace

import pytest
from command_line import golden, output, refused

from p2smt.schedule.cost.rates import ELEMENTWISE, Card, CollectiveRates, Curve, Rates, RatesByRanks
from p2smt.schedule.cost.rates_file import rates_text

SYSTEM = """name = "two"
[[level]]
name = "host"
size = 2
[[link]]
name = "card"
level = "host"
wiring = "port"
bandwidth = "10MB/s"
latency = "5us"
"""
PROGRAM = """program tail
input x : f32[1000, 8] partial(+)
sum = AllReduce(x)
out = relu(sum) * sum
output out
"""
SPLIT = "rs, ag = split sum rs-ag\n"
CARDS = (Card(1e7, ((0.0, 1.5),)),)
OWN, LIBRARY = "AllToAll and a sum", "ReduceScatter"
SLOW = {"AllReduce": 4e-3, OWN: 1e-3, LIBRARY: 2e-3, "AllGather": 1e-3, "Reduce": 9e-3, "Broadcast": 9e-3}
BYTES = 32000
"""Of `x`, of which two ranks send each other half, twice."""


def rates(begins, burst=0.0, cards=CARDS):
    """Calls take 1 us and a nanosecond for every byte; collectives what they take to begin, and links 1.5 times."""
    ways = {name: CollectiveRates(begin=begin, turn=begin, cards=cards) for name, begin in begins.items()}
    calls = {ELEMENTWISE: Curve(((0.0, 1e-6), (1e6, 1e-6 + 1e-3)))}
    return Rates(ranks=2, burst=burst, calls=calls, ways=ways, part=0.0)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A program, a schedule and a system beside a file of rates; the arguments that price the one on the other."""
    monkeypatch.chdir(tmp_path)

    def write(*measured, system=SYSTEM, text=None):
        (tmp_path / "p.tp").write_text(PROGRAM, encoding="utf-8")
        (tmp_path / "s.steps").write_text(SPLIT, encoding="utf-8")
        (tmp_path / "two.toml").write_text(system, encoding="utf-8")
        text = rates_text(RatesByRanks(measured)) if text is None else text
        (tmp_path / "r.json").write_text(text, encoding="utf-8")
        return ["p.tp", "--ranks", "2", "--system", "two.toml", "--backend", "gloo", "--rates", "r.json"]

    return write


def searched(arguments, capsys):
    return json.loads(output(["schedule", *arguments, "--depth", "1", "--top", "100", "--json"], capsys))


COMPUTED = 2e-6 + (2 + 3) * BYTES * 1e-9
SENT = 1.5 * BYTES / 1e7


@pytest.mark.parametrize(
    ("burst", "own", "saved"), [(0.0, None, 0.0), (2e4, None, 2e-3), (2e4, "10kB", 1e-3), (1e9, None, SENT)]
)
def test_prices_are_those_of_the_curves(burst, own, saved, files, capsys):
    """Cards saved up what rates say, or the system of its own, before the program; all is sent by that at most."""
    system = SYSTEM if own is None else f'{SYSTEM}burst = "{own}"\n'
    found = searched(files(rates(SLOW, burst), system=system), capsys)
    assert found["untouched"]["seconds"] == pytest.approx(COMPUTED + SLOW["AllReduce"] + SENT - saved)
    assert found["rates"] == {"file": "r.json", "ranks": 2, "bandwidths": [1e7], "far_links": []}


def test_rates_choose_between_implementations_in_searches_and_in_what_is_emitted(files, capsys):
    """The own one sends half of what gloo's library does, which is an AllReduce: 2.4 ms less."""
    for begins, way in ((SLOW, OWN), ({**SLOW, OWN: 6e-3}, LIBRARY)):
        arguments = files(rates(begins))
        split = [each for each in searched(arguments, capsys)["fastest"] if "rs-ag" in str(each["steps"])]
        assert {unit["way"] for unit in split[0]["units"]} == {way, "AllGather", "computation"}
        text = output(["emit", *arguments, "--steps", "s.steps"], capsys).partition("def compute(")[2]
        assert ("reduce_scatter_exchanged(" in text.partition("def ")[0]) is (way == OWN)


def test_text_explanation_and_report_say_whose_rates_and_what_is_far_from_them(files, capsys, tmp_path):
    arguments = files(rates(SLOW, cards=(Card(1e6, ((0.0, 1.0),)), Card(4e6, ((0.0, 1.0),)))))
    far = (
        "prices are by the rates of r.json, measured on 2 ranks with links of 1 MB/s and 4 MB/s; "
        "taken to be like these, though far from them: card with 10 MB/s"
    )
    text = output(["schedule", *arguments, "--steps", "s.steps", "--explain"], capsys)
    assert far in " ".join(text.split())
    assert "bandwidth of the links" in text
    assert "speed of computing" not in text
    assert far in " ".join(output(["schedule", *arguments, "--depth", "0"], capsys).split())
    assert "rates" not in output(["schedule", *arguments, "--steps", "s.steps"], capsys)
    output(["schedule", *arguments, "--steps", "s.steps", "--report", "r.html"], capsys)
    assert "on two by measured rates, with the" in (tmp_path / "r.html").read_text(encoding="utf-8")
    near = files(rates(SLOW))
    assert "far from" not in output(["schedule", *near, "--depth", "0"], capsys)


def test_reduction_programs_are_not_searched_and_have_a_price_where_they_are_given(files, capsys, tmp_path):
    two = SYSTEM.replace('"host"\nsize = 2', '"host"\nsize = 2\n[[level]]\nname = "gpu"\nsize = 2')
    arguments = [
        each.replace("2", "4") if each == "2" else each for each in files(replace(rates(SLOW), ranks=4), system=two)
    ]
    with_rates = searched(arguments, capsys)["schedules"]
    assert with_rates < searched(arguments[:-2], capsys)["schedules"]
    steps = 's2 = split sum "(root, InsideGroup, AllReduce)" levels host=2, gpu=2\n'
    (tmp_path / "s.steps").write_text(steps, encoding="utf-8")
    assert "s2" in output(["schedule", *arguments, "--steps", "s.steps", "--explain"], capsys)


ENTRY = json.loads(rates_text(RatesByRanks((rates(SLOW),))))[0]


def changed(**changes):
    return json.dumps([{**ENTRY, **changes}])


def without(name):
    return json.dumps([{key: value for key, value in ENTRY.items() if key != name}])


WAY = ENTRY["ways"]["AllReduce"]
FILES = {
    "no JSON": "[",
    "nested": "[" * 100_000,
    "nothing": "[]",
    "no list": json.dumps(ENTRY),
    "no entry": "[3]",
    "larger than is read": " " * 4_194_305,
    "a key that is missing": without("part"),
    "a key that is not known": changed(parts=1),
    "a text": changed(part="1"),
    "a number below 0": changed(part=-1),
    "a number that is too large": '[{"part": 1e400}]',
    "an integer that is too large": changed(burst=10**400),
    "more lost than there is": changed(lost=1.5),
    "read again in less time": changed(reread=0.5),
    "no ranks": changed(ranks=0),
    "part of a rank": changed(ranks=2.5),
    "ranks twice": json.dumps([ENTRY, ENTRY]),
    "other ranks": changed(ranks=4),
    "no elementwise calls": changed(calls={"matmul": [[1, 1]]}),
    "no points": changed(calls={**ENTRY["calls"], "matmul": []}),
    "no pair": changed(calls={**ENTRY["calls"], "matmul": [[1]]}),
    "sizes of 0": changed(calls={**ENTRY["calls"], "matmul": [[0, 1]]}),
    "sizes that do not ascend": changed(calls={**ENTRY["calls"], "matmul": [[2, 1], [1, 1]]}),
    "a size twice": changed(calls={**ENTRY["calls"], "matmul": [[2, 1], [2, 1]]}),
    "seconds below 0": changed(calls={**ENTRY["calls"], "matmul": [[2, -1]]}),
    "a way that is none": changed(ways={"AllReduce": 1}),
    "a way without turns": changed(ways={"AllReduce": {"begin": 1, "cards": []}}),
    "a way with more": changed(ways={"AllReduce": {**WAY, "ends": 1}}),
    "bandwidths that do not ascend": changed(cards=[{"bandwidth": 2, "factors": [[0, 1]]}] * 2),
    "a card without factors": changed(ways={"AllReduce": {**WAY, "cards": [{"bandwidth": 2, "factors": []}]}}),
    "a collective that was not measured": changed(ways={"Broadcast": WAY}),
    "no collective": changed(ways={}),
}
OPTIONS = {
    "without a system": (["--depth", "1"], ["--system", "two.toml"]),
    "with a speed": (["--speed", "1Tflop/s"], []),
    "with protocols": (["--protocols"], ["--backend", "gloo"]),
}


def test_what_is_no_file_of_rates_is_refused_in_one_line(files, capsys, tmp_path):
    said = []
    for name, text in FILES.items():
        message = refused(["schedule", *files(text=text), "--depth", "0"], capsys)
        said.append(f"{name}: {message}")
    arguments = files(rates(SLOW))
    said.append(f"no file: {refused(['schedule', *arguments[:-1], 'none.json'], capsys)}")
    (tmp_path / "r.json").write_bytes(b"\xff\xfe")
    said.append(f"no text: {refused(['schedule', *arguments], capsys)}")
    for name, (more, less) in OPTIONS.items():
        arguments = " ".join(files(rates(SLOW))).replace(" ".join(less), "").split()
        said.append(f"{name}: {refused(['schedule', *arguments, *more], capsys)}")
    arguments = files(rates(SLOW))
    said.append(f"emit without steps: {refused(['emit', 'p.tp', *arguments[3:]], capsys)}")
    said.append(f"emit of an optimizer: {refused(['emit', *arguments, '--steps', 's.steps', '--optimizer'], capsys)}")
    golden("rates_refused.txt", "\n".join(said) + "\n")
