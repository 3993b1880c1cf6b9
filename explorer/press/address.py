"""Where the site will be read, if whoever builds it says so: SITE_ADDRESS in the environment.

Pages need no such thing, since every link in them is relative: one build may stand in any folder
of any host. A site map, and what other programs copy out of a page, have to name it whole. What
would be wrong here: a guess where nobody has said it.
"""

import os
import re
from collections.abc import Mapping
from typing import Final

NAME: Final = "SITE_ADDRESS"
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d{1,5})?(/[\w.~%\-]+)*/*")


def site_address(environment: Mapping[str, str] = os.environ) -> str:
    """Return the address of the site's root, with a slash at its end; nothing where none is set."""
    said = environment.get(NAME, "").strip()
    if not said:
        return ""
    if not _ADDRESS.fullmatch(said):
        raise SystemExit(
            f"{NAME}={said} is no address of a site; it looks like https://example.org/explorer/"
        )
    return said.rstrip("/") + "/"
