"""A file that never came to be is nobody's: it is deleted, and not kept for the next run."""

from pathlib import Path

import pytest

from sim_core.engine.pool import MOST_LAYOUTS
from sim_core.errors import ScenarioError
from sim_core.judge.verdict import perform

WRITER = "\nasync def one(db):\n    'Reads.'\n    await db.execute('SELECT 1')\n"


def test_a_schema_that_is_refused_leaves_nothing_to_the_runs_after_it(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(f"SCHEMA = 'CREATE TABLE t (v); NONSENSE'{WRITER}")
    with pytest.raises(ScenarioError, match="NONSENSE"):
        perform(str(bad))
    for number in range(MOST_LAYOUTS + 1):  # until the oldest of the kept files has to go
        good = tmp_path / f"good{number}.py"
        good.write_text(f"SCHEMA = 'CREATE TABLE t{number} (v)'{WRITER}")
        assert not perform(str(good)).failing
