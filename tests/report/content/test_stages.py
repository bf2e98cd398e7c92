"""What devices do stage by stage, against the instructions of an account made by hand."""

from types import SimpleNamespace

from p2smt.report.content.stages import Stages, StageWork, stages_of
from p2smt.spmd.devices.network import PICO


def made(kinds, speeds, instructions, stages):
    """An account of collectives (stage, seconds) and of work (stage, seconds of each device)."""
    listed = [
        SimpleNamespace(stage=stage, way="ring", time=what * PICO, work=())
        if isinstance(what, int)
        else SimpleNamespace(
            stage=stage, way=None, time=0, work=[one * speed for one, speed in zip(what, speeds, strict=True)]
        )
        for stage, what in instructions
    ]
    return SimpleNamespace(
        account=SimpleNamespace(stages=range(stages), instructions=listed),
        cluster=SimpleNamespace(devices=[SimpleNamespace(kind=kind) for kind in kinds], rates=speeds),
    )


def test_stages_are_summed_and_every_kind_has_its_extremes():
    """Devices 1 and 3 of kind b differ; kinds a and c wait, for whoever takes longest in each stage."""
    instructions = [(0, 5), (0, 2), (0, (1, 2, 3, 1)), (1, 3), (1, (4, 4, 1, 6)), (1, (0, 1, 0, 0)), (2, (1, 9, 1, 7))]
    found = stages_of(made("abcb", (2, 4, 8, 4), instructions, 3))
    assert found == Stages(
        (7.0, 3.0, 0.0),
        (
            StageWork("a, device 0", (1.0, 4.0, 1.0), (2.0, 2.0, 8.0), (("b", 10.0), ("c", 2.0))),
            StageWork("b, device 1: most of 2", (2.0, 5.0, 9.0), (1.0, 1.0, 0.0), (("b", 1.0), ("c", 1.0))),
            StageWork("b, device 3: least of 2", (1.0, 6.0, 7.0), (2.0, 0.0, 2.0), (("b", 2.0), ("c", 2.0))),
            StageWork("c, device 2", (3.0, 1.0, 1.0), (0.0, 5.0, 8.0), (("b", 13.0),)),
        ),
    )
    assert found.total == 10 + 18


def test_devices_that_do_the_same_stand_for_each_other():
    found = stages_of(made("aab", (1, 1, 2), [(0, (3, 3, 1))], 1))
    assert [(work.name, work.waits_for) for work in found.devices] == [
        ("each of 2 a", ()),
        ("b, device 2", (("a", 2.0),)),
    ]
