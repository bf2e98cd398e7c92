"""Kernels of Triton compute what torch's lines do: its interpreter runs them on ranks, its compiler compiles them all.

Sums, products and quotients are the same bit for bit in float32 and float64. Torch's roots, and numbers over
tensors, are not all rounded to the nearest number; sums over all elements are made block by block; and kernels do not
round to bfloat16 between two operations, as torch does.
"""

import ast
import importlib.util
import re
import sys
from functools import cache
from itertools import product

import pytest
from command_line import golden
from emit.emitted import check_style
from forked_ranks import environment, on_ranks
from forked_torch import SERVER
from paths import TESTS
from schedule.emission.packaged import checked, names
from schedule.emission.random_kernels import random_schedule
from schedule.emission.test_optimizer import OPTIMIZERS
from tiers import is_full, sample

from p2smt.emit.target import KernelLanguage
from p2smt.errors import ProgramError
from p2smt.schedule.check import check_schedule
from p2smt.schedule.emission.optimizer import emit_optimizer
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

RANK = str(TESTS / "schedule" / "emission" / "kernel_rank.py")
COMPILER = TESTS / "schedule" / "emission" / "kernel_compiler.py"
LIMIT_S = 180.0
KERNEL = re.compile(r"^@triton\.jit\ndef \w+_kernel(_\d+)?\(", re.MULTILINE)
EXACT = {"float64": 0.0, "float32": 0.0, "bfloat16": 2.0**-5}
"""How far a file with Triton's kernels may be from the one with torch's, beside the largest number of a tensor."""
CLOSE = {"float64": 1e-14, "float32": 1e-6, "bfloat16": 2.0**-5}
"""The same where there are roots and norms."""
WITHOUT_ROOTS = ("attention_ar", "pipeline_overlapped")
FUSED = [
    "adam_ar_opt",
    "adam_fused",
    "adam_overlapped",
    "adam_rs_opt_ag",
    "adamw_mixed_fused",
    "attention_ar",
    "attention_overlapped",
    "attention_rs_ag",
    "lamb_ar_opt",
    "lamb_fused",
    "mlp_ar",
    "mlp_overlapped",
    "mlp_rs_ag",
    "pipeline_overlapped",
    "sequence_parallel_overlapped",
    "sgd_fused",
    "zero2_overlapped",
]
"""The packaged schedules with groups or loops that compute by elements."""
COMPILED = ["adamw_mixed_fused", "attention_ar", "lamb_fused", "optimizer lamb_layers_rs_opt_ag", "random 36"]
"""Casts to other types; broadcasts and dropout; sums block by block, and what reads them; all other functions."""
SEEDS = range(24) if is_full() else (36,)
STYLED = FUSED if is_full() else ["adamw_mixed_fused", "attention_ar", "lamb_fused", "pipeline_overlapped", "sgd_fused"]
"""Those of `COMPILED`, a loop, and the smallest."""
WAYS = 3
"""In which kernels are compiled: kernel_compiler.py."""
RICH = 36, 37, 48
"""Random schedules whose kernels have each function in them that packaged ones have not."""
needs_triton = pytest.mark.skipif(
    importlib.util.find_spec("triton") is None, reason="triton is not installed: pip install 'p2smt[triton]', on Linux"
)


def emitted(made):
    return emit_schedule(made, kernels=KernelLanguage.TRITON)


@cache
def on_two(name):
    """The file of a packaged schedule on two ranks."""
    return emitted(checked(name, 2))


def written(running, name, text):
    path = running.folder / f"{name}{abs(hash(text))}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def apart(running, made, real):
    paths = [written(running, "kernels", text) for text in (emitted(made), emit_schedule(made))]
    return max(running.call(RANK, "apart", *paths, real, timeout_s=LIMIT_S))


def differing(running, made, real="float64"):
    """Torch watches what ranks call in the full tier, and in both in test_processes.py."""
    return running.call(RANK, "check", written(running, "kernels", emitted(made)), real, is_full(), timeout_s=LIMIT_S)


def test_a_fused_group_is_emitted_with_its_kernels():
    golden("schedule_lamb_triton.py.txt", emitted(checked("lamb_fused", 3)))


def test_files_keep_the_style_and_need_torch_and_triton_alone(tmp_path):
    texts = [on_two(name) for name in STYLED]
    check_style(tmp_path, texts)
    for text in texts:
        assert read_too_early(text.partition("State = ")[0]) == []
        imported = {
            (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert imported - {"torch", "triton"} <= sys.stdlib_module_names
        assert "triton" in imported


def read_too_early(text):
    """The names that a function of a file reads in lines before the first that assigns them."""
    found = []
    for function in (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)):
        lines = [each for each in ast.walk(function) if isinstance(each, ast.Assign | ast.Expr | ast.Return)]
        targets = {
            id(name): name.id
            for line in lines
            if isinstance(line, ast.Assign)
            for target in line.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }
        names = [each for each in ast.walk(function) if isinstance(each, ast.Name)]
        known = {each.id for each in names if isinstance(each.ctx, ast.Store) and id(each) not in targets}
        known |= {each.arg for each in ast.walk(function) if isinstance(each, ast.arg)}
        for line in sorted(lines, key=lambda each: each.lineno):
            inside = [each for each in ast.walk(line) if isinstance(each, ast.Name)]
            early = {each.id for each in inside if isinstance(each.ctx, ast.Load)} & {*targets.values()} - known
            found += [f"{function.name}: {name}" for name in sorted(early)]
            known |= {each.id for each in inside if isinstance(each.ctx, ast.Store)}
    return found


LOOKS = """program looks
input x : f32[6, 4] partial(+)
input r : f32[6, 4] sliced(0)
sum = AllReduce(x)
y = sum * 2
z = exp(y)
part = Slice(z, 0)
u = part + r
w = u * u
output w sliced(0)
"""


def test_lines_that_look_at_what_a_kernel_makes_stand_behind_it():
    made = check_schedule(parse_program(LOOKS), parse_schedule("f = fuse sum, y, z, part, u, w"), 2)
    text = emitted(made)
    assert read_too_early(text) == []
    body = text[text.index("def f(") : text.index("def compute(")]
    assert body.index("elements(f_kernel") < body.index("part = own_slice(") < body.index("elements(f_kernel_2")
    assert read_too_early(text.replace("part = own_slice(z", "part = own_slice(w")) == ["untouched: w", "f: w"]


def test_what_computes_nothing_by_elements_in_a_group_is_refused():
    for name in sorted({*names()} - {*FUSED}):
        with pytest.raises(
            ProgramError,
            match=r"^no group or loop of the schedule is element-wise; "
            "[^\n]*$",
        ):
            emitted(checked(name, 4))


def test_bits_are_not_promised():
    with pytest.raises(ProgramError, match=r"^kernels in triton round when they store [^\n]*$"):
        emit_schedule(checked("adam_ar_opt", 3, bitwise=True), bitwise=True, kernels=KernelLanguage.TRITON)


@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("adam_fused", marks=pytest.mark.thorough),  # the file that checks itself, below
        pytest.param("adamw_mixed_fused", marks=pytest.mark.thorough),  # Adam in test_optimizer_kernels; casts below
        pytest.param("attention_ar", marks=pytest.mark.thorough),  # the pipeline's loop has the same constructs
        pytest.param("lamb_fused", marks=pytest.mark.thorough),  # slices of it, below
        "pipeline_overlapped",
    ],
)
def test_kernels_compute_what_the_program_does(two, name):
    """In the standard tier without roots in float64, with roots in bfloat16: the file's own check is in float64."""
    made = checked(name, 2)
    assert differing(two, made) == [0] * 2
    for real, close in sample((EXACT if name in WITHOUT_ROOTS else dict(reversed(CLOSE.items()))).items(), 1):
        assert apart(two, made, real) <= close


@needs_triton
@pytest.mark.slow
def test_a_fused_all_reduce_is_one_kernel_that_computes_what_the_program_does(two):
    """Further lengths, types, dimensions, sums and numbers of ranks are in test_fused.py."""
    text = emit_schedule(checked("adam_fused", 2, length=131), kernels=KernelLanguage.TRITON_FUSED)
    step = text[text.index("\ndef f(") : text.index("def compute(")]
    assert step.count("fused_all_reduce(") == 1
    assert not any(word in step for word in ("reduce_scatter", "all_gather", "elements("))
    path = written(two, "fused", text)
    assert two.call(RANK, "check", path, "float32", is_full(), timeout_s=LIMIT_S) == [0] * 2


@pytest.mark.thorough  # lengths that do not divide are in the computed kernels
@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "length"), sample([("adam_fused", 3 * 1025), *product(["lamb_fused"], [1, 3 * 1024, 1003])], 2)
)
def test_slices_of_any_length_and_of_none_are_computed(three, name, length):
    made = checked(name, 3, length=length)
    assert apart(three, made, "float32") <= CLOSE["float32"]
    assert differing(three, made) == [0] * 3


SPREAD = """program spread
input g : f32[1] partial(+)
sum = AllReduce(g)
top = max(abs(sum))
low = min(sum)
y = (sum - low) / top
output y
"""
IN_SLICES = """rs, ag = split sum rs-ag
st, sl, sy, whole = reorder ag past top, low, y
f = fuse rs, st.part0, st, st.part1, sl, sy, whole
"""


@pytest.mark.thorough  # empty parts are in the schedules on ranks
@needs_triton
@pytest.mark.slow
def test_the_largest_and_the_smallest_of_no_elements_are_those_of_other_ranks(three):
    """A sum of no blocks is 0 of itself; these have to have a block that is empty."""
    made = check_schedule(parse_program(SPREAD), parse_schedule(IN_SLICES), 3)
    text = emitted(made)
    assert ".amax()" in text
    assert ".amin()" in text
    assert differing(three, made) == [0] * 3


SPOILED = [
    ("inside = position < count", "inside = position < count - 1"),
    ("divided(scm, number_4, wide)", "divided(scm, number_3, wide)"),
    ("tl.where(inside, scu * scu, 0)", "tl.where(inside, scu, 0)"),
    ("scavg_part0_blocks.sum()", "(scavg_part0_blocks[0] * 2)"),
]


@pytest.mark.thorough  # spoiled schedules are found in test_processes
@needs_triton
@pytest.mark.slow
@pytest.mark.parametrize(("right", "wrong"), SPOILED)
def test_a_kernel_that_is_spoiled_is_found(three, right, wrong):
    text = emitted(checked("lamb_fused", 3, length=47))
    assert right in text
    path = written(three, "spoiled", text.replace(right, wrong, 1))
    assert min(three.call(RANK, "check", path, "float64", is_full(), timeout_s=LIMIT_S)) > 0


@pytest.mark.thorough  # kernels are computed above; files of schedules check themselves
@needs_triton
@pytest.mark.slow
def test_the_file_alone_checks_itself_by_the_interpreter_and_says_what_it_lacks(tmp_path):
    text = emitted(checked("adam_fused", 2))
    printed, codes = on_ranks(tmp_path, {"adam.py": (text, 2)}, TRITON_INTERPRET="1")["adam.py"]
    assert codes == [0, 0]
    assert printed.strip().endswith("equals the untouched program")
    printed, codes = on_ranks(tmp_path, {"alone.py": (text, 0)})["alone.py"]
    assert codes == [2]
    assert printed == "kernels run on GPUs, and on a CPU by triton's interpreter: start with TRITON_INTERPRET=1\n"


@needs_triton
@pytest.mark.slow
def test_all_kernels_are_compiled_for_a_gpu(tmp_path):
    """Of all packaged schedules that have some, of all optimizers and of random schedules, in every way.

    In the standard tier few, which have everything in them that any kernel has, each in one of the ways.
    """
    tried = [compilable(name) for name in COMPILED]
    if is_full():
        others = [*FUSED, *(f"optimizer {name}" for name in OPTIMIZERS), *(f"random {seed}" for seed in RICH)]
        texts = [compilable(name) for name in others]
        assert constructs(tried) == constructs([*texts, *random_texts(SEEDS)])
        tried = texts
    kernels, unlike, ways = compiled(tmp_path, tried, None if is_full() else covering(tried))
    assert (int(kernels), int(ways)) == (sum(len(re.findall(KERNEL, text)) for text in tried), WAYS)
    assert int(unlike) > (len(FUSED) if is_full() else len(COMPILED))


def compilable(name):
    """The file of a packaged schedule, of an optimizer, or of a random schedule."""
    kind, _, which = name.rpartition(" ")
    if kind == "optimizer":
        return emit_optimizer(checked(which, 2), kernels=KernelLanguage.TRITON)
    return random_texts([int(which)])[0] if kind == "random" else on_two(name)


def constructs(texts):
    """Functions, operators and kinds of parameters of all kernels in these files."""
    return {word for text in texts for words in kernels_of(text).values() for word in words}


def kernels_of(text):
    """What each kernel of a file has in it, by its name."""
    functions = [each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)]
    kernels = [each for each in functions if "triton.jit" in map(ast.unparse, each.decorator_list)]
    return {each.name: {word for node in ast.walk(each) for word in _words(node)} for each in kernels}


def covering(texts):
    """Names of kernels of each file that together have what all have; each time the one that adds the most."""
    left = {(number, name): words for number, text in enumerate(texts) for name, words in kernels_of(text).items()}
    chosen = [set() for _ in texts]
    while any(left.values()):
        number, name = most = max(left, key=lambda kernel: len(left[kernel]))
        chosen[number].add(name)
        left = {kernel: words - left[most] for kernel, words in left.items()}
    assert sum(map(len, chosen)) >= WAYS
    return [sorted(names) for names in chosen]


def _words(node):
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return [name]
        case ast.BinOp(op=op) | ast.UnaryOp(op=op):
            return [type(op).__name__]
        case ast.Compare(ops=ops):
            return [type(op).__name__ for op in ops]
        case ast.arg(annotation=None):
            return [next((kind for kind in ("_by_", "length_", "_blocks_at", "_at", "count") if kind in node.arg), "")]
        case ast.arg():
            return [ast.unparse(node.annotation)]
        case _:
            return []


@needs_triton
@pytest.mark.slow
def test_kernels_of_random_schedules_compute_what_the_program_does(two):
    texts = random_texts(SEEDS)
    assert len(texts) > len(SEEDS) / 3
    for text in texts:
        path = written(two, "random", text)
        assert two.call(RANK, "check", path, "float64", is_full(), timeout_s=LIMIT_S) == [0] * 2, text


def random_texts(seeds):
    """The files of random schedules on two ranks that have kernels."""
    found = []
    for seed in seeds:
        try:
            found.append(emitted(random_schedule(seed, 2)))
        except ProgramError:
            continue
    return found


def compiled(folder, texts, few):
    """How many kernels there are, how many of them are unlike, in how many ways some were compiled, what failed."""
    for number, text in enumerate(texts):
        (folder / f"emitted{number}.py").write_text(text, encoding="utf-8")
    paths = [f"emitted{number}.py" for number in range(len(texts))]
    code = COMPILER.read_text(encoding="utf-8").replace("main(sys.argv[1:])", f"main({paths!r}, {few!r})")
    (folder / "compiler.py").write_text(code, encoding="utf-8")
    variables = environment() | {"TRITON_CACHE_DIR": str(folder / "cache"), "TRITON_DEFAULT_FP_FUSION": "0"}
    ended = SERVER.run("compiler.py", folder=folder, environments=[variables], timeout=LIMIT_S)
    assert ended.codes == [0], ended.err.decode()
    return ended.out.decode().splitlines()
