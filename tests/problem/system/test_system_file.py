"""System files: what is read, how mistakes are named, and that printing and reading are inverse."""

import json
import tomllib
from dataclasses import replace
from math import prod

import jsonschema
import pytest
from cost.network.random_systems import placed
from hypothesis import given, settings
from hypothesis import strategies as st
from problem.refusal import refusal
from tiers import examples

from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.build import MEMORY_BANDWIDTH, default_system
from p2smt.problem.system.file import (
    SystemFile,
    preset,
    preset_names,
    preset_text,
    read_system,
    resized,
    system_example_text,
    system_text,
)
from p2smt.problem.system.link import Duplex, Wiring
from p2smt.problem.system.network import Level
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import json_schema

LEVEL = '[[level]]\nname = "node"\nsize = 2\n[[level]]\nname = "gpu"\nsize = 4\n'
NIC = '[[link]]\nname = "nic"\nlevel = "node"\nbandwidth = "8GB/s"\nlatency = "14us"\n'


def read(tmp_path, text):
    path = tmp_path / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def message(tmp_path, text):
    return refusal(read, tmp_path, text).replace(str(tmp_path / "system.toml"), "FILE")


def rates(system):
    return {link.name: link.bandwidth for link in system.network.links}


def test_a_preset_is_read_says_its_source_and_comes_back_from_its_text(tmp_path):
    for name in preset_names():
        system = preset(name)
        assert system.name == name
        assert len(system.source) > 60, name
        assert (system.network.machine is None) == name.startswith("tpu-"), name  # a torus goes on over its hosts
        assert read(tmp_path, system_text(system)) == system, name
        assert find_system(name) == system, name


def test_the_presets():
    assert set(preset_names()) >= {"dgx-a100", "dgx-h100", "ethernet", "gb200-nvl72", "lab", "p2-a100", "p2-v100"}
    assert set(preset_names()) >= {"hgx-h200", "hgx-b200", "aws-p4d", "aws-p5", "azure-nd-h100-v5", "gcp-a3-mega"}


def test_figures_of_presets_by_hand():
    """Eight 400 Gb/s cards at 90 %, 900 GB/s both ways at 90 %; the paper's nodes with one card each."""
    h100 = preset("dgx-h100")
    assert rates(h100) == {"nic": pytest.approx(45e9), "nvswitch": pytest.approx(405e9)}
    assert h100.network.links[0].count == 8
    v100 = preset("p2-v100")
    assert [level.size for level in v100.levels] == [4, 8]
    assert [link.wiring for link in v100.network.at("gpu")] == [Wiring.RING, Wiring.BUS]
    assert v100.network.at("node")[0].duplex is Duplex.HALF


def odd_floats(least, most):
    return st.one_of(st.floats(least, most), st.sampled_from([least, most, most / 3]))


@settings(max_examples=examples(10))
@given(case=placed(rates=odd_floats(1.0, 1e18), latencies=st.one_of(st.just(0.0), odd_floats(1e-12, 10))))
def test_reading_the_text_of_any_system_gives_the_system(case, tmp_path_factory):
    _, system = case
    assert read(tmp_path_factory.getbasetemp(), system_text(system)) == system
    assert read(tmp_path_factory.getbasetemp(), system_text(system, {"rows": 3, "from": "a.csv"})) == system


@pytest.mark.parametrize("latency", [0.00034567890123456787, 0.0012345678901234567, 1e-9 / 3, 100 / 7, 0.0])
def test_a_latency_with_all_digits_of_a_float_is_read_back(latency, tmp_path):
    system = preset("lab")
    links = tuple(replace(link, latency=latency) for link in system.network.links)
    system = replace(system, network=replace(system.network, links=links))
    assert read(tmp_path, system_text(system)) == system


@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=30))
def test_any_name_and_source_are_read_back(tmp_path_factory, text):
    system = replace(default_system([Level("node", 2), Level("gpu", 4)]), name=text, source=text)
    assert read(tmp_path_factory.getbasetemp(), system_text(system)) == system


def test_all_devices_in_one_machine_and_the_default(tmp_path):
    assert read(tmp_path, LEVEL).network.machine == "node"
    assert read(tmp_path, 'machine = ""\n' + LEVEL).network.machine is None
    assert read(tmp_path, '[[level]]\nname = "gpu"\nsize = 4\n').network.machine is None


def test_a_file_of_levels_alone_is_the_default_system(tmp_path):
    assert read(tmp_path, LEVEL) == default_system([Level("node", 2), Level("gpu", 4)])
    own = read(tmp_path, LEVEL + 'bandwidth = "10GB/s"\nlatency = "1ms"\n')
    assert [(link.bandwidth, link.latency) for link in own.network.links] == [(8e9, 14e-6), (1e10, 1e-3)]
    assert own.network.memory_bandwidth == MEMORY_BANDWIDTH
    assert read(tmp_path, '[device]\nmemory_bandwidth = "3TB/s"\n' + LEVEL).network.memory_bandwidth == 3e12


def test_bytes_bits_and_binary_prefixes_are_three_different_rates(tmp_path):
    found = {unit: read(tmp_path, LEVEL + NIC.replace("GB/s", unit)) for unit in ("GB/s", "Gb/s", "Gbit/s", "GiB/s")}
    nic = {unit: system.network.links[0].bandwidth for unit, system in found.items()}
    assert nic == {"GB/s": 8e9, "Gb/s": 1e9, "Gbit/s": 1e9, "GiB/s": 8 * 2.0**30}


def test_the_example_is_read(tmp_path):
    system = read(tmp_path, system_example_text())
    assert [(level.name, level.size) for level in system.levels] == [("rack", 2), ("node", 4), ("gpu", 8)]
    assert [link.name for link in system.network.links] == ["rack", "nic", "nvlink", "host"]
    core, nic, nvlink, _ = system.network.links
    assert (core.bandwidth, core.latency, core.wiring, core.uplink) == (4e10, 2e-5, Wiring.PORT, True)
    assert (nic.bandwidth, nic.duplex, nic.uplink, nic.count) == (12.5e9, Duplex.HALF, True, 2)
    assert (nic.oversubscription, nic.rails, nic.burst, nvlink.burst) == (1.5, False, 65536, 0)
    assert [*nic.flow.values()] == [4e9, 2e9, 3e9, 3e9, 12e9, 12e9, 9e9]
    assert ([*nic.flow], nic.send_flow, core.send_flow) == ([*Algorithm], 8e9, None)
    assert nvlink.neighbours == tuple((unit, (unit + 1) % 8) for unit in range(8))
    assert (system.network.machine, system.network.overlap, system.network.memory_bandwidth) == ("node", 0.8, 8e11)
    assert read(tmp_path, system_text(system)) == system


def test_the_schema_accepts_the_example_and_every_preset():
    schema = json_schema(SystemFile, "system")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for name, text in [("example", system_example_text()), *((name, preset_text(name)) for name in preset_names())]:
        wrong = [error.message for error in validator.iter_errors(json.loads(json.dumps(tomllib.loads(text))))]
        assert wrong == [], name


def test_the_schema_refuses_a_wrong_type_and_a_wrong_choice():
    validator = jsonschema.Draft202012Validator(json_schema(SystemFile, "system"))
    example = tomllib.loads(system_example_text())
    example["link"][0]["wiring"] = "mesh"
    example["level"][0]["size"] = "two"
    places = {".".join(map(str, error.absolute_path)) for error in validator.iter_errors(example)}
    assert places == {"link.0.wiring", "level.0.size"}


NO_SIZE = "is not a size; write a positive whole number of bytes such as 1GiB or 64MB"
NO_RATE = "is not a positive rate; write one such as 8GB/s or 100Gbit/s"
UNIT = 'has no unit; write it with one, such as "{0}GB/s" (bytes), "{0}Gb/s" (bits)'
RING = NIC.replace("node", "gpu") + 'wiring = "ring"\n'


MISTAKES = [
    ("", "FILE has no [[level]]; add one per level, outermost first"),
    (
        LEVEL + NIC.replace("level =", "levle ="),
        "FILE: unknown key 'link[0].levle'; did you mean level? (known: name, level, bandwidth, latency, wiring, "
        "duplex, uplink, count, oversubscription, rails, ring_flow, tree_flow, nvls_flow, nvls_tree_flow, "
        "collnet_direct_flow, collnet_chain_flow, pat_flow, send_flow, neighbours, burst)",
    ),
    (
        LEVEL + "[device]\nmemory = 3",
        "FILE: device.memory: expected str | null, got int; write it in quotes",
    ),
    (
        "overlp = 1\n" + LEVEL,
        "FILE: unknown key 'overlp'; did you mean overlap? "
        "(known: name, source, measured_from, unmeasured, measured_earlier, machine, computing, "
        "overlap, protocols, device, level, link, kind, "
        "model, effort, profile, timings, processors, fit)",
    ),
    (
        LEVEL + NIC.replace('latency = "14us"\n', ""),
        "FILE: link[0]: object missing required field latency; add latency",
    ),
    (
        LEVEL + NIC + 'wiring = "mesh"\n',
        "FILE: link[0].wiring: invalid enum value 'mesh'; choose one of port, bus, ring",
    ),
    (LEVEL + NIC + "count = 1.5\n", "FILE: link[0].count: expected int, got float; write it as a whole number"),
    (
        LEVEL + NIC + "neighbours = [[0, 1, 2]]\n",
        "FILE: link[0].neighbours[0]: expected array of length 2, got 3",
    ),
    (LEVEL + NIC.replace('"8GB/s"', "8"), f"link nic: bandwidth 8 {UNIT.format(8)}"),
    (LEVEL + NIC.replace('"8GB/s"', '"8"'), f"link nic: bandwidth: bandwidth '8' {NO_RATE}"),
    (LEVEL + NIC.replace("8GB/s", "-8GB/s"), f"link nic: bandwidth: bandwidth '-8GB/s' {NO_RATE}"),
    (LEVEL + NIC.replace("8GB/s", "0GB/s"), f"link nic: bandwidth: bandwidth '0GB/s' {NO_RATE}"),
    (LEVEL + NIC.replace('"14us"', "14"), 'link nic: latency 14 has no unit; write it with one, such as "14us"'),
    (
        LEVEL + NIC.replace("14us", "14uS"),
        "link nic: latency: time '14uS' is not a duration; write one such as 14us, 3ms or 2s",
    ),
    (LEVEL + NIC + "ring_flow = 4\n", f"link nic: ring_flow 4 {UNIT.format(4)}"),
    (LEVEL + NIC + 'burst = "4ms"\n', f"link nic: burst: bytes '4ms' {NO_SIZE}"),
    (LEVEL + NIC + 'tree_flow = "fast"\n', f"link nic: tree_flow: bandwidth 'fast' {NO_RATE}"),
    (LEVEL + "bandwidth = 8.5\n", f"level gpu: bandwidth 8.5 {UNIT.format(8.5)}"),
    (LEVEL + "latency = 8.5\n", 'level gpu: latency 8.5 has no unit; write it with one, such as "8.5us"'),
    ("[device]\nmemory_bandwidth = 1\n" + LEVEL, f"device.memory_bandwidth 1 {UNIT.format(1)}"),
    (
        LEVEL + 'bandwidth = "8GB/s"\n' + NIC.replace("node", "gpu"),
        "level gpu has a [[link]] and a bandwidth or latency of its own; give them in the [[link]]",
    ),
    (
        LEVEL + 'latency = "8us"\n' + NIC.replace("node", "gpu"),
        "level gpu has a [[link]] and a bandwidth or latency of its own; give them in the [[link]]",
    ),
    (LEVEL + NIC.replace('"node"', '"nodes"'), "link nic: level 'nodes' is unknown; the levels are node, gpu"),
    (LEVEL + NIC + NIC, "link nic is given twice; names must differ"),
    (LEVEL + NIC.replace('"nic"', '"gpu"'), "link gpu is given twice; names must differ"),
    (
        LEVEL + NIC + "count = 5\n",
        "link nic: count 5 is out of range; a unit of level node has 1 to 4 ports, at most one per device inside it",
    ),
    (
        LEVEL + RING,
        (
            "level gpu has 1 rings and 0 ports or buses; give every level exactly one port or bus and "
            "at most one ring, which takes the hops between neighbours"
        ),
    ),
    ('machine = "box"\n' + LEVEL, "machine 'box' is not a level; the levels are node, gpu"),
    ("overlap = 2\n" + LEVEL, "overlap 2.0 is out of range; give a fraction from 0 to 1"),
    ("overlap = nan\n" + LEVEL, "overlap nan is out of range; give a fraction from 0 to 1"),
]


def test_a_mistake_is_named(tmp_path):
    for text, wanted in MISTAKES:
        assert message(tmp_path, text) == wanted


@pytest.mark.parametrize(
    ("text", "sizes", "first"),
    [
        ("4x16", [("level0", 4), ("level1", 16)], "level0"),
        ("8", [("level0", 8)], "level0"),
        ("node:4,gpu:16", [("node", 4), ("gpu", 16)], "node"),
        ("box:8", [("box", 8)], "box"),
        ("dgx-h100", [("node", 4), ("gpu", 8)], "nic"),
        ("dgx-h100:2x8", [("node", 2), ("gpu", 8)], "nic"),
        ("gb200-nvl72:8x72", [("rack", 8), ("gpu", 72)], "nic"),
    ],
)
def test_the_forms_of_a_system(text, sizes, first):
    system = find_system(text)
    assert [(level.name, level.size) for level in system.levels] == sizes
    assert system.network.links[0].name == first


def test_a_file_is_a_form_of_a_system(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text(LEVEL + NIC, encoding="utf-8")
    assert rates(find_system(str(path)))["nic"] == 8e9


def test_a_resized_preset_keeps_its_links_and_its_source():
    small, whole = find_system("dgx-h100:2x8"), preset("dgx-h100")
    assert (small.network, small.name, small.source) == (whole.network, whole.name, whole.source)
    assert resized(whole, [4, 8]) == whole


def test_a_preset_with_fewer_devices_than_ports_keeps_a_port_per_device():
    for name in preset_names():
        whole = preset(name)
        for size in range(1, whole.levels[-1].size + 1):
            small = resized(whole, [*[level.size for level in whole.levels[:-1]], size])
            for link, before in zip(small.network.links, whole.network.links, strict=True):
                place = [level.name for level in small.levels].index(link.level)
                inside = prod(small.sizes[place + 1 :])
                assert link == replace(before, count=min(before.count, inside)), name


def test_shared_cores_are_read_and_written(tmp_path):
    text = '[processors]\ncores = 2\ncall = "44us"\nmessage = "0.0421ms"\n'
    system = read(tmp_path, LEVEL + text)
    assert system.network.processors == Processors(2, 44e-6, 42.1e-6, 0.0)
    assert read(tmp_path, LEVEL + text + 'port = "7us"').network.processors == Processors(2, 44e-6, 42.1e-6, 7e-6)
    assert read(tmp_path, system_text(system)) == system
    assert read(tmp_path, LEVEL).network.processors is None
    assert "processors" not in system_text(read(tmp_path, LEVEL))
    for wrong, said in (("cores = 0", "processors have 0 cores"), ("cores = 1.5", "processors.cores: expected int")):
        assert said in message(tmp_path, LEVEL + text.replace("cores = 2", wrong))
    assert "processors.message 4 has no unit" in message(tmp_path, LEVEL + text.replace('"0.0421ms"', "4"))


def test_memory_is_read_and_written(tmp_path):
    assert preset("dgx-h100").network.memory == 80 * 10**9
    assert read(tmp_path, LEVEL).network.memory is None
    odd = replace(preset("dgx-h100"), network=replace(preset("dgx-h100").network, memory=80 * 2**30 + 1))
    assert read(tmp_path, system_text(odd)) == odd
    wanted = "device.memory: bytes '80GBB' is not a size; write a positive whole number of bytes such as 1GiB or 64MB"
    assert message(tmp_path, '[device]\nmemory = "80GBB"\n' + LEVEL) == wanted


PRESETS = ", ".join(preset_names())
FORMS = "write name:size pairs such as node:4,gpu:16 or bare sizes such as 4x16"


NO_SYSTEMS = [
    ("dgx-b100", f"system 'dgx-b100' is unknown; the presets are {PRESETS}; did you mean dgx-h100?"),
    ("H100:16x8", f"system 'H100' is unknown; the presets are {PRESETS}; did you mean dgx-h100:16x8?"),
    ("dgx-b100:2x8", f"system 'dgx-b100' is unknown; the presets are {PRESETS}; did you mean dgx-h100:2x8?"),
    ("mine", f"system 'mine' is unknown; the presets are {PRESETS}"),
    ("dgx-h100:64", "1 size for 2 levels; give one size for each of node, gpu"),
    ("dgx-h100:2x8x2", "3 sizes for 2 levels; give one size for each of node, gpu"),
    ("dgx-h100:0x8", "level node has size 0; a size is a whole number >= 1"),
    ("missing.toml", "cannot read missing.toml: No such file or directory; check its name"),
    ("4xx", f"level sizes '4xx' do not parse at ''; {FORMS}"),
    ("", f"level sizes '' do not parse at ''; {FORMS}"),
    ("4x0", "level level1 has size 0; a size is a whole number >= 1"),
    ("node:4,node:2", "level node is given twice; names must differ"),
    ("../dgx-h100", f"level sizes '../dgx-h100' do not parse at '../dg'; {FORMS}"),
]


def test_a_text_that_names_no_system():
    for text, wanted in NO_SYSTEMS:
        assert refusal(find_system, text) == wanted
