"""A mistake of a distributed program as text."""

from collections.abc import Iterator

from p2smt.tensor.verification.verdict import ProgramMistake


def mistake_words(mistake: ProgramMistake, single: str) -> Iterator[tuple[str, str]]:
    """Yield labelled lines about a mistake: what is wrong, where, why, and what shows it.

    `single` is the reference's name.
    """
    axis = f", axis {mistake.axis}" if mistake.axis else ""
    if mistake.refusal is not None:
        yield "wrong:", f"{mistake.statement}{axis}: {mistake.refusal.reason}"
        yield "there", mistake.refusal.detail
    elif mistake.wrong is not None and mistake.wrong.rank is None:
        yield "wrong:", f"{mistake.statement}: it is not that of {single}"
    else:
        yield "wrong:", f"{mistake.statement}: its value differs from that of {single}; layouts fit"
    if mistake.cause:
        yield "cause:", mistake.cause
    yield "shown:", str(mistake.wrong) if mistake.wrong is not None else mistake.unseen
