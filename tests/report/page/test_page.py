"""The page as text: complete in itself, escaped, the same every time, well under two megabytes."""

import json
import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from importlib import import_module
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_support import Page, report, report_on
from support import problem
from tiers import examples, is_full, sample

from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl
from p2smt.problem.model import Payload
from p2smt.problem.system.processors import Processors
from p2smt.reduction.synth.session import Synthesizer
from p2smt.report.content.collect import collect
from p2smt.report.content.text import printable
from p2smt.report.page.chunks_section import _sentence
from p2smt.report.page.element import element, html
from p2smt.report.page.page import page_text
from p2smt.report.page.sections import _rate, reading_section

NASTY = (
    "</script></style><img src=x onerror=alert(1)> \"quoted\" 'single' &amp; {é 漢字 \U0001f600}"
    "\nnext\tline \x00\x1b[31m \u202e"
)


def read(found):
    return Page(page_text(found))


def with_names(found, name, source):
    return replace(found, system=replace(found.system, name=name, source=source))


def test_same_report_same_bytes():
    asked = problem((4, 4), (4, 4), (1,))
    assert page_text(report_on(asked)) == page_text(report_on(asked))


@pytest.mark.parametrize("made", ["p2smt.report.page.element.printable", "p2smt.report.figures.svg._shape"])
def test_an_interrupt_while_the_page_is_made_stays_one(monkeypatch, made):
    """What ElementTree is given part by part, as by a generator, it takes for no sequence where Ctrl-C comes."""
    found, (module, _, name) = report_on(problem((2, 2), (4,))), made.rpartition(".")
    make, left = getattr(import_module(module), name), [10**9]

    def counted(*parts, **more):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return make(*parts, **more)

    monkeypatch.setattr(made, counted)
    page_text(found)
    every = 10**9 - left[0]
    assert every > 20
    for number in range(0, every, max(1, every // (60 if is_full() else 6))):
        left[0] = number
        with pytest.raises(KeyboardInterrupt):
            page_text(found)


@pytest.mark.parametrize(
    ("sizes", "axes", "reduce", "limit"),
    sample([((32, 8), (16, 4, 4), (1,), 5), ((4, 16), (4, 4, 4), (0, 2), 5)], 1),
    ids=str,
)
def test_size_is_well_under_two_megabytes(sizes, axes, reduce, limit):
    assert len(page_text(report(sizes, axes, reduce, limit=limit)).encode()) < 1_500_000


@pytest.mark.thorough  # devices by kind: tests/report/content
def test_a_thousand_devices_are_drawn_by_kind(large, large_text):
    found, page = large, Page(large_text)
    assert len(large_text.encode()) < 1_500_000
    selection = found.placements[0].selection
    assert f"{len(selection.devices)} of 1024 devices are drawn" in page.text
    assert "some of every kind; devices of one kind do the same in every step." in page.text
    numbers = [int(n) for n in re.findall(r'class="fill-ink number">(\d+)<', large_text.split("<template")[0])]
    assert numbers == [*selection.devices, *selection.devices]


def test_names_come_out_as_they_are_and_make_no_markup():
    plain, nasty = report((2, 2), (4,)), with_names(report((2, 2), (4,)), NASTY, NASTY[::-1])
    page, quiet = read(nasty), read(with_names(plain, "name", "source"))
    assert page.counts == quiet.counts
    assert page.counts["script"] == 2
    assert printable(NASTY) in page.text
    assert printable(NASTY[::-1]) in page.text
    assert not set(page_text(nasty)) & {"\x00", "\x1b", "\u202e"}
    assert page.raw == quiet.raw


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(max_examples=examples(3))
def test_any_text_in_an_element_is_read_back(text):
    page = Page(html(element("p", text, element("b", text), text, element("i"), text, text, title=text)))
    shown = printable(text).replace("\r\n", "\n").replace("\r", "\n")
    assert page.text.replace("\r\n", "\n").replace("\r", "\n") == shown * 5
    assert page.attributes("p") == [{"title": printable(text)}]


def test_what_the_script_reads_cannot_end_it():
    from p2smt.report.page.page_data import json_text

    text = json_text({"a": NASTY, "b": ["<!--<script>", "\u2028"]})
    assert not set(text) & set("<>&\u2028")
    assert json.loads(text) == {"a": printable(NASTY), "b": ["<!--<script>", "\u2028"]}


def test_the_policy_allows_the_texts_that_are_there_and_nothing_else():
    page = read(report((2, 4), (2, 4), (1,)))
    (policy,) = (meta["content"] for meta in page.attributes("meta") if "http-equiv" in meta)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    style, _, script = page.raw
    expected = {
        name: f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
        for name, text in (("style-src", style), ("script-src", script))
    }
    none = dict.fromkeys(("default-src", "base-uri", "form-action"), "'none'")
    assert rules == {**none, **expected}
    kinds = [attributes.get("type") for attributes in page.attributes("script")]
    assert kinds == ["application/json", None]


def test_nothing_outside_is_named_and_nothing_is_inline():
    page = read(report((2, 4), (2, 4), (1,)))
    for tag, attributes in page.tags:
        assert not {"src", "style", "action", "srcset", "background"} & attributes.keys(), tag
        assert not any(name.startswith("on") for name in attributes), tag
        assert attributes.get("href", "#").startswith("#")
    assert not re.search(r"https?:|url\(|@import|//[a-z]", "".join(page.raw).replace("// ", ""))


@pytest.mark.parametrize("found", [report((2, 4), (2, 4), (1,)), report((2,), (2, 1), (1,))], ids=["steps", "no steps"])
def test_structure_is_for_everybody(found):
    structure_is_for_everybody(found)


def structure_is_for_everybody(found):
    page = read(found)
    identities = Counter(attributes["id"] for _, attributes in page.tags if "id" in attributes)
    assert max(identities.values()) == 1
    for _, attributes in page.tags:
        for name in ("for", "aria-labelledby", "aria-describedby"):
            assert {*(attributes.get(name) or "").split()} <= identities.keys()
        assert (attributes.get("href") or "#")[1:] in {*identities, ""}
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    for tag in ("header", "nav", "main", "footer", "title"):
        assert page.counts[tag] == 1
    assert page.attributes("html") == [{"lang": "en"}]
    assert page.counts["caption"] == page.counts["table"]
    assert all("scope" in attributes for attributes in page.attributes("th"))
    labelled = {attributes["for"] for attributes in page.attributes("label")}
    assert {attributes["id"] for attributes in page.attributes("select")} == labelled
    outside = page_text(found).split("<template")[0]
    assert all("aria-label=" in svg and "aria-describedby=" in svg for svg in re.findall("<svg[^>]*>", outside))


def test_no_gain_is_said_of_payloads_that_figures_are_not_known_for():
    """Times are said; ratios of them are not, nor how far they are above the lower bound."""
    asked = problem((4, 4), (4, 4), (1,), limit=3)
    for size, claimed in ((1 << 10, False), (asked.system.known_from, True)):
        assert (size >= asked.system.known_from) is claimed
        found = report_on(replace(asked, payload=Payload(size, "float32")))
        text = page_text(found).split("<template")[0]
        assert ("Of the fastest" in text) is claimed
        assert ("above the lower bound of the links" in text) is claimed
        shown = len(found.results) + sum(len(result.programs) for result in found.results)
        assert len(re.findall(r'<td class="number">\d[\d.]*×</td>', text)) == (shown if claimed else 0)


def test_a_longer_program_is_not_the_cheapest_of_any_length_where_some_were_not_looked_for():
    longer = report((4, 4), (16,), (0,), limit=1)
    assert longer.results[0].longer
    late = read(replace(longer, late=1)).text
    assert "cheapest of any length" not in late
    assert "On 1 placement there was no time to look for longer ones." in late
    assert "no time to look" not in read(longer).text


def test_what_is_shown_of_all_placements_is_said():
    found = report((4, 4), (4, 4), (1,))
    for there, said in ((3, "There are 3, fastest first."), (7, "Of 7, 3 are shown, fastest first.")):
        assert said in read(replace(found, found=there)).text
    one = report((2, 2), (4,))
    assert "There is one." in read(one).text


def test_what_every_collective_does_is_said():
    """But for AllReduce, which is what a device "holds, reduced, at the end"."""
    said = html(reading_section(()))
    assert [one for one in Collective if not re.search(rf"\b{one}\b", said)] == [Collective.ALL_REDUCE]


def test_the_systems_figures_are_those_that_hide_and_begin():
    found = report((2, 2), (4,))
    network = replace(found.system.network, overlap=0.2, launch=3e-6)
    text = read(replace(found, system=replace(found.system, network=network))).text
    assert "the busiest hides 20 % of the others' time" in text
    assert "To begin a collective3 us" in " ".join(text.split())
    assert "Cores" not in text
    crowded = replace(network, processors=Processors(2, 44e-6, 42e-6, 7e-6))
    text = read(replace(found, system=replace(found.system, network=crowded))).text
    assert "2, shared by all devices; gloo takes 44 us a call, 42 us a message, 7 us a port" in " ".join(text.split())
    assert [_rate(rate) for rate in (1e12, 999.9e9, 1e9, 1e6, 1e3, 999.0, 1.5)] == [
        "1 TB/s",
        "999.9 GB/s",
        "1 GB/s",
        "1 MB/s",
        "1 kB/s",
        "999 B/s",
        "1.5 B/s",
    ]


def test_chunks_are_said_to_gain_what_they_gain():
    content = SimpleNamespace(chunks=4, seconds=0.5, alone=1.0)
    assert _sentence(content).endswith("takes 1 s there, 2.00 times as long.")
    assert _sentence(SimpleNamespace(chunks=4, seconds=1.0, alone=0.5)).endswith("takes 500 ms there.")
    assert _sentence(SimpleNamespace(chunks=4, seconds=1.0, alone=None)) == "4 chunks take 1 s."


def test_the_data_say_what_the_report_says():
    found = report((2, 4), (2, 4), (1,))
    data = json.loads(read(found).raw[1])
    lists = data["lists"]
    assert data["axes"] == [{"name": axis.name, "size": axis.size} for axis in found.axes]
    for entry, placement in zip(data["placements"], found.placements, strict=True):
        assert tuple(lists[entry["devices"]]) == placement.selection.devices
        assert tuple(zip(*(lists[number] for number in entry["coordinates"]), strict=True)) == placement.coordinates
    for entries, result in zip(data["programs"], found.results, strict=True):
        for entry, program in zip(entries, result.programs, strict=True):
            assert entry["text"] == program.text
            for step, content in zip(entry["steps"], program.steps, strict=True):
                groups = sorted({*content.roots} - {-1})
                assert lists[step["held"]] == [round(1000 * held / program.payload) for held in content.held]
                assert step["share"] == round(1000 * content.share)
                assert [groups[n] if n >= 0 else -1 for n in lists[step["groups"]]] == list(content.roots)
                payload = program.payload
                assert [held / 1000 for held in lists[step["held"]]] == pytest.approx(
                    [held / payload for held in content.held], abs=1e-3
                )


def test_the_answer_stands_first():
    found = report((4, 16), (4, 16), (1,))
    best = found.results[0].programs[0]
    lead = read(found).text.split("The cluster")[0]
    assert best.text in lead
    assert "189 programs on 3 placements, all there are within the limit." in lead
    assert read(found).text.split("Put ")[1].startswith("axis1 inside a unit of level0; axis0 across units of level0")
    assert found.code in lead


def test_a_best_program_beyond_the_limit_is_said_to_be_the_cheapest_of_any_length():
    longer, within = report((4, 4), (16,), (0,), limit=1), report((4, 4), (16,), (0,), limit=5)
    assert longer.results[0].programs[0].text == within.results[0].programs[0].text
    said = "The fastest is longer than that, 1 instruction: it is the cheapest of any length."
    assert said in read(longer).text.split("The cluster")[0]
    assert "cheapest of any length" not in read(within).text


def test_the_command_that_made_a_page_is_said_and_makes_no_markup():
    found = report((2, 4), (2, 4), (1,))
    page, plain = Page(page_text(found, ("p2smt", "report", "--out", "a b", NASTY))), read(found)
    assert "Made by p2smt report --out 'a b' " in page.text
    assert "onerror=alert(1)" in page.text
    assert page.counts["img"] == 0
    assert page.counts["script"] == plain.counts["script"]
    assert "Made by" not in plain.text


def test_a_page_without_other_payloads_and_longer_programs_says_so():
    found = Synthesizer().synthesize(problem((2, 2, 2), (8,), limit=1))
    page = read(collect(found, Nccl(), deadline=0.0))
    assert "On 1 placement there was no time to look for longer ones." in page.text
    assert "placements whose other payloads there was no time for are left out" in page.text
    assert "no time" not in read(collect(found, Nccl())).text


def test_a_search_stopped_early_makes_a_page_that_says_so():
    asked = problem((4, 16), (4, 16))
    page = read(collect(Synthesizer().synthesize(asked, deadline=0.0), Nccl()))
    assert "No program was found: 0 programs on 0 placements, INCOMPLETE (" in page.text
    assert page.counts["script"] == 0
