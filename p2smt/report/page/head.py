"""The head of a page: its style, and a security policy that forbids loading anything else."""

from base64 import b64encode
from hashlib import sha256
from importlib import resources
from xml.etree.ElementTree import Element

from p2smt.report.figures.palette import palette_style
from p2smt.report.page.element import element


def head_element(title: str, script: str = "") -> Element:
    """Return the head of a page; the policy allows only `script`, or no script if it is empty."""
    style = palette_style() + packaged("style.css")
    scripts = f"script-src '{_digest(script)}'; " if script else ""
    policy = f"default-src 'none'; style-src '{_digest(style)}'; {scripts}base-uri 'none'; form-action 'none'"
    # The policy stands before all that it speaks of.
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", style),
    )


def packaged(name: str) -> str:
    """Return the text of a file in this module's folder."""
    return resources.files("p2smt.report.page").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """Return the source expression that allows one inline text in a Content-Security-Policy."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
