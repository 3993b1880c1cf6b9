"""Judging one run: some invariants after every grant, the others at the end."""

from collections.abc import Callable
from typing import Any

from sim_core.engine.run import Run
from sim_core.judge.invariants import Invariant, Violation, judge
from sim_core.judge.serial import Apart


class Known:
    """What was found in the last run of a walk. The next one repeats it up to some grant, and is
    not judged again until then.

    Only for whoever makes sure that what is repeated is the same (`offers_again`), and changes
    nothing but the schedule."""

    __slots__ = ("_found", "_grants")

    def __init__(self) -> None:
        self._grants = ""
        self._found: list[tuple[Violation, ...]] = []

    def after(self, grants: str) -> tuple[Violation, ...] | None:
        """Return what had been found after the same grants, if that is known."""
        if len(grants) >= len(self._found) or not self._grants.startswith(grants):
            return None
        return self._found[len(grants)]

    def learn(self, grants: str, found: list[tuple[Violation, ...]]) -> None:
        """Enter a run: what had been found before its first grant, after that, and so on."""
        self._grants, self._found = grants, found


class Judging:
    """Judges one run: some invariants after every grant, the others at the end."""

    def __init__(
        self,
        always: tuple[Invariant, ...],
        finally_: tuple[Invariant, ...],
        options: dict[str, Any],
        serial: Callable[[Run], Apart | None] = lambda _: None,
        known: Known | None = None,
    ) -> None:
        self.always = always
        self.finally_ = finally_
        self.options = options
        self.serial = serial
        """How far a run that has ended is from every serial one."""
        self.found: list[Violation] = []
        self.known = known or Known()
        self.steps: list[tuple[Violation, ...]] = []
        """What had been found before the first grant, after that, and so on."""

    def hooks(self) -> tuple[Callable[[Run], None], ...]:
        """Return what has to look after every grant."""
        return (self._after_grant,) if self.always else ()

    def _after_grant(self, run: Run) -> None:
        known = self.known.after(run.grants)
        if known is None:
            seen = {(one.invariant, one.detail) for one in self.found}
            fresh = self._judge(run, self.always)
            self.found += [one for one in fresh if (one.invariant, one.detail) not in seen]
        else:
            self.found = list(known)
        self.steps.append(tuple(self.found))
        run.red = sorted({one.invariant for one in self.found})

    def so_far(self) -> tuple[Violation, ...]:
        """Return what the invariants that are judged after every grant have found."""
        return tuple(self.found)

    def at_the_end(self, run: Run) -> tuple[Violation, ...]:
        """Return everything found, by grant."""
        found = self.found + self._judge(run, self.finally_)
        return tuple(sorted(found, key=lambda one: one.grant))

    def _judge(self, run: Run, invariants: tuple[Invariant, ...]) -> list[Violation]:
        if not invariants:
            return []
        return judge(invariants, run, self.options, lambda: self.serial(run))
