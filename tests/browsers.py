"""The browsers that the tests read the page in, stock, as Debian has them: where each is, or what
to install. Apart from build.py, which readies them before pytest starts, because the tests ask
for the same programs. A helper, not a test; build.py may run it with the standard library alone.
"""

import os
import shutil
import sys
from collections.abc import Callable
from typing import NamedTuple


class Browser(NamedTuple):
    """One of them."""

    package: str
    """Debian's name of it."""
    name: str
    variable: str
    """Of the environment: who sets it names the program."""
    programs: tuple[str, ...]

    def named(self) -> str | None:
        """Return its program, or None where there is none yet."""
        told = os.environ.get(self.variable)
        return told or next(filter(None, map(shutil.which, self.programs)), None)

    def needed(self) -> str:
        """Return its program; without one this fails: a test that is left out is not green."""
        program = self.named()
        assert program, (
            f"No {self.name} was found: install it (Debian: apt-get install {self.package}), "
            f"or name one in {self.variable}"
        )
        return program

    def installed(self, install: Callable[[str, str], None]) -> str:
        """Return its program. Where there is none, `install` is given Debian's package, and what
        to say if it may not install."""
        if not self.named():
            install(self.package, f"Install {self.name}, or name one in {self.variable}.")
        return self.named() or sys.exit(
            f"Debian's {self.package} is installed, yet there is no `{self.package}` on the path."
        )


CHROMIUM = Browser(
    package="chromium",
    name="Chromium or Chrome",
    variable="CHROME_PATH",
    programs=(
        *("chromium", "chromium-browser"),
        *("google-chrome", "google-chrome-stable", "chrome"),
    ),
)
FIREFOX = Browser(
    package="firefox-esr",
    name="Firefox",
    variable="FIREFOX_PATH",
    programs=("firefox-esr", "firefox"),
)
