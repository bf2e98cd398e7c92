"""Distributed steps of a perceptron as `p2smt shard` writes them: by features, by samples, with gathered parameters."""

from p2smt.tensor.text.parser import parse_program

_STEP = """program perceptron
mesh {mesh}
input x : f32[8, 8]{x}
parameter m.0.weight : f32[16, 8]{first}
parameter m.0.bias : f32[16]{bias}
parameter m.2.weight : f32[4, 16]{second}
parameter m.2.bias : f32[4]
{gathered}h = relu(linear(x, {used}) + m.0.bias)
{summed}loss = {loss}
output loss
"""
_PLAIN = {"x": "", "first": "", "bias": "", "second": "", "gathered": "", "used": "m.0.weight"}
_WHOLE = "z = linear(h, m.2.weight) + m.2.bias\n"
_SUMMED = "z = AllReduce(linear(h, m.2.weight){axis}) + m.2.bias\n"


def _program(mesh, **parts):
    return parse_program(_STEP.format(mesh=mesh, **(_PLAIN | parts)))


STEPS = {
    "by features": _program(
        "device=2",
        first=" sliced(0)",
        bias=" sliced(0)",
        second=" sliced(1)",
        summed=_SUMMED.format(axis=""),
        loss="sum(z * z)",
    ),
    "by samples": _program("device=2", x=" sliced(0)", summed=_WHOLE, loss="AllReduce(sum(z * z))"),
    "gathered": _program(
        "device=2",
        x=" sliced(0)",
        first=" sliced(0)",
        gathered="w = AllGather(m.0.weight, 0)\n",
        used="w",
        summed=_WHOLE,
        loss="AllReduce(sum(z * z))",
    ),
}
"""By name, on two ranks."""

TWO_AXES = parse_program("""program both
mesh a=2, b=3
input x : f32[12, 4] sliced(0, a) sliced(0, b)
parameter w : f32[6, 4] sliced(1, a) sliced(0, b)
y = relu(x)
z = relu(w)
output y
output z
""")
UNEVEN = parse_program("""program uneven
mesh device=4
input x : f32[4]
parameter w : f32[10, 4] sliced(0, sizes=3/3/2/2)
y = relu(w)
output y
""")
