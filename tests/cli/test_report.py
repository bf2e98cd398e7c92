"""`p2smt report` as a command: files, formats, exit codes, bad input."""

import json
import re
from html.parser import HTMLParser

import pytest
import tomli_w
from command_line import announced, output
from report_support import Page
from tiers import is_full, sample

from p2smt.cli.main import run
from p2smt.problem.file import job_example_text

pytestmark = pytest.mark.usefixtures("known_optima")

SMALL = ["--system", "2x4", "--axes", "2,4", "--reduce", "1"]
CHAIN = "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"


def test_a_page_is_written_where_it_should_be(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert announced(["report", *SMALL], capsys).startswith("report.html: 96 programs on 2 placements, ")
    output(["report", *SMALL, "--out", "other.html"], capsys)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    made = "p2smt report --system 2x4 --axes 2,4 --reduce 1"
    assert f">{made}</code>" in page
    for out, text in (
        ("other.html", (tmp_path / "other.html").read_text(encoding="utf-8")),
        ("-", output(["report", *SMALL, "--out", "-"], capsys)),
    ):
        assert text == page.replace(made, f"{made} --out {out}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.html", "report.html"]


@pytest.mark.parametrize("figure", sample(["program", "cluster", "time-line", "ranking", "sensitivity"], 2))
def test_figures_have_the_format_of_their_names(figure, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    announced(["report", *SMALL, "--figure", figure], capsys)
    text = (tmp_path / f"{figure}.svg").read_text(encoding="utf-8")
    assert text.startswith("<?xml")
    if is_full() or figure == "program":  # how a figure is written depends on the name alone, not on the figure
        assert output(["report", *SMALL, "--figure", figure, "--out", "-"], capsys) == text
        output(["report", *SMALL, "--figure", figure, "--out", "a.PNG"], capsys)
        assert (tmp_path / "a.PNG").read_bytes().startswith(b"\x89PNG")


def test_figures_of_a_given_placement_and_program(capsys):
    def drawn(*arguments):
        return output(["report", *SMALL, "--figure", *arguments, "--out", "-"], capsys)

    assert '<title id="title">Placement 1x2/2x2 on the cluster</title>' in drawn("cluster", "--matrix", "1x2/2x2")
    assert "on placement 1x2/2x2</title>" in drawn("program", "--matrix", "1x2/2x2")
    text = drawn("program", "--matrix", "1x2/2x2", "--program", CHAIN)
    assert f"{CHAIN} on placement 1x2/2x2</title>" in text
    assert ">3  AllGather</text>" in text


def test_the_placement_asked_for_is_opened(capsys):
    page = output(["report", *SMALL, "--matrix", "1x2/2x2", "--out", "-"], capsys)
    assert (
        len(re.findall('<option value="1" selected="">[^<]* · axis1 over 2 units of level0 [^<]* · 1x2/2x2<', page))
        == 2
    )
    assert ">Placement 1x2/2x2 on the cluster" in page or 'aria-label="Placement 1x2/2x2 on the cluster"' in page


def test_a_plan_in_chunks_is_reported_on_with_its_time_line(tmp_path, capsys):
    path = str(tmp_path / "plan.json")
    output(["plan", *SMALL, "--matrix", "1x2/2x2", "--program", CHAIN, "--chunks", "6", "--out", path], capsys)
    page = output(["report", path, "--out", "-"], capsys)
    found = Page(page)
    assert [tag.get("aria-labelledby") for tag in found.attributes("section")].count("chunks-title") == 1
    assert "6 chunks take " in found.text
    assert found.text.count("Which chunk is in which step when") == 2
    assert len(re.findall('<option value="1" selected="">[^<]* · 1x2/2x2<', page)) == 2
    drawn = output(["report", path, "--figure", "time-line", "--out", "-"], capsys)
    asked = ["--figure", "time-line", "--matrix", "1x2/2x2", "--program", CHAIN, "--chunks", "6", "--out", "-"]
    assert drawn == output(["report", *SMALL, *asked], capsys)
    assert "Time line of 6 chunks</title>" in drawn
    assert "on placement 1x2/2x2</title>" in output(["report", path, "--figure", "program", "--out", "-"], capsys)
    assert output(["report", path, "--figure", "ranking", "--out", "-"], capsys).startswith("<?xml")
    for more, option in (["--bytes", "1MB"], "--bytes"), (["--matrix", "2x4"], "--matrix"):
        assert run(["report", path, *more]) == 2
        assert f"{option} is for problems; a plan has its own" in capsys.readouterr().err


class Texts(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.feed(text)

    def handle_data(self, data):
        self.found.append(data)


def test_names_of_a_problem_file_are_escaped(tmp_path, capsys):
    name = "</script><img src=x onerror=\"alert('é漢')\">\n</title><style>*{display:none}"
    problem = {
        "name": name,
        "source": f"]]>{name}\r\n-->",
        "level": [{"name": "node", "size": 2}, {"name": "gpu", "size": 2}],
        "axis": [{"name": "data", "size": 4}],
        "reduce": ["data"],
    }
    path = tmp_path / "problem.toml"
    path.write_text(tomli_w.dumps(problem), newline="", encoding="utf-8")
    text = output(["report", str(path), "--out", "-"], capsys)
    page = Page(text)
    assert (page.counts["script"], page.counts["style"], page.counts["img"], page.counts["title"]) == (2, 1, 0, 1)
    assert name in Texts(text).found
    assert problem["source"].replace("\r\n", "\n") in "".join(Texts(text).found).replace("\r\n", "\n")
    json.loads(page.raw[1])


@pytest.mark.usefixtures("anew")
def test_stopping_early_and_nothing_found_have_their_codes(tmp_path, capsys):
    out = tmp_path / "page.html"
    slow = ["--system", "4x16", "--axes", "64", "--reduce", "0", "--timeout", "0.000001"]
    assert run(["report", *slow, "--out", str(out)]) == 3
    assert "INCOMPLETE" in out.read_text(encoding="utf-8")
    nothing = ["--system", "2x2x2", "--axes", "2,4", "--reduce", "1", "--hierarchy", "a", "--limit", "1"]
    assert run(["report", *nothing, "--out", str(out), "--force"]) in (0, 1)


REFUSED = [
    (["--figure", "program", "--program", "nonsense", "--matrix", "1x2/2x2"], "instruction 'nonsense' does not parse"),
    (["--program", CHAIN], "--program needs --figure program, which draws it; give both"),
    (["--figure", "program", "--program", CHAIN], "--program needs --matrix to choose among"),
    (
        ["--figure", "ranking", "--matrix", "1x2/2x2"],
        "--figure ranking shows all placements, and --matrix one; leave --matrix out",
    ),
    (["--figure", "cluster", "--matrix", "2x2/2x2"], "matrix 2x2/2x2: row of axis axis0 multiplies to 4, not 2"),
    (["--matrix", "x"], "matrix 'x' does not parse"),
    (["--figure", "cluster", "--out", "a.pdf"], "--out a.pdf has no known format; end the file name in .svg or .png"),
    (["--out", "a.svg"], "--out a.svg is the name of a figure; choose one with --figure, or name an .html file"),
    (["--out", "a.pdf"], "--out a.pdf: a page is HTML; name an .html file, and print it from a browser"),
    (["--out", "missing/a.html"], "cannot write missing/a.html: No such file or directory"),
    (["--chunks", "4"], "--chunks is for --figure time-line; give both"),
    (["--figure", "time-line", "--chunks", "many"], "'many' is neither a number from 1 to 1024 nor auto"),
    (["--figure", "pie"], "Invalid value for '--figure'"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_bad_input_is_one_line_and_no_file(arguments, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["report", *SMALL, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(job_example_text("job"), encoding="utf-8")
    return str(path)


def test_the_page_of_a_job(job, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert announced(["report", job], capsys).startswith("report.html: 4 reductions on 3 of 3 placements, ")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    made = f'Made by <code class="take">p2smt report {job}'
    assert output(["report", job, "--out", "-"], capsys) == page.replace(made, f"{made} --out -")
    opened = output(["report", job, "--matrix", "1x4/4x1/1x2", "--out", "-"], capsys)
    assert len(re.findall('<option value="2" selected="">[^<]* · 1x4/4x1/1x2<', opened)) == 3
    kept = output(["report", job, "--condition", "data inside node", "--out", "-"], capsys)
    assert "data inside node" in Page(kept).text
    assert "2x2/2x2/1x2" not in kept


def test_figures_of_a_job(job, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    announced(["report", job, "--figure", "ranking"], capsys)
    chart = (tmp_path / "ranking.svg").read_text(encoding="utf-8")
    assert "(4x1/1x4/1x2) takes 75.8 ms: 1 gradients + gradients of experts" in chart
    if is_full():  # the format depends on the name alone, as tested above
        output(["report", job, "--figure", "ranking", "--out", "a.png"], capsys)
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    best = output(["report", job, "--figure", "cluster", "--out", "-"], capsys)
    assert '<title id="title">Placement 4x1/1x4/1x2 on the cluster' in best
    other = output(["report", job, "--figure", "cluster", "--matrix", "1x4/4x1/1x2", "--out", "-"], capsys)
    assert "Placement 1x4/4x1/1x2 on the cluster" in other


@pytest.mark.thorough  # test_solved says it of every command that answers for a job
def test_a_job_that_cannot_be_is_explained_and_no_file_written(job, tmp_path, capsys):
    out = tmp_path / "page.html"
    clash = ["--condition", "model on node"]
    expected = output(["optimize", job, *clash], capsys, code=1)
    assert output(["report", job, *clash, "--out", str(out)], capsys, code=1) == expected
    assert not out.exists()


def test_a_job_that_is_stopped_early_has_its_code(job, tmp_path, capsys, monkeypatch):
    out = tmp_path / "page.html"
    text = output(["report", job, "--timeout", "0.000001", "--out", str(out)], capsys, code=3)
    assert text.startswith("stopped (")
    assert not out.exists()

    from p2smt.cli.output import solved

    def interrupted(done, total):
        if done == 2:
            raise KeyboardInterrupt

    whole = solved.optimize
    monkeypatch.setattr(solved, "optimize", lambda workload, cost, *rest: whole(workload, cost, None, interrupted))
    text = announced(["report", job, "--out", str(out)], capsys, code=3)
    assert "4 reductions on 2 of 3 placements" in text
    assert "INCOMPLETE, not proved best" in out.read_text(encoding="utf-8")
    assert run(["report", job, "--matrix", "4x1/1x4/1x2", "--out", str(out), "--force"]) == 2
    assert "was not priced before the search stopped (interrupted); allow a longer" in capsys.readouterr().err


REFUSED_OF_JOBS = [
    (["--axes", "4,8"], "--axes is for one reduction; the file of a job has its axes and reductions"),
    (["--bytes", "1GiB"], "--bytes is for one reduction"),
    (["--figure", "sensitivity"], "--figure sensitivity shows one reduction; for a job, choose cluster or ranking"),
    (["--figure", "program"], "--figure program shows one reduction"),
    (["--matrix", "2x2/2x2"], "matrix 2x2/2x2 does not fit; 3 axes on 2 levels"),
    (["--matrix", "4x1/2x2/1x2"], "matrix 4x1/2x2/1x2: column of level node multiplies to 8, not 4"),
    (["--matrix", "2x2/1x4/2x1"], "matrix 2x2/1x4/2x1 does not keep the job's conditions (model inside node; at most"),
    (["--condition", "model beside node"], "condition 'model beside node' does not parse"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED_OF_JOBS, ids=[message for _, message in REFUSED_OF_JOBS])
def test_bad_input_for_a_job_is_one_line_and_no_file(arguments, message, job, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["report", job, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["job.toml"]


def test_conditions_are_for_jobs(capsys):
    assert run(["report", *SMALL, "--condition", "axis1 not split"]) == 2
    assert "--condition is for jobs" in capsys.readouterr().err
