"""No program on a mesh of unlike devices is faster than the bound, where blocks are as unlike as devices are."""

import random

from spmd.joint_problems import MOMENTUM
from spmd.mesh.meshes import mesh, options
from tensor.random_programs import single_program

from p2smt.spmd.mesh import search as search_module
from p2smt.spmd.mesh.restriction import ANYTHING
from p2smt.spmd.mesh.search import MeshSearch
from p2smt.tensor.text.parser import parse_program

SLOW, FAST = 10**6, 16 * 10**5


def test_the_bound_is_below_the_time_of_what_is_found(monkeypatch):
    rng = random.Random(3)
    programs = [single_program(rng) for _ in range(9)]
    programs.append(parse_program(MOMENTUM.replace("4096", "3").replace("64", "5")))
    seen = 0
    for single in programs:
        sizes = rng.choice(((2, 2), (3, 2), (2, 3)))
        count = sizes[0] * sizes[1]
        # Odd lengths leave the last ranks less: slow ones there have least to do.
        where = mesh(sizes, (FAST,) * (count // 2) + (SLOW,) * (count - count // 2), (1, 1))
        for most in (search_module.MOST_PAIRS, 0):
            monkeypatch.setattr(search_module, "MOST_PAIRS", most)
            found = MeshSearch(options(single, where)).search(ANYTHING)
            assert found.bound <= found.fastest.account.time
            seen += found.exact
    assert 0 < seen < 2 * len(programs)


def test_operations_whose_slowest_devices_are_others_take_less_together_than_apart():
    """Fast devices have two of three rows, slow ones one; what cannot be cut the slow ones do for longest."""
    single = parse_program("""program unlike
input x : f32[3, 64]
parameter w : f32[64, 64]
parameter v : f32[1, 4096]
parameter u : f32[4096, 1]
y = matmul(x, w)
q = matmul(v, u)
output y
output q
""")
    where = mesh((2, 2), (FAST, FAST, SLOW, SLOW), (10**6, 10**6))
    found = MeshSearch(options(single, where)).search(ANYTHING)
    assert found.exact
    assert found.bound <= found.fastest.account.time < found.fastest.account.apart
