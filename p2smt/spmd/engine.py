"""The engines that solve the joint problem."""

from enum import StrEnum


class Engine(StrEnum):
    """Each finds the optimum of the same problem."""

    ELIMINATION = "elimination"
    ILP = "ilp"
    BRUTE = "brute"
