"""The page of a sharding: its time, the work and waiting of devices, alternatives, and the layout of every tensor."""

from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element

from p2smt.cost.bus_bandwidth import RATE, rate_cell
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.stages import Stages, stages_of
from p2smt.report.content.versions import versions
from p2smt.report.figures.chart_rows import NARROW, WIDE
from p2smt.report.figures.graph_drawing import MOST_VALUES, graph_drawing
from p2smt.report.figures.stage_chart import ProgramBar, contender_drawing, stage_drawing
from p2smt.report.figures.step_drawing import step_drawing
from p2smt.report.page.document import contents_list, document, footer, heading
from p2smt.report.page.element import Content, element, table
from p2smt.report.page.sections import chart, facts, graph, section
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instruction_rate import instruction_bus_bandwidth
from p2smt.spmd.account.recognition import recognised
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.reading.comparison import runner_ups, why
from p2smt.spmd.reading.parameters import parameter_groups
from p2smt.spmd.reading.step_time_line import step_picoseconds, step_time_line
from p2smt.spmd.search.sharded import Segment, SegmentScope, ShardingResult
from p2smt.tensor.footprint import footprint
from p2smt.tensor.placing import Mesh, layouts_text
from p2smt.tensor.program import Program
from p2smt.wording import counted

MOST_ROWS = 100
MOST_OPEN = 20
MOST_NAMES = 4
MOST_HIDDEN = 20


def sharding_page(sharded: ShardingResult, command: Sequence[str] = ()) -> str:
    """Return the whole page; the text is deterministic, and no string of the program can become markup."""
    devices = counted(len(sharded.cluster.devices), "device")
    system = sharded.cluster.name or "the system"
    names = ", ".join(dict.fromkeys(each.name for each in recognised(sharded.program))) or "nothing is contracted"
    lead = [
        _reported(sharded),
        f"{_bound(sharded)} Collectives take {_seconds(sharded.account.communication)}, one after the other.",
        *(f"It does not fit: {line}." for line in sharded.lacks),
    ]
    chapters = [
        ("Time line", _time_line_section(sharded)),
        ("What devices do", _devices_section(stages_of(sharded))),
        ("Others", _others_section(sharded)),
        ("Layouts", _layouts_section(sharded)),
        ("Collectives", _collectives_section(sharded.account, sharded.program.mesh)),
        ("Graph", _graph_section(sharded)),
        ("How to read this", _reading_section()),
    ]
    top = heading(
        f"{sharded.program.name} on {system}",
        f"{_seconds(step_picoseconds(sharded.program, sharded.account, sharded.cluster))} a step on {devices}: {names}",
        lead,
    )
    main = element("main", _answer_section(sharded), contents_list(chapters), *(chapter for _, chapter in chapters))
    title = f"p2smt: sharding of {sharded.program.name} on {system}"
    return document(title, top, main, footer(versions(), command))


def _reported(sharded: ShardingResult) -> str:
    """Return a sentence on the stage-based time, to which the bounds apply, beside the reported step time."""
    if not sharded.cluster.models:
        return "Times are by stages, as computing is priced by speeds."
    return (
        f"Counted by stages, which do not overlap, it takes {_seconds(sharded.account.time)}; comparisons and bounds "
        "below count so."
    )


def _time_line_section(sharded: ShardingResult) -> Element:
    line = step_time_line(sharded.program, sharded.account, sharded.cluster)
    figure = chart(
        step_drawing(line, WIDE),
        step_drawing(line, NARROW),
        "time-line-said",
        "Collectives run beside what does not wait for them; p2smt shard --trace writes every kernel, for Perfetto.",
    )
    hidden = sorted(line.hidden(), key=lambda each: -each.exposed)[:MOST_HIDDEN]
    rows = [
        (
            each.span.task.name,
            _seconds(each.beside),
            "" if each.behind is None else each.behind.task.name,
            _seconds(each.exposed),
        )
        for each in hidden
    ]
    columns = ("Collective", "Hidden", "Longest beside it", "Exposed")
    found = (
        table("Collectives that are exposed most", columns, rows, (1, 3), class_="named")
        if rows
        else "No collective is exposed."
    )
    return section("time-line", "The time line of a step", figure, found)


def _bound(sharded: ShardingResult) -> str:
    """Return the optimality statement, which covers programs that make a separate call for each collective."""
    certified = ", which a checker of its own has accepted" if sharded.proved else ""
    if sharded.joined or sharded.gathers:
        parts = ", and outputs in parts," if sharded.gathers else ""
        fastest = "it" if sharded.is_searched else "the fastest program"
        apart = f"With a call for each collective{parts} {fastest} takes {_seconds(sharded.searched.account.time)}. "
    else:
        apart = ""
    if sharded.gap <= 1e-6:
        by = " by more than a millionth" if sharded.gap else ""
        return f"{apart}No program with the shares that were tried is faster{by}{certified}."
    where = " in these segments" if isinstance(sharded.scope, SegmentScope) else ""
    below = 1 - sharded.lower_bound / sharded.searched.account.time
    least = f"{_seconds(sharded.lower_bound)}, {below:.1%} below"
    return f"{apart}No program{where} with the shares that were tried takes less than {least}{certified}."


def _answer_section(sharded: ShardingResult) -> Element:
    pairs: list[tuple[str, Content]] = [
        (each.name, f"{each.detail}, on the axis {each.axis}") for each in recognised(sharded.program)
    ]
    kinds: dict[str, list[int]] = {}
    for number, device in enumerate(sharded.cluster.devices):
        kinds.setdefault(device.kind, []).append(number)
    for kind, numbers in kinds.items():
        first = sharded.cluster.devices[numbers[0]]
        peak = max(sharded.account.memory[number] for number in numbers)
        room = f" of {format_bytes(first.memory)}" if first.memory is not None else ""
        share = float(sharded.shares.parts[numbers[0]])
        pairs.append(
            (
                counted(len(numbers), "device") + f", {kind}",
                f"{share:.2%} of every cut each; holds {format_bytes(peak)}{room} at most",
            )
        )
    pairs.append(("Shares", sharded.shares.name))
    if isinstance(sharded.scope, SegmentScope):
        pairs += [(f"Segment {number}", _segment(each, kinds)) for number, each in enumerate(sharded.scope.segments)]
    return section("answer", "The answer", facts(pairs))


def _segment(segment: Segment, kinds: Mapping[str, Sequence[int]]) -> str:
    shares = ", ".join(f"{kind} {float(segment.shares.parts[numbers[0]]):.2%}" for kind, numbers in kinds.items())
    return f"{shares}; {', '.join(segment.parameters[:MOST_NAMES]) or 'no parameters'}"


def _devices_section(stages: Stages) -> Element:
    figure = chart(
        stage_drawing(stages, WIDE),
        stage_drawing(stages, NARROW),
        "stages-said",
        "Every stage begins with collectives, which all take part in, and ends when its slowest device has computed.",
    )
    rows = [
        (
            work.name,
            format_seconds(sum(work.computing)),
            format_seconds(sum(work.waiting)),
            ", ".join(f"{kind} {format_seconds(seconds)}" for kind, seconds in work.waits_for) or "nobody",
        )
        for work in stages.devices
    ]
    columns = ("Device", "Computes", "Waits", "For")
    return section("devices", "What devices do", figure, table("What each device waits for", columns, rows, (1, 2)))


def _others_section(sharded: ShardingResult) -> Element:
    others = runner_ups(sharded)
    contenders = [_contender("the answer", sharded.account)]
    contenders += [_contender(each.name, each.candidate.account) for each in others]
    figure = chart(
        contender_drawing(contenders, WIDE),
        contender_drawing(contenders, NARROW),
        "others-said",
        "The usual strategies by the same cost model, each the fastest of its kind.",
    )
    rows = [(each.name, _seconds(each.candidate.account.time), why(each)) for each in others]
    found = (
        table("Why they lose", ("Strategy", "Step", "Why"), rows, (1,), class_="named") if rows else "There are none."
    )
    return section("others", "Beside others", figure, found)


def _contender(name: str, account: Account) -> ProgramBar:
    return ProgramBar(name, account.communication / PICO, account.computing / PICO)


def _layouts_section(sharded: ShardingResult) -> Element:
    rows = [(name, layouts_text(layouts, sharded.program.mesh)) for name, layouts in sharded.stored]
    return section(
        "layouts",
        "Where every tensor is stored",
        *_parameters(sharded.program),
        *_shortened("Layouts", ("Tensor", "Layout"), rows),
    )


def _parameters(program: Program) -> Iterator[Content]:
    """Yield a table of parameters and their use on each axis; names that differ only in numbers share a row."""
    rows = [(each.pattern, str(len(each.names)), *map(str, each.layouts)) for each in parameter_groups(program)]
    if rows:
        axes = [f"On {axis.name}" for axis in program.mesh]
        yield from _shortened("Parameters in the field's words", ("Names", "Number", *axes), rows, (1,))


def _collectives_section(account: Account, mesh: Mesh) -> Element:
    sent = sorted((each for each in account.instructions if each.way is not None), key=lambda each: -each.time)
    rows = [
        (
            ", ".join(each.bucket[:MOST_NAMES]) + (", ..." if len(each.bucket) > MOST_NAMES else "") or each.statement,
            each.text,
            str(each.way),
            format_bytes(each.bytes),
            _seconds(each.time),
            rate_cell(instruction_bus_bandwidth(each, mesh)),
            str(each.stage),
        )
        for each in sent
    ]
    columns = ("Of", "Collective", "Way", "Tensor", "Time", RATE, "Stage")
    parts = _shortened("Collectives, longest first", columns, rows, (3, 4, 5, 6))
    return section("collectives", "Collectives", *(parts if rows else ["None is needed."]))


def _shortened(
    caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()
) -> Iterator[Content]:
    """Yield a table of at most `MOST_ROWS` rows, and a note with the number of rows if some are omitted.

    A table of more than `MOST_OPEN` rows is folded away.
    """
    shown = table(caption, columns, rows[:MOST_ROWS], numbers, class_="named")
    summary = element("summary", f"{caption}: {len(rows)} rows")
    yield shown if len(rows) <= MOST_OPEN else element("details", summary, shown, class_="folded")
    if len(rows) > MOST_ROWS:
        yield element("p", f"{MOST_ROWS} of {len(rows)} are shown; p2smt shard --json has all.")


def _graph_section(sharded: ShardingResult) -> Element:
    count = len(sharded.program.sources) + len(sharded.program.statements)
    if count > MOST_VALUES:
        text = f"The program has {count} values; graphs of up to {MOST_VALUES} are drawn. p2smt show prints them."
        return section("graph", "The graph with its layouts", element("p", text))
    drawing = graph_drawing(footprint(sharded.program))
    figure = graph(drawing, "graph-said", "A box per value, below what it is computed from.")
    return section("graph", "The graph with its layouts", figure)


def _reading_section() -> Element:
    pairs: list[tuple[str, Content]] = [
        ("Share", "the part of every cut that a device gets, rounded to whole samples, heads or features"),
        ("Stage", "collectives, and what is computed until the next ones; nothing overlaps"),
        ("sliced(d)", "each device has its own block of dimension d"),
        ("partial(+)", "each device has a partial value; the tensor is their sum"),
        (
            "Way",
            "padded: blocks filled up to the largest; grouped: a call for each block; exchange: point to point; "
            "program: a reduction program over the system's levels",
        ),
        ("Times", "predicted by the model of the system's links and speeds, not measured"),
    ]
    return section("reading", "How to read this", facts(pairs))


def _seconds(picoseconds: int) -> str:
    return format_seconds(picoseconds / PICO)
