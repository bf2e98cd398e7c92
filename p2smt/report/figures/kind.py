"""The figures that can stand alone."""

from enum import StrEnum


class Figure(StrEnum):
    """The devices of a placement, a plan step by step, or how placements or programs compare."""

    CLUSTER = "cluster"
    PROGRAM = "program"
    RANKING = "ranking"
    SENSITIVITY = "sensitivity"
