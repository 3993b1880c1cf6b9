"""What a planted leak is."""

from typing import NamedTuple


class Planted(NamedTuple):
    """One leak: `way` is how it hides."""

    way: str
    kind: str
    call: str
    line: int
    source: str
