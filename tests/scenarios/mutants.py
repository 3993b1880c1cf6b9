"""A scenario with one safeguard taken out, to show that its promises notice.

The text is edited, and not the running code: a mutant is what somebody who wrote the file without
that safeguard would have written.
"""

from pathlib import Path

from sim_core import scenarios

HOME = Path(scenarios.__file__).parent


def mutant(slug: str, old: str, new: str, tmp_path: Path) -> Path:
    """Write a scenario with one piece replaced, and return the file, which a recipe can name."""
    text = (HOME / f"{slug}.py").read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{slug}.py has {text.count(old)} of this, not one: {old}"
    path = tmp_path / f"{slug}_mutant.py"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path
