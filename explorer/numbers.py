"""A number that somebody gives an option: within a range, and a number at all.

Wrong in this module: what the number is for.
"""

from math import isfinite
from typing import Any

import click


class Number(click.FloatRange):
    """A range of finite numbers: click's own lets nan pass, which no bound is compared with."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"'{value}' is no number that can be counted with; write it in digits.")
        return number
