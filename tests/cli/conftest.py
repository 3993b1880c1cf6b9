"""A scenario file out of its source."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.hostile import HEAD


@pytest.fixture
def scenario(tmp_path: Path) -> Callable[[str], str]:
    def write(source: str) -> str:
        path = tmp_path / "hostile.py"
        path.write_text(HEAD + source)
        return str(path)

    return write
