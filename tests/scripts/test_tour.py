"""The notebook `scripts/tour.ipynb`: its cells run one after the other, and what each ends with shows itself."""

import ast
import json

from paths import ROOT

NOTEBOOK = ROOT / "scripts" / "tour.ipynb"


def test_all_cells_run_and_show_something():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], len({cell["id"] for cell in notebook["cells"]})) == (4, len(notebook["cells"]))
    names: dict[str, object] = {"__name__": "__main__"}
    tables = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert (cell["outputs"], cell["execution_count"]) == ([], None)  # outputs are not kept
        *before, last = ast.parse("".join(cell["source"])).body
        assert isinstance(last, ast.Expr), number
        exec(compile(ast.Module(before, []), f"cell {number}", "exec"), names)
        shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        assert len(repr(shown)) < 200
        tables += hasattr(shown, "_repr_html_") and len(shown._repr_html_()) > 0
    assert tables >= 6
