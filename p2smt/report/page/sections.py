"""Sections common to all pages (problem, cluster, reading guide), and the building blocks of sections."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element

from p2smt.cost.network.backend import Backend, Gloo, Nccl
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.link import Link
from p2smt.problem.system.link_origin import links_text
from p2smt.problem.system.processors import Processors
from p2smt.report.content.content import ReportContent
from p2smt.report.content.naming import PlacementNames, levels_shape, shape_text
from p2smt.report.figures.cluster_drawing import described, placement_drawing
from p2smt.report.figures.shapes import Drawing
from p2smt.report.figures.svg import svg_element
from p2smt.report.page.element import Content, element, table


def section(identity: str, title: str, *content: Content, level: str = "h2") -> Element:
    """Return a part of the page under a heading."""
    return element(
        "section",
        element(level, title, id=f"{identity}-title"),
        *content,
        id=identity,
        aria_labelledby=f"{identity}-title",
    )


def choice(identity: str, label: str, options: Iterable[str], chosen: int = 0, **names: str) -> Element:
    """Return a labelled drop-down list."""
    entries = [
        element("option", text, value=str(number), **({"selected": ""} if number == chosen else {}))
        for number, text in enumerate(options)
    ]
    return element("p", element("label", label, for_=identity), element("select", *entries, id=identity, **names))


def facts(pairs: Sequence[tuple[str, Content]]) -> Element:
    """Return a list of names with their values."""
    return element("dl", *(element("div", element("dt", name), element("dd", value)) for name, value in pairs))


def chart(drawing: Drawing, narrow: Drawing, identity: str, caption: str) -> Element:
    """Return a chart with a narrow version for phones; the element with id `identity` holds its text alternative."""
    canvases = (
        element(
            "div",
            svg_element(one, identity),
            class_=f"canvas {name}",
            tabindex="0",
            role="group",
            aria_label=drawing.title,
        )
        for name, one in (("wide", drawing), ("narrow", narrow))
    )
    return element(
        "figure",
        *canvases,
        element("figcaption", caption),
        element("p", drawing.description, id=identity, class_="spoken"),
    )


def graph(drawing: Drawing, identity: str, caption: str) -> Element:
    """Return a drawing of a program's values in its full size, in a box that scrolls if it is too narrow."""
    picture = svg_element(drawing, identity)
    picture.set("width", f"{drawing.width:.0f}")
    return element(
        "figure",
        element("div", picture, class_="canvas whole", tabindex="0", role="group", aria_label=drawing.title),
        element("p", drawing.description, id=identity, class_="spoken"),
        element("figcaption", caption),
    )


def problem_section(shown: ReportContent, identity: str, title: str, *content: Content) -> Element:
    """Return a section on the system, its links, the axes, the search and the versions, followed by `content`."""
    system, search = shown.system, shown.search
    network = system.network
    pairs: list[tuple[str, Content]] = [
        ("System", element("bdi", system.name or "described by its levels alone")),
        ("Levels", levels_shape(system)),
        ("Axes", shape_text(shown.axes)),
        ("Devices", str(system.devices)),
        ("Device memory", _rate(network.memory_bandwidth)),
        ("To begin a collective", format_seconds(network.launch)),
        *([("Cores", _cores(network.processors))] if network.processors else []),
        ("Machines", network.machine or "all devices are in one"),
        ("Links at work together", f"the busiest hides {100 * network.overlap:.4g} % of the others' time"),
        ("Collectives carried by", _carried_by(shown.backend)),
        (
            "Search",
            f"up to {search.limit} instructions of grammar {search.grammar}, hierarchy {search.hierarchy}, "
            f"engine {search.engine}",
        ),
        ("Versions", ", ".join(f"{name} {version}" for name, version in shown.versions)),
    ]
    source = [element("p", "Source of the system's figures: ", element("bdi", system.source))]
    if not system.source:
        source = [element("p", "Links: ", element("bdi", f"{links_text(system)}."))]
    columns = ("Link", "Level", "Wiring", "Bandwidth", "Latency", "Duplex", "Ports", "Oversubscription", "More")
    links = table("Links", columns, map(_link_row, network.links), numbers=(3, 4, 6, 7))
    return section(identity, title, facts(pairs), *content, links, *source)


def _cores(processors: Processors) -> str:
    times = processors.call_s, processors.message_s, processors.port_s
    call, message, port = map(format_seconds, times)
    return f"{processors.cores}, shared by all devices; gloo takes {call} a call, {message} a message, {port} a port"


_CARRIED_BY = {
    Auto.AUTO: "rings, or trees for an AllReduce where they are faster, as NCCL chooses",
    Algorithm.COLLNET_DIRECT: "switches between machines for AllReduce (CollNet, direct), rings for all else",
    Algorithm.COLLNET_CHAIN: "switches between machines and chains inside for AllReduce (CollNet), rings for all else",
    Algorithm.PAT: "parallel trees for AllGather and ReduceScatter of one device per machine (PAT), rings for all else",
    Algorithm.RING: "rings",
    Algorithm.TREE: "trees for AllReduce, rings for all else",
    Algorithm.NVLS: "switches inside machines for AllReduce (NVLS), rings for all else",
    Algorithm.NVLS_TREE: "switches inside machines and trees between them for AllReduce, rings for all else",
}
_CONNECTIONS = {
    Algorithm.RING: "one connection of a ring",
    Algorithm.TREE: "of a tree",
    Algorithm.NVLS: "sums in the switch",
    Algorithm.NVLS_TREE: "the same before trees",
    Algorithm.COLLNET_DIRECT: "sums between machines, direct,",
    Algorithm.COLLNET_CHAIN: "the same with chains",
    Algorithm.PAT: "parallel trees",
}


def _carried_by(backend: Backend) -> str:
    match backend:
        case Nccl(algorithm):
            return _CARRIED_BY[algorithm]
        case Gloo():
            return "gloo"


def _link_row(link: Link) -> tuple[str, ...]:
    more = [f"{_CONNECTIONS[algorithm]} at most {_rate(rate)}" for algorithm, rate in link.flow.items()]
    more += [] if link.send_flow is None else [f"a send at most {_rate(link.send_flow)}"]
    flags = [name for name, given in (("uplink", link.uplink), ("rails", link.rails)) if given]
    return (
        link.name,
        link.level,
        str(link.wiring),
        _rate(link.bandwidth),
        format_seconds(link.latency),
        str(link.duplex),
        str(link.count),
        f"{link.oversubscription:.4g}",
        ", ".join([*flags, *more]) or "–",
    )


def _rate(rate: float) -> str:
    """Return bytes per second with a decimal prefix, as in data sheets.

    >>> _rate(8e9), _rate(2.5e12)
    ('8 GB/s', '2.5 TB/s')
    """
    for prefix, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= scale:
            return f"{rate / scale:.4g} {prefix}B/s"
    return f"{rate:.4g} B/s"


def cluster_section(shown: ReportContent, naming: PlacementNames, names: Sequence[str]) -> Element:
    """Return a section that shows the devices' coordinates on a placement chosen from `names`."""
    first, axis = shown.placements[shown.opened], shown.coloured
    drawing = placement_drawing(first, naming, axis)
    caption = described(first, naming, axis)
    pairs = zip(first.selection.devices, first.coordinates, strict=True)
    rows = [(str(device), *map(str, coordinates)) for device, coordinates in pairs]
    intro = (
        f"A placement gives every axis a number of parts on every level. {_shown_text(shown)} As a matrix, such as "
        f"{first.matrix}, its rows are the axes ({', '.join(naming.axes)}), its columns the levels "
        f"({', '.join(naming.levels)})."
    )
    return section(
        "cluster",
        "The cluster",
        element("p", intro),
        element(
            "div",
            choice("cluster-placement", "Placement", names, shown.opened, data_placement=""),
            choice("cluster-axis", "Colour by axis", naming.axes, axis, data_axis=""),
            class_="controls",
            hidden="",
        ),
        element(
            "figure",
            element(
                "div",
                svg_element(drawing, "cluster-words"),
                class_="canvas",
                data_cluster="",
                tabindex="0",
                role="group",
                aria_label="Cluster",
            ),
            element("figcaption", caption, id="cluster-words", aria_live="polite"),
        ),
        element(
            "details",
            element("summary", "Devices and their coordinates as a table"),
            table(
                "Coordinates of the devices drawn",
                ("Device", *naming.axes),
                rows,
                numbers=range(len(naming.axes) + 1),
                data_devices="",
            ),
        ),
    )


def _shown_text(shown: ReportContent) -> str:
    count = len(shown.placements)
    if count == shown.found:
        return "There is one." if count == 1 else f"There are {count}, fastest first."
    return f"Of {shown.found}, {count} are shown, fastest first."


def reading_section(more: Sequence[str]) -> Element:
    """Return a section on the meaning and limits of the numbers, ending with the paragraphs `more`."""
    paragraphs = (
        "Times are predicted by a model of the network: the bytes of every step on the busiest place of every link, "
        "over that link's bandwidth, the latency of the hops, and the time to begin a call; they are no measurements. "
        "All groups of a step work at once, and a step ends when its last group does.",
        "A program is a sequence of steps (slice, form, collective). The slice is a level of the hierarchy, root the "
        "whole cluster. InsideGroup: the devices inside each unit of that level act together. Parallel(L): the first "
        "devices of these units do, the second ones, and so on, over all units inside each unit of level L. Master(L): "
        "the first ones alone.",
        "A device holds the whole payload at the beginning and, reduced, at the end; ReduceScatter leaves each member "
        "of a group with a part, AllGather puts parts together, Reduce leaves the sum with the first member alone, "
        "Broadcast gives all what the first member has.",
        f"Sizes have binary prefixes ({format_bytes(2**20)} is 1,048,576 bytes), bandwidths decimal ones.",
        *more,
    )
    return section("reading", "How to read this", *(element("p", text) for text in paragraphs))
