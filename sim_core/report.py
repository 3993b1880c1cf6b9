"""What a person reads on a terminal: a run with its verdict, a sweep, a list, a bench.

Reads events and nothing else. The last line is what to type next; where a promise broke, it is
the run's own line, to be typed again.
"""

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from sim_core.axis import axis_text
from sim_core.engine.recipe import Recipe
from sim_core.judge.scenario import Scenario
from sim_core.judge.trial import Outcome
from sim_core.quoting import line
from sim_core.search.sweep import Sweep, wilson
from sim_core.story import story


def run_text(outcome: Outcome, width: int = 100, then: str = "") -> str:
    """Return the run as a story of at most `width` columns, its verdict, and what to type next:
    `then`, where that is known already."""
    blocks = [
        outcome.recipe.run_text,
        "\n".join(story(outcome, width)),
        *filter(None, ["\n".join(axis_text(outcome, width))]),
        "\n".join(_verdict(outcome, width)),
        f"hash  {outcome.hash}",
        following(then or _after_run(outcome)),
    ]
    if outcome.flaws:
        blocks[-1] += f"\nagain: {again(outcome.recipe.run_text)}"
    return "\n\n".join(blocks)


# The verdict.


def _verdict(outcome: Outcome, width: int) -> Iterator[str]:
    if outcome.failing:
        names = [w.name for w in outcome.run.writers.values() if w.ended == "failed"]
        yield f"{'One writer' if len(names) == 1 else 'Writers'} failed: {', '.join(names)}."
    if not outcome.violations:
        yield from wrap(_kept(outcome), width)
    for one in outcome.violations:
        yield f"BROKEN at grant {one.grant}: {line(one.invariant)}"
        yield from wrap(line(one.detail), width, initial_indent="  ", subsequent_indent="  ")
        promise = f"Promised: {line(one.promise)}"
        yield from wrap(promise, width, initial_indent="  ", subsequent_indent="  ")
    if outcome.scenario.leaks(outcome.recipe):
        yield MACHINE


SERIAL_ONLY = "ok: one after the other comes to the same, and nothing else was promised"


def _kept(outcome: Outcome) -> str:
    if outcome.apart:
        return f"NOT SERIAL: {line(str(outcome.apart))}. Nothing else was promised."
    names = ", ".join(line(one.name) for one in outcome.scenario.invariants)
    if not outcome.run.told:
        return "nothing was tested: no writer came to its end"
    if outcome.failing:
        kept = f"kept: {names}" if names else "nothing was promised"
        return f"not broken, but not as it should be either; {kept}"
    return f"ok in this one order: {names}" if names else SERIAL_ONLY


# A sweep.


def sweep_text(grown: Sweep, width: int = 100) -> str:
    """Return how many seeds broke which promise, beside what the source report measured."""
    of = len(grown.runs)
    if not of:
        return f"{full(grown.recipe)}   {_stopped(grown)}"
    first, last = grown.runs[0].seed, grown.runs[-1].seed
    lines = [f"{full(grown.recipe)}   seeds {first}..{last}, {of} run{'s' * (of != 1)}"]
    if grown.stopped:
        lines.append(_stopped(grown))
    named = {line(name): len(seeds) for name, seeds in grown.by_invariant.items()}
    column = max(map(len, [*named, *(["published"] if grown.published else [])]), default=0)
    lines += [""] * bool(named)
    lines += [f"{name:<{column}}  broken in {_seen(hits, grown)}" for name, hits in named.items()]
    lines += _published(grown, column)
    lines += ["", *wrap(_sweep_verdict(grown), width), "", following(_after_sweep(grown))]
    return "\n".join(lines)


def full(recipe: Recipe) -> str:
    """Return scenario, options and writers with nothing left out."""
    options = [f"{name}={value}" for name, value in recipe.options]
    extras = [f"{name}={value}" for name, value in recipe.extras]
    writers = f"writers={','.join(recipe.writers)}"
    return "  ".join([recipe.terms.scenario, *options, writers, *extras])


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits} of {of}: {hits / of:.0%}, 95 % interval {low * 100:.0f}–{high * 100:.0f} %"


def _seen(hits: int, grown: Sweep) -> str:
    """Return a share of the seeds; where all make one run, there is nothing to estimate."""
    of = len(grown.runs)
    return f"{hits} of {of}" if grown.one_order else _share(hits, of)


MACHINE = "This variant reads the machine on purpose: on another day it is another run."


def _published(grown: Sweep, width: int) -> list[str]:
    said = grown.published
    if not said:
        return []
    return [
        f"{'published':<{width}}  {_share(said['broken'], said['seeds'])}",
        f"{'':<{width}}  in “{grown.scenario.report}”; another program, other seeds",
    ]


def _sweep_verdict(grown: Sweep) -> str:
    of = len(grown.runs)
    failing = f"A writer failed in {grown.failing} of {of} runs."
    if grown.recipe.faults:
        failing += f" A fault struck in {grown.struck} of them."
    if grown.one_order:
        failing += " The recipe's grants are the whole order: every seed runs the same."
    if grown.scenario.leaks(grown.recipe):
        failing += f" {MACHINE}"
    if not grown.broken and grown.failing == of:
        return f"not broken, but a writer failed in every one of {of} runs: that tests little."
    if grown.recipe.faults and not grown.broken and not grown.struck:
        return f"nothing was tested: {', '.join(map(str, grown.recipe.faults))} found no place."
    if grown.odd:
        return f"NOT SERIAL under {len(grown.odd)} of {of} seeds: {_seeds(grown.odd)}. {failing}"
    if not grown.broken:
        return f"held in {of} of {of} sampled runs; a sample proves nothing. {failing}"
    return f"BROKEN under {len(grown.broken)} of {of} seeds: {_seeds(grown.broken)}. {failing}"


def _seeds(found: list[int]) -> str:
    return " ".join(map(str, found[:20])) + (" …" if len(found) > 20 else "")


def _stopped(grown: Sweep) -> str:
    return f"ended early, after {len(grown.runs)} of {grown.asked} runs: {grown.stopped}"


# What to type next.


def following(command: str) -> str:
    """Return the line that says what to type next."""
    return f"next: {command}"


def _after_run(outcome: Outcome) -> str:
    if outcome.scenario.leaks(outcome.recipe):
        return f"explorer check {quoted(outcome.recipe.every_order.text)}"
    if outcome.flaws:
        return f"explorer shrink {quoted(outcome.recipe.run_text)}"
    recipe = outcome.recipe.but(seed=0, grants="", step=None, check="")
    return f"explorer sweep {quoted(recipe.text)} --seeds 0..29"


def _after_sweep(grown: Sweep) -> str:
    if grown.scenario.leaks(grown.recipe):
        return f"explorer check {quoted(grown.recipe.every_order.text)}"
    if found := grown.broken or grown.odd:
        if grown.one_order:
            return f"explorer shrink {quoted(grown.recipe.but(seed=found[0]).text)}"
        return again(grown.recipe.but(seed=found[0]).text)
    return f"explorer exhaust {quoted(grown.recipe.every_order.text)}"


def again(recipe: str) -> str:
    """Return the command that makes a run once more."""
    return f"explorer run {quoted(recipe)}"


def quoted(recipe: str) -> str:
    """Return a recipe as a shell word: its ? and & mean something to a shell."""
    return "'" + recipe.replace("'", "'\\''") + "'"


# The gallery.


def scenario_text(scenario: Scenario) -> str:
    """Return a scenario's card: its title, its options, its writers, its opening run."""
    terms = scenario.terms
    lines = [f"{terms.scenario}: {scenario.title}"]
    named = [
        (f"{option}={choice}", meaning)
        for option, choices in scenario.meanings.items()
        for choice, meaning in choices.items()
    ]
    column = max((len(name) for name, _ in named), default=0)
    lines += [f"  {name:<{column}}  {meaning}".rstrip() for name, meaning in named]
    lines.append(f"  writers  {', '.join(terms.roles)}; by default {', '.join(terms.writers)}")
    lines.append(f"  try      explorer run {quoted(scenario.opening)}")
    return "\n".join(lines)


# The bench.


def bench_text(answer: dict[str, Any]) -> str:
    """Return `bench/1` as a table: runs a second and their ratios; orders a second of a search,
    and what it keeps in memory."""
    lines = ["runs a second (median of blocks that took turns)"]
    lines += [f"  {one['name']:<24}{one['runs_per_second']:>10,}" for one in answer["results"]]
    lines += ["", "ratios"]
    lines += [f"  {name:<24}{ratio:>10.2f}" for name, ratio in answer["ratios"].items()]
    lines += ["", "complete orders a second, of the search that leaves equal orders out"]
    lines += [
        f"  {one['name']:<24}{one['orders_per_second']:>10,}  of {one['orders']:,} orders"
        for one in answer["searches"]
    ]
    (early, late), (few, many) = answer["memory"]["bytes"], answer["memory"]["orders"]
    lines += [
        f"  most memory, orders 1 to {few:,}{early / 1024:>10,.0f} KiB",
        f"  most memory, from there to {many:,}{late / 1024:>7,.0f} KiB",
        "",
        "growth",
    ]
    lines += [f"  {name:<24}{ratio:>10.2f}" for name, ratio in answer["growth"].items()]
    return "\n".join(lines)
