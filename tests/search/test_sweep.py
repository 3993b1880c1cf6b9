"""A sweep in somebody else's processes or threads finds what it finds here, in the same order."""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any

import pytest

from sim_core import errors
from sim_core.errors import ExplorerError, MachineError, RecipeError, ScenarioError
from sim_core.search import sweep as sweeping
from sim_core.search.sweep import CHUNKS_AHEAD, MOST_IN_A_CHUNK, Sweep

WARN = "sections?mode=warn"


class AtOnce(Executor):
    """Works when it is asked, in this process, and passes everything through pickle."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        task, given = pickle.loads(pickle.dumps((task, given)))
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(task(*given))))
        self.futures.append(future)
        return future


class Never(AtOnce):
    """Takes everything and does nothing, but for the first."""

    def submit(self, task: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        if not self.futures:
            return super().submit(task, *given)
        self.futures.append(Future())
        return self.futures[-1]


def swept(recipe: str, seeds: range, executor: Executor | None = None) -> Sweep:
    sweep = Sweep(recipe)
    for _ in sweep.over(seeds, executor):
        pass
    return sweep


@pytest.mark.parametrize("recipe", [WARN, f"{WARN}&policy=pct3", f"{WARN}&grants=A"])
def test_what_an_executor_finds_is_what_is_found_here(recipe: str) -> None:
    seeds = range(3, 303)
    here, there = swept(recipe, seeds), swept(recipe, seeds, AtOnce())
    assert there.runs == here.runs and [run.seed for run in there.runs] == list(seeds)
    assert there.asked == 300 and type(there.runs[0]) is type(here.runs[0])


def test_only_so_many_chunks_are_ahead_and_stopping_takes_them_back() -> None:
    executor = Never()
    found = Sweep(WARN).over(range(100 * CHUNKS_AHEAD * MOST_IN_A_CHUNK), executor)
    assert next(found).seed == 0
    assert len(executor.futures) == CHUNKS_AHEAD
    found.close()  # type: ignore[attr-defined]
    assert all(future.cancelled() for future in executor.futures[1:])


def test_one_thread_will_do() -> None:
    with ThreadPoolExecutor(max_workers=1) as executor:
        assert swept(WARN, range(100), executor).runs == swept(WARN, range(100)).runs


def test_a_second_thread_in_the_same_process_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeping, "_at_work", ["another thread's"])
    with ThreadPoolExecutor(max_workers=1) as executor:
        sweep = Sweep(WARN)
        with pytest.raises(MachineError, match="with one thread"):
            list(sweep.over(range(10), executor))
    assert sweep.runs == []


ENDS_WITH_SEED_5 = '''"""T."""
SCHEMA = ""
async def w(db):
    "W."
    return (await (await db.execute("SELECT abs(random() % 10)")).fetchone())[0]
def i(told):
    if told["w"] == 7:
        raise ZeroDivisionError
INVARIANTS = (i,)
'''


def test_an_error_keeps_what_was_found_and_names_its_run(tmp_path: Any) -> None:
    path = tmp_path / "ends.py"
    path.write_text(ENDS_WITH_SEED_5)
    told = []
    for executor in (None, AtOnce()):
        sweep = Sweep(str(path))
        with pytest.raises(ScenarioError) as caught:
            list(sweep.over(range(200), executor))
        told.append((str(caught.value), caught.value.part, caught.value.recipe, sweep.runs))
    assert told[0] == told[1]
    assert f"seed={len(told[0][3])}" in told[0][2] and told[0][3]


@pytest.mark.parametrize("kind", ExplorerError.__subclasses__())
def test_an_error_of_ours_survives_the_way_from_another_process(kind: type) -> None:
    error = kind("one sentence", part="mode=x")
    error.recipe = "sections?mode=x"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert (str(again), again.part, again.recipe) == ("one sentence", "mode=x", "sections?mode=x")


def test_every_error_of_ours_has_been_sent() -> None:
    ours = {one for one in vars(errors).values() if isinstance(one, type)}
    assert set(ExplorerError.__subclasses__()) | {ExplorerError} == ours & {
        one for one in ours if issubclass(one, Exception)
    }
    assert RecipeError in ours
