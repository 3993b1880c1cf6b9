"""A recipe in, a judged run out: the call that everything else is a loop around."""

from sim_core.engine.faults import Fault
from sim_core.engine.policy import Scripted, Wish
from sim_core.engine.recipe import CERTAIN, Recipe
from sim_core.engine.run import Run
from sim_core.errors import Divergence, RecipeError, within
from sim_core.judge.scenario import Scenario, recipe_of
from sim_core.judge.trial import Outcome, Trial
from sim_core.quoting import short


def perform(text: str, *, film: bool = False) -> Outcome:
    """Run the recipe `text` strictly: what it names must happen.

    Raises RecipeError where a grant, a fault or the step names a place that the run does not
    have; the sentence says which there are.
    """
    scenario, recipe = recipe_of(text)
    outcome = run(scenario, recipe, film=film)
    _everything_happened(outcome)
    return outcome


def follow(text: str, *, film: bool = False) -> Outcome:
    """Run the recipe `text` in the order of its grants, as far as they can be followed: a grant
    that cannot go is passed over, and a fault whose place never comes is left out.

    What comes back is spelled out, and is the same run for `perform`.
    """
    scenario, recipe = recipe_of(text)
    with within(recipe.run_text):
        found = Trial(scenario, recipe).run(lambda: Wish(recipe.grants), seed=recipe.seed).run
    certain = recipe.probability == CERTAIN
    faults = (one for one in recipe.faults if one in found.strikes.struck or not certain)
    exact = recipe.but(grants=found.grants, faults=tuple(faults), step=None, check="")
    return perform(exact.text, film=film)


def run(scenario: Scenario, recipe: Recipe, *, film: bool = False) -> Outcome:
    """Run and judge; a fault whose place never comes simply does not strike."""
    trial = Trial(scenario, recipe)
    policies: list[Scripted] = []

    def policy() -> Scripted:
        policies.append(trial.policy(recipe.seed))
        return policies[-1]

    try:
        with within(recipe.run_text):
            outcome = trial.run(policy, film=film, checks=True)
    except Divergence as error:
        raise RecipeError(str(error), part=error.part) from error
    if left := policies[-1].left():
        raise RecipeError(
            f"grants={short(recipe.grants)} has {len(left)} grants too many: the run ends after "
            f"{outcome.run.grants}.",
            part=f"grants={recipe.grants}",
        )
    return outcome


def _everything_happened(outcome: Outcome) -> None:
    run, recipe = outcome.run, outcome.recipe
    certain = recipe.probability == CERTAIN
    for fault in recipe.faults:
        if certain and fault not in run.strikes.struck:
            raise RecipeError(
                f"faults={fault} never strikes: {_places(run, fault)}", part=f"faults={fault}"
            )
    if recipe.step is not None and recipe.step > len(run.grants):
        raise RecipeError(
            f"There is no step={recipe.step}: this run has only {len(run.grants)} grants.",
            part=f"step={recipe.step}",
        )


def _places(run: Run, fault: Fault) -> str:
    """Return the sentence that names where the fault's writer could be struck."""
    writer = run.writers.get(fault.writer)
    if writer is None or fault.slug:
        return "no operation of this run fits it."
    last = writer.number - 1
    return (
        f"in this run {writer.name} has {last} operation{'s' * (last != 1)}, so its crash points "
        f"are {fault.writer}1before to {fault.writer}{last}after."
    )
