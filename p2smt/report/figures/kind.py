"""The kinds of stand-alone figures."""

from enum import StrEnum


class FigureKind(StrEnum):
    """A kind of stand-alone figure.

    CLUSTER draws a placement, PROGRAM the steps of a plan, TIME_LINE its chunks over time, RANKING compares
    placements, and SENSITIVITY shows time against payload size.
    """

    CLUSTER = "cluster"
    PROGRAM = "program"
    TIME_LINE = "time-line"
    RANKING = "ranking"
    SENSITIVITY = "sensitivity"
