"""Names of classes are nouns, and each has one home."""

import re
from collections import defaultdict

from source import texts

CLASS = re.compile(r"^class ([A-Z]\w*)", re.MULTILINE)
PRIVATE = re.compile(r"^class _([A-Z]\w*)", re.MULTILINE)
LAST_WORD = re.compile(r"[A-Z][a-z]*$")


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


IRREGULAR = words("""
    Begun Bought Broken Brought Caught Chosen Done Drawn Driven Found Given Gone Held Hidden Kept Known Laid Left Lost
    Made Met Paid Put Read Said Seen Sent Set Shown Sold Spent Taken Taught Thought Told Won Worn Woven Written
""")
NOUNS = words("""
    Drawing Feed Grouping Heading Lowering Mapping Meaning Pricing Reading Rewriting Routing Setting Sharding Speed
    Tiling Training Warning Wiring
""")
"""Nouns of the field, or of anybody's, that end as participles do."""
TERMS = words("Blocked Inferred Proved Read Reduced Refused Refuted Replicated Sliced Unfinished")
"""Terms of layouts, labels and verdicts, each a case of a closed union, and names of the public interface."""


def is_participle(name: str) -> bool:
    last = LAST_WORD.search(name)
    word = name if last is None else last[0]
    return word in IRREGULAR or (word.endswith(("ed", "ing")) and word not in NOUNS)


def homes() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file, text in texts().items():
        for name in CLASS.findall(text):
            found[name].append(file)
    return found


def test_classes_are_named_by_nouns():
    """A participle says what was done, but not to what: Candidate, not Made; Verdict, not Judged."""
    assert [name for name in ("Made", "ProgramFound", "JobsLaid") if not is_participle(name)] == []
    assert [name for name in ("Candidate", "Grouping", "LowerBound", "RankMapping") if is_participle(name)] == []
    assert {name: files for name, files in homes().items() if is_participle(name) and name not in TERMS} == {}
    private = [(file, name) for file, text in texts().items() for name in PRIVATE.findall(text)]
    # only: a set of layouts is a noun
    assert [name for _, name in private if is_participle(name)] == ["LayoutSet"]


def test_a_public_class_has_one_home():
    """Two classes of one name are told apart only by where they are imported from."""
    assert {name: files for name, files in homes().items() if len(files) > 1} == {}
