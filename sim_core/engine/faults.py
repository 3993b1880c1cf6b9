"""What goes wrong, and where: a fault sits at one parking place of one writer.

A writer with n operations has places 1..n, before each of them, and place n + 1, after the
last. `A2after` is therefore `A3before`, except at the end, and the canonical text says so. A
crash is one more grant of its writer: SIGKILL at that place, not power loss.
"""

import re
from typing import Final, NamedTuple

from sim_core.errors import RecipeError

CRASH: Final = "crash"

_FAULT: Final = re.compile(r"([A-Z])([1-9][0-9]{0,4})(before|after):([A-Za-z_]+)")


class Fault(NamedTuple):
    """Strike `writer` (a letter) before or after its operation `number` (from 1)."""

    writer: str
    number: int
    side: str
    kind: str

    @property
    def place(self) -> int:
        """Return the parking place: the operation it stands before."""
        return self.number + (self.side == "after")

    def __str__(self) -> str:
        return f"{self.writer}{self.number}{self.side}:{self.kind}"


def parse(text: str) -> tuple[Fault, ...]:
    """Return the faults of `A2after:crash,B1before:crash`; RecipeError names a bad one."""
    faults = []
    for part in text.split(","):
        match = _FAULT.fullmatch(part)
        if not match or match[4] != CRASH:
            raise RecipeError(
                f"faults={part} is not a fault; write one like A2after:crash or B1before:crash.",
                part=f"faults={part}",
            )
        faults.append(Fault(match[1], int(match[2]), match[3], match[4]))
    return tuple(sorted(faults))
