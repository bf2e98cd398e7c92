"""Problem files: what is read, and how mistakes are named."""

import tomllib

import jsonschema
import pytest
from support import refused

from p2smt.errors import ProblemError
from p2smt.problem.file import JOB_EXAMPLES, ProblemFile, example_text, job_example_text, read_problem_file
from p2smt.problem.job_file import read_job
from p2smt.problem.model import Search
from p2smt.problem.problem_file import file_system
from p2smt.problem.system.file import MAX_FILE_BYTES, system_example_text
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import json_schema


def read(tmp_path, content):
    path = tmp_path / "problem.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_problem_file(path)


def message(tmp_path, content):
    return refused(lambda: read(tmp_path, content), ProblemError).replace(str(tmp_path / "problem.toml"), "FILE")


def test_the_example_is_read_and_says_the_defaults(tmp_path):
    file = read(tmp_path, example_text())
    assert [(level.name, level.size, level.bandwidth) for level in file.level] == [
        ("node", 4, "8GB/s"),
        ("gpu", 16, "270GB/s"),
    ]
    assert [(axis.name, axis.size) for axis in file.axis] == [("data", 4), ("model", 16)]
    assert file.reduce == ("model",)
    search, default = file.search, Search()
    assert (search.limit, search.grammar, search.engine) == (default.limit, default.grammar, default.engine)
    assert (search.hierarchy, search.collapse) == (default.hierarchy, default.collapse)


def test_the_schema_accepts_the_example_and_refuses_a_wrong_type():
    schema = json_schema(ProblemFile, "problem")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    example = tomllib.loads(example_text())
    validator.validate(example)
    example["level"][1]["size"] = "many"
    (error,) = validator.iter_errors(example)
    assert list(error.absolute_path) == ["level", 1, "size"]


def test_every_key_of_the_schema_stands_in_the_example():
    tables = json_schema(ProblemFile, "problem")["$defs"].values()
    known = {name for table in tables for name in table.get("properties", {})}
    texts = example_text() + system_example_text() + "".join(map(job_example_text, JOB_EXAMPLES))
    assert {name for name in known if name not in texts} == set()


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (
            "levle = 1",
            "FILE: unknown key 'levle'; did you mean level? (known: name, source, measured_from, unmeasured, "
            "measured_earlier, machine, computing, overlap, protocols, device, "
            "level, link, kind, model, effort, profile, timings, processors, fit, system, "
            "axis, reduce, goal, reduction, transformer, parallelism, conditions, payload, search)",
        ),
        (
            '[[level]]\nname="a"\nsize=1\n[[level]]\nname="b"\nsiez=2',
            "FILE: unknown key 'level[1].siez'; did you mean size? (known: name, size, bandwidth, latency)",
        ),
        (
            "[search]\nengin='levels'",
            "FILE: unknown key 'search.engin'; did you mean engine? "
            "(known: limit, grammar, engine, hierarchy, collapse)",
        ),
        ('[[axis]]\nname="a"\nsize="4"', "FILE: axis[0].size: expected int, got str; write it as a whole number"),
        ("[[axis]]\nsize=4", "FILE: axis[0]: object missing required field name; add name"),
        (
            "[search]\nengine='z4'",
            "FILE: search.engine: invalid enum value 'z4'; choose one of levels, bitvec, explicit",
        ),
        ("reduce = 0", "FILE: reduce: expected array, got int; write it in brackets, [...]"),
        ("reduce = [0.5]", "FILE: reduce[0]: expected int | str, got float; write it as a whole number"),
        ("level = 3", "FILE: level: expected array, got int; write it in brackets, [...]"),
        ("payload = []", "FILE: payload: expected object, got array; write it as a table, {...}"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, content, wanted):
    assert message(tmp_path, content) == wanted


def test_a_system_is_named_or_described_and_is_no_other_file(tmp_path):
    level = '[[level]]\nname="a"\nsize=2\n'
    link = '[[link]]\nname="b"\nlevel="a"\nbandwidth="1GB/s"\nlatency="1us"\n'
    for described in (level, link, level + link):
        entry = read(tmp_path, 'system = "2x4"\n' + described)
        said = refused(lambda entry=entry: file_system(entry, "FILE"), ProblemError)
        assert said == "FILE has system and [[level]] or [[link]]; keep one of the two"
    assert file_system(read(tmp_path, 'system = "2x4"'), "FILE") == find_system("2x4")
    assert file_system(read(tmp_path, level + link), "FILE").sizes == (2,)
    assert file_system(read(tmp_path, ""), "FILE") is None
    said = refused(lambda: file_system(read(tmp_path, 'system = "other.toml"'), "FILE"), ProblemError)
    assert said == "FILE: system 'other.toml' is a file; name a preset or levels, or use --system"


def test_a_job_says_in_one_way_what_is_reduced(tmp_path):
    axis, reduce = '[[axis]]\nname="a"\nsize=8\n', 'reduce = ["a"]\n'
    reduction = '[[reduction]]\naxes=["a"]\nbytes="1MiB"\n'
    model = "[transformer]\nlayers=2\nhidden=8\nffn=16\nheads=4\nvocabulary=10\nsequence=8\nbatch=8\n"
    system, split = 'system = "2x4"\n', "[parallelism]\ndp=8\n"
    path = tmp_path / "problem.toml"
    for content, said in (
        (axis, "FILE has no [[reduction]]; add one per reduction (`p2smt example job`"),
        (reduce + axis + reduction, "FILE has both reduce and [[reduction]]; keep the [[reduction]] tables alone"),
        (model, "FILE: [transformer] and [parallelism] need each other; give both"),
        (split, "FILE: [transformer] and [parallelism] need each other; give both"),
        (
            axis + model + split,
            (
                "FILE has [transformer] and [[axis]]; leave the latter out, because [transformer] "
                "determines axes and reductions"
            ),
        ),
        (reduction + model + split, "FILE has [transformer] and"),
        (reduce + model + split, "FILE has [transformer] and"),
    ):
        path.write_text(system + content, encoding="utf-8")
        assert refused(lambda: read_job(path), ProblemError).replace(str(path), "FILE").startswith(said)
    for content in (reduce + axis, axis + reduction):
        path.write_text(system + content, encoding="utf-8")
        (only,) = read_job(path).reductions
        assert (only.axes, only.payload.bytes) == ((0,), 2**30 if content.startswith(reduce) else 2**20)


@pytest.mark.parametrize(
    "content",
    [
        "reduce = [",
        "reduce = 1\nreduce = 2",
        "x = " + "[" * 5000 + "]" * 5000,
        "[search]\nlimit = " + "9" * 5000,
    ],
    ids=["open bracket", "key twice", "deep nesting", "huge integer"],
)
def test_malformed_toml_is_refused_in_one_line(tmp_path, content):
    text = message(tmp_path, content)
    assert text.startswith("FILE is not TOML: ")
    assert text.endswith("; `p2smt example` prints a file to start from")


@pytest.mark.parametrize("digits", [20, 4000])
def test_an_integer_that_no_machine_word_holds_is_read_whole(tmp_path, digits):
    assert read(tmp_path, f"[search]\nlimit = {'9' * digits}").search.limit == 10**digits - 1


def test_text_that_is_not_utf8_is_refused(tmp_path):
    assert (
        message(tmp_path, b"\xff\xfe") == "FILE is not UTF-8 text; a problem file is TOML, `p2smt example` prints one"
    )


def test_a_large_file_is_refused_before_it_is_parsed(tmp_path):
    assert message(tmp_path, b"#" * (MAX_FILE_BYTES + 1)) == (
        "FILE is larger than 1000000 bytes, the limit; check what you give"
    )
    assert read(tmp_path, b"#" * MAX_FILE_BYTES).level == ()


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(ProblemError) as error:
        read_problem_file(tmp_path / "none.toml")
    assert str(error.value) == f"cannot read {tmp_path / 'none.toml'}: No such file or directory; check its name"
    with pytest.raises(ProblemError, match="Is a directory"):
        read_problem_file(tmp_path)
