"""The two spellings of XLA's programs: how each is read, and what is said of a text that is no plan."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from frontend.plan_files import FOLDER
from support import refused

from p2smt.errors import VerifyError
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.frontend.xla.stablehlo import parse_stablehlo
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan


@dataclass(frozen=True, slots=True)
class Spelling:
    """A text form with its files' suffix and its reader."""

    suffix: str
    parse: Callable[..., VerificationPlan]

    @property
    def files(self) -> list[Path]:
        """The plan files in this spelling."""
        return sorted(FOLDER.glob(f"*.{self.suffix}"))

    def message(self, data: bytes) -> str:
        """Why a text is refused, in one line."""
        return refused(lambda: self.parse(data, f"f.{self.suffix}"), VerifyError)

    def refused(self, data: bytes) -> str:
        """Why a text is refused; empty if it is a plan, right or wrong."""
        try:
            judge(self.parse(data, "f"))
        except VerifyError as cause:
            return str(cause)
        return ""


HLO = Spelling("hlo", parse_hlo)
STABLEHLO = Spelling("mlir", parse_stablehlo)
