"""Run as a program: aiosqlite's own tests, on the facade; what each came to, as JSON.

python -m tests.engine.aiosqlite_suite FOLDER_OF_SMOKE OUTCOMES
"""

import importlib.util
import json
import sys
import types
import unittest
from pathlib import Path

from sim_core.engine import aiosqlite_shape


def load(folder: Path) -> types.ModuleType:
    """Import smoke.py of the installed wheel, with the facade in the module's place."""
    sys.modules["aiosqlite"] = aiosqlite_shape
    package = types.ModuleType("aiosqlite.tests")
    package.__path__ = [str(folder)]
    sys.modules["aiosqlite.tests"] = package
    spec = importlib.util.spec_from_file_location("aiosqlite.tests.smoke", folder / "smoke.py")
    assert spec is not None and spec.loader is not None, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Noting(unittest.TestResult):
    """Remembers every test's outcome."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: dict[str, str] = {}

    def stopTest(self, test: unittest.TestCase) -> None:
        name = test.id().rpartition(".")[2]
        bad = [text for one, text in (*self.failures, *self.errors) if one is test]
        skipped = any(one is test for one, _ in self.skipped)
        self.outcomes[name] = bad[0] if bad else "skipped" if skipped else "passed"
        super().stopTest(test)


if __name__ == "__main__":
    module = load(Path(sys.argv[1]))
    result = Noting()
    unittest.defaultTestLoader.loadTestsFromModule(module).run(result)
    Path(sys.argv[2]).write_text(json.dumps(result.outcomes))
