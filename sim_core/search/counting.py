"""How many orders there are, without walking them all: paths through states that repeat.

Different orders often meet in the same state: same rows, same locks, same clock, the same
results observed by every writer so far. Whatever can follow a state is worked out once, as
ends with their number of orders, their probability and their smallest story, and taken from
memory wherever the state comes back. Counts stay exact: they are sums of products of integers
and fractions.

What a state is must not leave anything out that the future depends on. Where something cannot
be seen from here (Python objects that writers share, dice that several throw), or where an
invariant looks at the order of events itself, nothing is merged and the walk is brute force.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from sim_core.engine.locks import Lock
from sim_core.engine.policy import Enough
from sim_core.engine.run import Run
from sim_core.engine.trace import Event, encode
from sim_core.engine.writer import Writer
from sim_core.errors import Divergence
from sim_core.judge.end import End
from sim_core.judge.judging import Known
from sim_core.judge.rows import everything
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.orders import offers_again
from sim_core.search.outcomes import Groups, smaller

State = tuple[object, ...]


@dataclass
class Ways:
    """All ways from a state to one end."""

    orders: int = 0
    probability: Fraction = Fraction(0)
    smallest: dict[str, str] = field(default_factory=dict)
    """First letter → the smallest way that begins with it: what comes before decides whether
    that is one switch more."""

    def add(self, orders: int, probability: Fraction, way: str) -> None:
        """Enter ways, the smallest of which is `way`."""
        self.orders += orders
        self.probability += probability
        known = self.smallest.get(way[:1], way)
        self.smallest[way[:1]] = min(way, known, key=smaller)


@dataclass
class Future:
    """What follows a state: end → the ways to it."""

    ends: dict[End, Ways] = field(default_factory=dict)

    def add(self, end: End, orders: int, probability: Fraction, way: str) -> None:
        """Enter ways to an end."""
        self.ends.setdefault(end, Ways()).add(orders, probability, way)

    def behind(self, letter: str, share: Fraction, after: "Future") -> None:
        """Enter everything that follows one choice."""
        for end, ways in after.ends.items():
            way = min((letter + each for each in ways.smallest.values()), key=smaller)
            self.add(end, ways.orders, ways.probability * share, way)


class Node:
    """One choice on the path, and what has been found behind it."""

    __slots__ = ("chosen", "future", "left", "offered", "state")

    def __init__(self, state: State | None, offered: tuple[str, ...]) -> None:
        self.state = state
        self.offered = offered
        self.left = list(offered[1:])
        self.chosen = offered[0]
        self.future = Future()

    def only(self, letter: str) -> None:
        """Leave every other choice out."""
        self.chosen, self.left = letter, []


class Count:
    """Walks every order, merging states that repeat where `merge` allows it."""

    def __init__(
        self,
        trial: Trial,
        *,
        merge: bool,
        wanted: Callable[[Outcome], bool] = lambda _: True,
        prefix: str = "",
    ) -> None:
        self.trial = trial
        self.prefix = prefix
        """How the orders begin that are walked; probabilities are those among all orders."""
        self.wanted = wanted
        """Which complete orders count."""
        self.merge = merge
        self.runs = 0
        self.finished = False
        self.groups = Groups()
        self.states: dict[State, Future] = {}
        self._path: list[Node] = []
        self._depth = 0
        self._eyes = Eyes()
        self._run: Run | None = None
        self._known: Future | None = None
        self._judged = Known()

    def steps(self) -> Iterator[Outcome]:
        """Yield each run that it takes; when they are over, `groups` has the counts."""
        while not self.finished:
            outcome = self._once()
            self.runs += 1
            self._step_back(outcome)
            yield outcome

    def _begin(self) -> "Count":
        """Be the policy of a run, from its first grant: a run may start over (NotAsNew)."""
        self._depth, self._known, self._run, self._eyes = 0, None, None, Eyes()
        return self

    def _once(self) -> Outcome:
        outcome = self.trial.run(self._begin, hooks=(self._look,), rows=True, known=self._judged)
        if len(outcome.run.grants) < len(self.prefix):
            raise self._unmet(f"the run ends after {outcome.run.grants}")
        return outcome

    def _unmet(self, why: str) -> Divergence:
        return Divergence(f"No order begins with {self.prefix}: {why}.", part=self.prefix)

    def _look(self, run: Run) -> None:
        self._run = run
        if self.merge:
            self._eyes.look(run)

    def choose(self, offered: tuple[str, ...]) -> str:
        """Be the policy: follow the path, then open new nodes until a state is known."""
        if self._depth == len(self._path):
            state = self._state(offered)
            if state is not None and state in self.states:
                self._known = self.states[state]
                raise Enough
            self._path.append(self._opened(state, offered))
        node = self._path[self._depth]
        offers_again(node.offered, offered, self.trial.recipe)
        self._depth += 1
        return node.chosen

    def _opened(self, state: State | None, offered: tuple[str, ...]) -> Node:
        node = Node(state, offered)
        if self._depth < len(self.prefix):
            node.only(self.prefix[self._depth])
            if node.chosen not in offered:
                at = f"grant {self._depth + 1} can go to {' or '.join(offered)}"
                raise self._unmet(at)
        return node

    def _state(self, offered: tuple[str, ...]) -> State | None:
        # with one choice there is nothing to save by knowing the state
        if not self.merge or len(offered) == 1 or self._run is None:
            return None
        return self._eyes.state(self._run)

    def _step_back(self, outcome: Outcome) -> None:
        if self._known is None:
            after = Future()
            if self.wanted(outcome):
                after.add(End.of(outcome.run, outcome.rows, outcome.broken), 1, Fraction(1), "")
        else:
            after = self._known
        while self._path:
            node = self._path[-1]
            node.future.behind(node.chosen, Fraction(1, len(node.offered)), after)
            if node.left:
                node.chosen = node.left.pop(0)
                return
            if node.state is not None:
                self.states[node.state] = node.future
            after = node.future
            self._path.pop()
        self.finished = True
        for end, ways in after.ends.items():
            way = min(ways.smallest.values(), key=smaller)
            self.groups.group(end).add(way, ways.orders, ways.probability)


class Eyes:
    """Sees the state of one run after every grant."""

    def __init__(self) -> None:
        self._read = 0
        self._seen: dict[str, int | str] = {}
        self._snapshots: dict[int, object] = {}
        self._now: str | None = None
        """All that the file holds at this moment, once somebody wanted to know."""

    def look(self, run: Run) -> None:
        """Add what every writer has observed since the last look."""
        for event in run.events[self._read :]:
            before = self._seen.get(event.writer, "")
            self._seen[event.writer] = f"{before}\n{_observed(event)}"
        self._read, self._now = len(run.events), None
        for hold in run.locks.holds:
            if hold.level is Lock.NONE:
                self._snapshots.pop(id(hold), None)
            elif id(hold) not in self._snapshots:
                self._snapshots[id(hold)] = self._everything(run)

    def _everything(self, run: Run) -> str:
        if self._now is None:
            self._now = everything(run.file.reader)
        return self._now

    def state(self, run: Run) -> State:
        """Return everything that what follows depends on."""
        locks = run.locks
        return (
            self._everything(run),
            tuple(sorted(self._seen.items())),
            run.clock.milliseconds,
            run.crew.processes.state(),
            locks.wal,
            locks.wal and locks.all_written_back(),
            tuple(
                (
                    hold.name,
                    hold.level,
                    hold.claims,
                    hold.changed,
                    hold.inside,
                    hold.behind,
                    locks.wal and hold.level is not Lock.NONE and locks.fresh(hold),
                    self._snapshots.get(id(hold)),
                )
                for hold in locks.holds
            ),
            tuple(
                (w.letter, w.ended, w.deadline, tuple(w.clock.read), *_hidden(run, w))
                for w in run.writers.values()
            ),
            tuple(run.red),
        )


def _hidden(run: Run, writer: Writer) -> tuple[object, ...]:
    """Return what a writer can learn of its connection without an event that tells it."""
    connection = writer.link.connection
    if connection.closed:
        return ()
    return connection.last_insert(), run.file.seams[connection.raw].thrown


def _observed(event: Event) -> str:
    """Return what a writer can know of an event: not when in the run it was."""
    return encode(
        (
            *(event.kind, event.number, event.call, event.sql, event.parameters, event.rows),
            *(event.rowcount, event.error, event.answer, event.side),
        )
    )
