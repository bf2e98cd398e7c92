"""What a rank does in the tests of training scripts."""

import sys
from pathlib import Path

import torch
from paths import ROOT

sys.path.insert(0, str(Path(ROOT) / "scripts"))
from training_habits import HABITS
from training_scripts import SCRIPTS, verdict


def judged(name):
    return verdict(name, torch.device("cpu"), {**SCRIPTS, **HABITS})
