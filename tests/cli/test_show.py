"""`p2smt show`: a table of 80 columns, a document, a drawing."""

import json
from xml.etree import ElementTree

import pytest
from command_line import golden, output, refused

from p2smt.cli.main import run

PROGRAM = """program layer
mesh data=2, model=3
input in : f32[8, 64] sliced(0, data)
parameter encoder.layer.first.weight : f32[64, 256] sliced(1, model, sizes=128/64/64)
parameter second : f32[256, 64] sliced(0, model, sizes=128/64/64)
hidden = relu(matmul(in, encoder.layer.first.weight))
out = AllReduce(matmul(hidden, second), axis=model)
output out
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "layer.tp").write_text(PROGRAM, encoding="utf-8")
    return tmp_path / "layer.tp"


def test_the_table(path, capsys):
    text = output(["show", str(path)], capsys)
    assert max(map(len, text.splitlines())) <= 80
    golden("show_layer.txt", text)
    assert "encoder.layer.first.weight" in text.splitlines()


def test_no_word_is_broken(path, capsys):
    axis = "an_axis_with_a_long_name"
    pooled = "adaptive_avg_pool2d_backward(images, 8, 8)"
    path.write_text(
        f"program pools\nmesh {axis}=2\ninput images : f32[2, 3, 4, 4] sliced(0, {axis})\n"
        f"back = {pooled}\noutput back\n",
        encoding="utf-8",
    )
    text = output(["show", str(path)], capsys)
    assert max(map(len, text.splitlines())) <= 80
    for word in ("adaptive_avg_pool2d_backward", f"sliced(0, {axis})"):
        assert word in text


def test_the_document(path, capsys):
    document = json.loads(output(["show", str(path), "--json"], capsys))
    hidden = next(value for value in document["values"] if value["name"] == "hidden")
    assert hidden["layouts"] == {"data": "sliced(0, sizes=4/4)", "model": "sliced(1, sizes=128/64/64)"}
    assert hidden["local"] == [[4, 128], [4, 64], [4, 64]] * 2
    assert hidden["reads"] == ["in", "encoder.layer.first.weight"]
    assert document["devices"]["flops"][0] == (4 * 128 * 64 * 2) + (4 * 128) + (4 * 128 * 64 * 2)
    assert document["refused"] is None


def test_the_drawing(path, tmp_path, capsys):
    out = tmp_path / "layer.svg"
    output(["show", str(path), "--svg", str(out)], capsys)
    root = ElementTree.parse(out).getroot()
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"in", "second", "hidden", "out", "encoder.layer.fi…"} <= set(texts)
    boxes = [each for each in root.iter("{http://www.w3.org/2000/svg}rect") if each.get("rx") == "5"]
    assert len(boxes) == 5
    assert len({box.get("fill") for box in boxes}) == 4
    assert sum(box.get("stroke-width") == "2.4" for box in boxes) == 1
    corners = {(box.get("x"), box.get("y")) for box in boxes}
    assert len(corners) == 5
    assert out.read_bytes() == (output(["show", str(path), "--svg", str(out)], capsys) and out.read_bytes())


def test_a_mistake_is_shown_with_what_stands_before_it(path, capsys):
    path.write_text(
        PROGRAM.replace("relu(matmul(in", "softmax(matmul(in").replace("weight))", "weight), 1)"), encoding="utf-8"
    )
    text = output(["show", str(path)], capsys, code=1)
    assert "\nwarning" not in text
    assert "wrong: hidden, axis model: the operation combines elements along" in text
    assert json.loads(output(["show", str(path), "--json"], capsys, code=1))["refused"]["rule"] == "looks_across"


def test_any_number_of_ranks_has_to_be_said(path, capsys):
    path.write_text("program any\ninput g : f32[12] partial(+)\ny = ReduceScatter(g, 0)\noutput y\n", encoding="utf-8")
    assert refused(["show", str(path)], capsys) == (
        "program any is for any number of ranks; choose one, such as --devices 4"
    )
    assert "y            ReduceScatter  sliced(0, ranks)   0-3" in output(["show", str(path), "--devices", "5"], capsys)
    assert refused(["show", str(path), "--devices", "0"], capsys) == "--devices 0 is out of range; give 1 to 65536"


def test_another_number_of_devices_is_refused(path, capsys):
    assert (
        refused(["show", str(path), "--devices", "4"], capsys)
        == "program layer is for 6 devices, not for 4; leave --devices out"
    )


def test_too_many_values_are_not_drawn(path, tmp_path, capsys):
    lines = [f"t{number} = relu({f't{number - 1}' if number else 'x'})" for number in range(600)]
    path.write_text("program long\ninput x : f32[4]\n" + "\n".join(lines) + "\noutput t599\n", encoding="utf-8")
    message = refused(["show", str(path), "--svg", str(tmp_path / "long.svg")], capsys)
    assert message == "program long has 601 values; at most 500 can be drawn, so draw a part of the program"
    assert run(["show", str(path)]) == 0
