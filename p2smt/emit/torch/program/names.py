"""Python names for the names of tensor programs."""

import builtins
import keyword
import re
from collections.abc import Iterable

MOST = 48


class PythonNames:
    """A unique Python name for every name of a program, in lower case and of at most 48 characters.

    Python keywords, builtins and `reserved` names get an underscore or a number appended.
    """

    def __init__(self, reserved: Iterable[str]) -> None:
        self._taken = {*reserved, *keyword.kwlist, *keyword.softkwlist, *dir(builtins), "l", "_"}
        self._names: dict[str, str] = {}

    def of(self, name: str) -> str:
        """Return the Python name of a program's name."""
        if name not in self._names:
            self._names[name] = self.fresh(name)
        return self._names[name]

    def fresh(self, stem: str) -> str:
        """Return an unused name derived from this one."""
        plain = re.sub(r"\W", "_", stem, flags=re.ASCII).lower()
        plain = plain if plain[:1].isalpha() else f"t_{plain}"
        if len(plain) > MOST - 4:
            plain = f"{plain[:16]}_{plain[-(MOST - 21) :]}"
        name, number = plain, 1
        while name in self._taken:
            number += 1
            name = f"{plain}_{number}"
        self._taken.add(name)
        return name
