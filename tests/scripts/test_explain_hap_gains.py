"""The stored figures on HAP's gains follow from each other as the script's definitions say."""

import importlib
import re

import pytest
from paths import ROOT


@pytest.fixture
def rows(monkeypatch):
    """The stored rows, as the script's values."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    script = importlib.import_module("explain_hap_gains")
    text = (ROOT / "scripts" / "results" / "hap_gains.md").read_text(encoding="utf-8")
    tables = [re.findall(r"^\| (?:bert|vit) .*$", part, re.MULTILINE) for part in text.split("| model |")[1:]]
    cells = [[[each.strip() for each in row.strip("|").split("|")] for row in table] for table in tables]
    return [
        (
            script.Gain(
                model=first[0],
                cluster=first[1],
                gpus=int(first[2]),
                measured=float(first[3]),
                strategy=first[4],
                computing=float(second[2].split()[0]),
                summing=float(second[3].split()[0]),
                overlapped=0.0,
                bucketed=0.0,
                copies=0.0,
                launches=0.0,
                update=0.0,
            ),
            first,
            second,
        )
        for first, second in zip(*cells, strict=True)
    ]


def test_the_stored_rates_explain_the_measured_gains(rows):
    assert len(rows) == 3
    for gain, first, second in rows:
        step = float(first[5].split()[0])
        assert gain.step == pytest.approx(step, abs=0.002)
        assert gain.missing == pytest.approx(float(first[6].split()[0]), abs=0.002)
        # DDP, computing and summing at that rate one after the other, takes what was measured.
        assert gain.computing + gain.summing / float(second[4]) == pytest.approx(gain.measured * step, rel=0.02)
        hidden = gain.computing / 3 + gain.summing / float(second[5])
        assert hidden == pytest.approx(gain.measured * step, rel=0.02)
