"""The figures that can stand alone."""

from enum import StrEnum


class FigureKind(StrEnum):
    """The devices of a placement, a plan by steps or its chunks over time, or how placements or programs compare."""

    CLUSTER = "cluster"
    PROGRAM = "program"
    TIME_LINE = "time-line"
    RANKING = "ranking"
    SENSITIVITY = "sensitivity"
