"""Programs that are kept between runs: what comes back is what the solver finds, whatever lies in the folder."""

import json
import multiprocessing
import os
import random
from base64 import b64decode, b64encode
from functools import cache
from itertools import product

import pytest
from command_line import output
from reduction.synth.cache_writer import keep_often

from p2smt.cache_folder import user_folder
from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, all_groupings, full_language
from p2smt.reduction.synth import session
from p2smt.reduction.synth.disk_cache import MOST_FILES, DiskCache
from p2smt.reduction.synth.engines import find_programs
from p2smt.smt.answer import Enumeration, Stop

LIMIT = 4
LANGUAGES = [
    full_language(1, Grammar.FULL, Collective.BROADCAST),
    full_language(2, Grammar.FULL),
    full_language(2, Grammar.PAPER),
    full_language(3, Grammar.FULL, Collective.ALL_GATHER),
    Language(3, all_groupings(3)[::2], Grammar.FULL),
]


@cache
def found(language):
    return find_programs(Engine.LEVELS, language, (2,) * language.levels, LIMIT).items


def only_file(folder):
    (path,) = folder.iterdir()
    return path


@pytest.mark.parametrize("language", LANGUAGES, ids=str)
def test_what_was_kept_comes_back(language, tmp_path):
    programs, cache = found(language), DiskCache(tmp_path / "deep" / "folder")
    assert cache.load(language, LIMIT) is None
    cache.keep(language, LIMIT, programs)
    assert cache.load(language, LIMIT) == programs
    assert cache.load(language, LIMIT + 1) is None
    assert cache.load(language, LIMIT, deadline=0.0) in (None, programs)


def test_every_language_has_a_file_of_its_own(tmp_path):
    """Also where languages differ in the goal alone: none takes another's place."""
    cache = DiskCache(tmp_path)
    languages = [*LANGUAGES[1:3], *(full_language(2, Grammar.FULL, goal) for goal in list(Collective)[1:])]
    programs = [find_programs(Engine.LEVELS, language, (2, 2), 2).items for language in languages]
    for language, kept in zip(languages, programs, strict=True):
        cache.keep(language, 2, kept)
    assert len(list(tmp_path.iterdir())) == len(languages)
    assert [cache.load(language, 2) for language in languages] == programs


def test_languages_of_six_levels_or_of_none_are_not_kept(tmp_path):
    cache = DiskCache(tmp_path / "folder")
    for levels in (0, 6, 7):
        cache.keep(full_language(levels), 1, ())
        assert cache.load(full_language(levels), 1) is None
    assert not (tmp_path / "folder").exists()
    cache.keep(full_language(5), 1, ())
    assert only_file(tmp_path / "folder").is_file()


def changed(document):
    """Every way in which a file may say something else than what is so; the longest programs have four steps."""
    counts, codes = document["counts"], b64decode(document["codes"])
    assert LIMIT == 4
    assert counts == [0, 1, 4, 24, 42]
    fewer, more = [*counts[:-1], counts[-1] - 1], [*counts[:-1], counts[-1] + 1]
    last, other = codes[-4:], codes[-8:-4]

    def with_codes(codes, counts=counts):
        return {**document, "counts": counts, "codes": b64encode(codes).decode()}

    yield with_codes(codes[:-4], fewer), "one is missing"
    yield with_codes(codes[:-4]), "one is missing and counted"
    yield with_codes(codes, fewer), "one is not counted"
    yield with_codes(codes[:-4] + other), "one comes twice"
    yield with_codes(codes + last, more), "one comes once more"
    yield with_codes(codes[:-8] + last + other), "another order"
    yield with_codes(codes[:-1] + b"\0"), "one does something else"
    yield with_codes(codes[:-1] + b"\xff"), "a step that there is not"
    yield with_codes(codes[:-1] + bytes([document["steps"]])), "the first step that there is not"
    yield with_codes(codes + b"\0"), "one goes on"
    yield with_codes(codes, [counts[0] + 1, *counts[1:-1], counts[-1] - 1]), "an empty one"
    yield with_codes(codes, [counts[0], counts[2], counts[1], *counts[3:]]), "other lengths"
    yield with_codes(codes, [*counts, 0]), "a length more"
    yield with_codes(codes, [-1, counts[1] + 1, *counts[2:]]), "a negative count"
    yield with_codes(b"", [0] * len(counts)), "none"
    yield with_codes(codes, [10**30, *counts[1:]]), "very many"
    yield {**document, "codes": "?"}, "no bytes"
    yield {**document, "codes": list(codes)}, "a list of numbers"
    yield {**document, "counts": ["x", *counts[1:]]}, "no number"
    yield {**document, "p2smt_programs": 1}, "another format"
    yield {**document, "levels": 3}, "other levels"
    yield {**document, "goal": "Reduce"}, "another goal"
    yield {**document, "limit": LIMIT - 1}, "another limit"
    yield {**document, "more": 1}, "another key"
    yield {key: value for key, value in document.items() if key != "steps"}, "a key less"
    yield [document], "a list"


def test_what_is_not_so_is_not_believed(tmp_path):
    language = full_language(2)
    programs, cache = found(language), DiskCache(tmp_path)
    cache.keep(language, LIMIT, programs)
    path = only_file(tmp_path)
    good = path.read_bytes()
    for document, why in changed(json.loads(good)):
        path.write_text(json.dumps(document), encoding="utf-8")
        assert cache.load(language, LIMIT) is None, why
    for data in (b"", good[: len(good) // 2], good + b"x", b"\xff" * 100, b"[" * 10**5):
        path.write_bytes(data)
        assert cache.load(language, LIMIT) is None
    path.write_bytes(good)
    assert cache.load(language, LIMIT) == programs


def test_no_other_program_is_believed(tmp_path):
    """Any one program put in another's place, or any two changed for each other, is noticed."""
    language = full_language(2, Grammar.PAPER)
    programs, cache = found(language), DiskCache(tmp_path)
    cache.keep(language, LIMIT, programs)
    path = only_file(tmp_path)
    document = json.loads(path.read_bytes())
    codes = b64decode(document["codes"])
    dice = random.Random(20)
    for _ in range(150):
        other = bytearray(codes)
        for place in dice.sample(range(len(codes)), dice.choice((1, 1, 2, 3))):
            other[place] = dice.randrange(document["steps"])
        path.write_text(json.dumps({**document, "codes": b64encode(other).decode()}), encoding="utf-8")
        assert cache.load(language, LIMIT) == (programs if bytes(other) == codes else None)


def test_a_language_without_programs_is_kept_too(tmp_path):
    language, cache = Language(2, (Grouping(0, 1),), Grammar.FULL), DiskCache(tmp_path)
    assert found(language) == ()
    cache.keep(language, LIMIT, ())
    assert cache.load(language, LIMIT) == ()
    path = only_file(tmp_path)
    document = json.loads(path.read_bytes())
    for counts, codes in (([1, 0, 0, 0, 0], b""), ([0, 1, 0, 0, 0], b"\0")):
        path.write_text(
            json.dumps({**document, "counts": counts, "codes": b64encode(codes).decode()}), encoding="utf-8"
        )
        assert cache.load(language, LIMIT) is None


def test_a_file_of_another_language_is_not_believed(tmp_path):
    for one, other in product(LANGUAGES, LANGUAGES):
        if one != other:
            cache = DiskCache(tmp_path / str(len(list(tmp_path.iterdir()))))
            cache.keep(one, LIMIT, ())
            mine = only_file(tmp_path / f"{len(list(tmp_path.iterdir())) - 1}")
            theirs = mine.with_name("theirs")
            mine.rename(theirs)
            cache.keep(other, LIMIT, found(other))
            (target,) = (path for path in mine.parent.iterdir() if path != theirs)
            target.rename(mine)
            assert cache.load(one, LIMIT) is None


def test_a_synthesizer_asks_the_solver_once_and_replays_what_it_kept(tmp_path, monkeypatch):
    from support import problem

    asked = problem((2, 4), [8])
    before = session.Synthesizer(DiskCache(tmp_path)).synthesize(asked)
    monkeypatch.setattr(session, "find_programs", lambda *_: pytest.fail("the solver is asked again"))
    replays = []
    invalid = session.invalid_programs
    monkeypatch.setattr(session, "invalid_programs", lambda *given: (replays.append(len(given[0])), invalid(*given))[1])
    after = session.Synthesizer(DiskCache(tmp_path)).synthesize(asked)
    assert [one.programs for one in after.placements] == [one.programs for one in before.placements]
    assert replays == [len(before.placements[0].programs)]


def test_what_was_cut_off_is_not_kept(tmp_path, monkeypatch):
    """Before the first program, or after some."""
    from support import problem

    stopped = session.Synthesizer(DiskCache(tmp_path)).synthesize(problem((2, 4), [8]), deadline=0.0)
    assert not stopped.complete
    assert not list(tmp_path.iterdir())
    some = Enumeration(found(full_language(2, Grammar.FULL))[:3], Stop.DEADLINE)
    monkeypatch.setattr(session, "find_programs", lambda *_: some)
    (placed,) = session.Synthesizer(DiskCache(tmp_path)).synthesize(problem((2, 4), [8])).placements
    assert (len(placed.programs), placed.stop) == (3, Stop.DEADLINE)
    assert not list(tmp_path.iterdir())


@pytest.mark.thorough  # stores that are written at once are in tests/sweep
def test_processes_that_write_at_once_leave_whole_files(tmp_path):
    language = full_language(2)
    programs = found(language)
    workers = [
        multiprocessing.get_context("spawn").Process(target=keep_often, args=(str(tmp_path), language, LIMIT, programs))
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    seen = 0
    while any(worker.is_alive() for worker in workers):
        loaded = DiskCache(tmp_path).load(language, LIMIT)
        assert loaded in (None, programs)
        seen += loaded is not None
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert seen
    assert only_file(tmp_path).name.startswith("programs-")


def test_a_folder_that_cannot_be_used_is_done_without(tmp_path):
    language, file = full_language(1), tmp_path / "file"
    file.write_text("", encoding="utf-8")
    for folder in (file, file / "below", None):
        cache = DiskCache(folder)
        cache.keep(language, LIMIT, found(language))
        assert cache.load(language, LIMIT) is None


def test_the_folder_does_not_grow_for_ever(tmp_path):
    for number in range(MOST_FILES + 5):
        (tmp_path / f"programs-{number}.json").write_bytes(b"")
        os.utime(tmp_path / f"programs-{number}.json", (number, number))
    language = full_language(1)
    DiskCache(tmp_path).keep(language, LIMIT, found(language))
    assert len(list(tmp_path.iterdir())) == MOST_FILES
    assert DiskCache(tmp_path).load(language, LIMIT) == found(language)


def test_as_long_as_there_is_room_nothing_goes(tmp_path):
    language = full_language(1)
    for count in (MOST_FILES // 2 + 1, MOST_FILES - 1):
        folder = tmp_path / str(count)
        folder.mkdir()
        for number in range(count):
            (folder / f"programs-{number}.json").write_bytes(b"")
        DiskCache(folder).keep(language, LIMIT, found(language))
        assert len(list(folder.iterdir())) == count + 1


def test_where_programs_are_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("P2SMT_CACHE", "")
    assert user_folder() is None
    monkeypatch.setenv("P2SMT_CACHE", str(tmp_path))
    assert user_folder() == tmp_path
    monkeypatch.delenv("P2SMT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert user_folder() == tmp_path / "p2smt"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_folder() == tmp_path / ".cache" / "p2smt"


def test_the_command_line_keeps_programs_unless_told_not_to(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("P2SMT_CACHE", str(tmp_path))
    asked = ["synth", "--system", "2x4", "--axes", "8", "--reduce", "0", "--json"]
    first = json.loads(output(["--no-cache", *asked], capsys))
    assert not list(tmp_path.iterdir())
    monkeypatch.setenv("P2SMT_CACHE", str(tmp_path))
    second = json.loads(output(asked, capsys))
    assert only_file(tmp_path).is_file()
    third = json.loads(output(asked, capsys))
    for one in (first, second, third):
        del one["elapsed_s"]
    assert first == second == third
