"""The test of a table: its name, checked against its columns and busbw / algbw."""

import re
from math import ceil, inf

from p2smt.cost.calibration.benchmark_text import OSU
from p2smt.cost.calibration.nccl_factor import Factor, NcclTest
from p2smt.cost.calibration.nccl_rows import ELEMENT_BYTES
from p2smt.cost.calibration.nccl_run import UNSAID, Row, Run
from p2smt.errors import ProblemError

PRICED = tuple(test for test in NcclTest if test.is_priced)
"""The tests to whose tables parameters are fitted."""

_ALONE = 0.4
"""The value of busbw / algbw below which there was a single rank; two ranks have at least 0.5."""

_SPELLED = {re.sub("[^a-z]", "", test): test for test in NcclTest}


def which_test(run: Run, row: Row, factor: Factor | None, given: NcclTest | None) -> tuple[NcclTest, str]:
    """Return the test of a table, and a note if only a command line above it names the test.

    The table's own statement comes first, then `given`, then a command line above it, then columns and rates if only
    one test fits them. Raises ProblemError if nothing determines the test, if name and rates contradict each other, and
    for a test without a price.
    """
    members = _members(run)
    if run.program.endswith("oneCCL"):
        raise ProblemError(
            f"{run.place}: {run.program} counts bytes differently from nccl-tests; only its allreduce "
            "is supported, so leave this table out"
        )
    if run.program.endswith(OSU):
        raise ProblemError(
            f"{run.place}: {run.program} is not supported; of OSU's benchmarks, use the all-reduce or "
            "the broadcast of NCCL"
        )
    own = _named(run.program)
    if own is None:
        return _by_columns(run, row, factor, given)
    if factor is not None and factor.high < _ALONE:
        raise ProblemError(f"{run.place}: {_contradiction(factor, row, members)}")
    if factor is not None and not _has_factor(own, factor, members):
        raise ProblemError(
            f"{run.place}: the heading says {own}, but busbw / algbw = {factor} does not match "
            f"{own}{_among(members)}; put each table under its own heading and device list"
        )
    return _with_price(own, run), ""


def _by_columns(run: Run, row: Row, factor: Factor | None, given: NcclTest | None) -> tuple[NcclTest, str]:
    """Return the test of a table that does not name it: the named one of those that columns and rates allow."""
    members = _members(run)
    possible = [test for test in NcclTest if _fits(test, row, factor, members)]
    priced = [test for test in possible if test in PRICED]
    if factor is None:
        found = _told(priced, row, factor) or given
    elif not possible:
        raise ProblemError(f"{run.place}: {_contradiction(factor, row, members)}")
    else:
        priced = [test for test in priced if members > 1 and factor.allows(test, members)] or priced
        found = given if given in possible else None
    mentioned = _named(run.mentioned)
    if found is None and mentioned in possible:
        return _with_price(mentioned, run), f"{run.place}: {mentioned}, by the line above it that names it"
    found = found or _told(priced, row, factor)
    if found is None and given is not None:
        raise ProblemError(
            f"{run.place}: busbw / algbw = {factor} does not match {given}{_among(members)}; correct "
            f"--collective, it fits {' or '.join(possible) or 'of no test'}"
        )
    if found is None:
        raise ProblemError(
            f"{run.place}: the table does not name its collective; give --collective, one of {', '.join(PRICED)}"
        )
    return _with_price(found, run), ""


def _contradiction(factor: Factor, row: Row, members: int) -> str:
    """Return the reason why no test has these rates."""
    if factor.high < _ALONE:
        return "busbw is 0, as of one rank, so no link was used; leave this table out"
    fitting = [(test, factor.only(test)) for test in PRICED if test.adds == (row.redop not in (None, "none"))]
    said = next(((test, ranks) for test, ranks in fitting if ranks and test.twice and not test.is_rooted), None)
    ranks = f"that of {said[1]} ranks in {said[0]}" if said else "that of no test"
    listed = f", but the device list has {members}" if members else ""
    return f"busbw / algbw = {factor} is {ranks}{listed}; put each table under its own device list"


def _with_price(test: NcclTest, run: Run) -> NcclTest:
    if test not in PRICED:
        raise ProblemError(
            f"{run.place}: {test} is not a supported test; leave the table out, or measure one of {', '.join(PRICED)}"
        )
    return test


def _among(members: int) -> str:
    return f" among {members} ranks" if members > 1 else ""


def _named(program: str) -> NcclTest | None:
    name = re.split(r"[/\\]", program)[-1].partition("_perf")[0].partition("_test")[0]
    return _SPELLED.get(re.sub("[^a-z]", "", name.lower()))


def _members(run: Run) -> int:
    """Return the number of ranks per group in the device list; 0 if lines may be missing."""
    numbers = sorted(rank.number for rank in run.ranks)
    if numbers and numbers == list(range(len(numbers))):
        return len(numbers) // len({rank.group for rank in run.ranks})
    return run.nranks


def _fits(test: NcclTest, row: Row, factor: Factor | None, members: int) -> bool:
    """True if columns and rates fit a test."""
    if (
        row.type
        and row.redop != UNSAID
        and (row.redop in (None, "none") if test.adds else row.redop not in (None, "none", "sum"))
    ):
        return False
    if row.root is not None and (row.root >= 0) != test.is_rooted:
        return False
    if row.type in ELEMENT_BYTES and row.count:
        whole = row.size == row.count * ELEMENT_BYTES[row.type]
        if (whole and test.adds and test.twice == 1) or (not whole and test.twice != 1):
            return False
    return factor is None or _has_factor(test, factor, members)


def _has_factor(test: NcclTest, factor: Factor, members: int) -> bool:
    """True if busbw / algbw fits a test with at least as many ranks as are listed."""
    if not test.twice:
        # A factor of 1 for every number of ranks is that of any two ranks.
        return factor.allows(test, 2)
    low, high = factor.ranks(test)
    return low < inf and max(2, members, ceil(low - 1e-3)) <= high + 1e-3


def _told(possible: list[NcclTest], row: Row, factor: Factor | None) -> NcclTest | None:
    """Return the only test that columns and rates allow; without rates, the only one that columns allow."""
    if factor is not None and len(possible) == 1:
        return possible[0]
    reduces = row.redop not in (None, "none", UNSAID)
    rooted = row.root is not None and row.root >= 0
    found: NcclTest | None = None
    if reduces and rooted:
        found = NcclTest.REDUCE
    elif rooted and row.redop is None:
        found = NcclTest.BROADCAST  # tables without redop are older than gather and scatter
    elif reduces and row.type in ELEMENT_BYTES:
        same = row.size == row.count * ELEMENT_BYTES[row.type]
        found = NcclTest.ALL_REDUCE if same else NcclTest.REDUCE_SCATTER
    return found if found in possible else None
