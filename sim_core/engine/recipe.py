"""The one line that identifies a run.

    sections?mode=warn&writers=careful,blind&seed=7
    sections?mode=warn&grants=ABBA&faults=A2after:crash

It is the command's argument, the page's address, a corpus entry, a test's id and the last line
of a failure. One strict parser, one canonical form: keys in one order, defaults left out. What
a scenario allows comes in as `Terms`; nothing here knows a scenario.

Wrong in this module: a second spelling of anything, and guessing what somebody meant.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self
from urllib.parse import quote, unquote

from sim_core.engine import faults as fault
from sim_core.engine.faults import Fault
from sim_core.engine.policy import POLICIES
from sim_core.errors import RecipeError
from sim_core.quoting import short
from sim_core.seams.clock import EPOCH
from sim_core.seams.zones import UnknownZone, offset_of

LETTERS: Final = "ABCDE"
MOST_WRITERS: Final = len(LETTERS)
MOST_CHARACTERS: Final = 8_000
MOST_GRANTS: Final = 10_000
"""Of a run that has not ended by then; a step is one of them."""
MOST_SEED: Final = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""
JOURNALS: Final = ("delete", "wal")
TIMERS: Final = ("idle", "any")
GRANULARITIES: Final = ("statement", "call")
CERTAIN: Final = 1_000_000
"""A probability of 1, in millionths."""
MOST_TIMEOUT: Final = 3_600_000
RESERVED: Final = (
    *("writers", "journal", "tz", "timers", "timeout", "granularity"),
    *("seed", "policy", "grants", "faults", "p", "step", "check"),
)
"""Keys that a scenario's options may not use."""


@dataclass(frozen=True)
class Terms:
    """What a scenario allows in its recipes."""

    scenario: str
    options: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Option → its choices; the first is the default."""
    roles: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    """The roles that write unless others are picked."""
    journal: str = "delete"
    timeout: int = 5_000
    """Busy timeout in milliseconds."""
    timers: str = "idle"
    recovers: tuple[str, ...] = ()
    """Roles in whose stead another starts after a crash; its letter is the small one."""


@dataclass(frozen=True)
class Recipe:
    """A parsed recipe; `text` is its canonical form."""

    terms: Terms = field(compare=False, repr=False)
    options: tuple[tuple[str, str], ...]
    writers: tuple[str, ...]
    journal: str
    timeout: int
    timers: str = "idle"
    zone: str = "UTC"
    granularity: str = "statement"
    seed: int = 0
    policy: str = POLICIES[0]
    """How the seed's dice are read."""
    grants: str = ""
    faults: tuple[Fault, ...] = ()
    probability: int = CERTAIN
    """That a fault strikes where it fits, in millionths."""
    step: int | None = None
    check: str = ""
    """`engine.digest` of the outcome that the sender saw; empty where none was sent."""

    @property
    def text(self) -> str:
        """Return the recipe as one line."""
        return self._join(self._shown())

    @property
    def run_text(self) -> str:
        """Return the line without step and check: they point into a run and do not change it."""
        return replace(self, step=None, check="").text

    @property
    def head(self) -> str:
        """Return who ran with what: a trace's first line. Who went when, and what struck, the
        events say."""
        return self.every_order.but(faults=()).text

    @property
    def extras(self) -> list[tuple[str, str]]:
        """Return what is not as by default, beside options and writers and who goes when."""
        shown = self.but(writers=self.terms.writers, seed=0, grants="", step=None, check="")
        named = dict(self.options)
        return [(key, value) for key, value in shown._shown() if key not in named]

    @property
    def every_order(self) -> Self:
        """Return the recipe without what tells one of its runs from another."""
        return self.but(seed=0, policy=POLICIES[0], grants="", step=None, check="")

    def but(self, **changes: Any) -> Self:
        """Return the recipe with some fields changed."""
        return replace(self, **changes)

    def _join(self, pairs: list[tuple[str, str]]) -> str:
        query = "&".join(f"{key}={quote(value, safe=',:.')}" for key, value in pairs)
        return f"{self.terms.scenario}?{query}" if query else self.terms.scenario

    def _shown(self) -> list[tuple[str, str]]:
        terms = self.terms
        shown = [(k, v) for k, v in self.options if v != terms.options[k][0]]
        if self.writers != terms.writers:
            shown.append(("writers", ",".join(self.writers)))
        if self.journal != terms.journal:
            shown.append(("journal", self.journal))
        if self.zone != "UTC":
            shown.append(("tz", self.zone))
        if self.timers != terms.timers:
            shown.append(("timers", self.timers))
        if self.timeout != terms.timeout:
            shown.append(("timeout", _seconds(self.timeout)))
        if self.granularity != GRANULARITIES[0]:
            shown.append(("granularity", self.granularity))
        if self.seed:
            shown.append(("seed", str(self.seed)))
        if self.policy != POLICIES[0]:
            shown.append(("policy", self.policy))
        if self.grants:
            shown.append(("grants", self.grants))
        if self.faults:
            shown.append(("faults", ",".join(map(str, self.faults))))
        if self.probability != CERTAIN:
            shown.append(("p", f"{self.probability / CERTAIN:f}".rstrip("0")))
        if self.step is not None:
            shown.append(("step", str(self.step)))
        if self.check:
            shown.append(("check", self.check))
        return shown


def _seconds(milliseconds: int) -> str:
    """Return milliseconds as seconds, to the last digit: another text is another recipe."""
    return f"{milliseconds // 1000}.{milliseconds % 1000:03d}".rstrip("0").rstrip(".")


def split(text: str) -> tuple[str, str]:
    """Return scenario and query of a recipe; RecipeError when it is too long."""
    if len(text) > MOST_CHARACTERS:
        raise RecipeError(
            f"The recipe has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read.",
            part=text[:40] + "…",
        )
    scenario, _, query = text.partition("?")
    return scenario, query


def _pairs(query: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for part in query.split("&") if query else ():
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise RecipeError(
                f"'{short(part)}' in the recipe is not of the form key=value.", part=part
            )
        if key in pairs:
            raise RecipeError(f"{short(key)} stands twice in the recipe; write it once.", part=part)
        pairs[key] = _decoded(part, value)
    return pairs


def _decoded(part: str, value: str) -> str:
    if re.search(r"%(?![0-9A-Fa-f]{2})", value):
        raise RecipeError(f"{short(part)} holds a broken percent escape.", part=part)
    try:
        return unquote(value, errors="strict")
    except UnicodeDecodeError:
        raise RecipeError(f"{short(part)} is not valid UTF-8.", part=part) from None


def parse(query: str, terms: Terms) -> Recipe:
    """Return the recipe that `query` spells under `terms`.

    Raises RecipeError, whose `part` is the offending key=value, for an unknown key, a bad
    value, a key given twice.
    """
    pairs = _pairs(query)
    _known_keys(pairs, terms)
    read = _Reader(pairs)
    writers = _writers(pairs, terms)
    letters = _letters(writers, terms)
    return Recipe(
        terms=terms,
        options=tuple(
            (name, read.choice(name, choices)) for name, choices in terms.options.items()
        ),
        writers=writers,
        journal=read.choice("journal", JOURNALS, terms.journal),
        timeout=read.timeout(terms.timeout),
        timers=read.choice("timers", TIMERS, terms.timers),
        zone=read.zone(),
        granularity=read.choice("granularity", GRANULARITIES),
        seed=read.whole("seed", MOST_SEED) or 0,
        policy=read.choice("policy", POLICIES),
        grants=read.grants(letters),
        faults=read.faults(letters),
        probability=read.probability(),
        step=read.whole("step", MOST_GRANTS),
        check=read.check(),
    )


def _known_keys(pairs: dict[str, str], terms: Terms) -> None:
    allowed = (*terms.options, *RESERVED)
    for key, value in pairs.items():
        if key not in allowed:
            raise RecipeError(
                f"{terms.scenario} has no option '{short(key)}'; it knows {', '.join(allowed)}.",
                part=f"{key}={value}",
            )


def _writers(pairs: dict[str, str], terms: Terms) -> tuple[str, ...]:
    if "writers" not in pairs:
        return terms.writers
    part = f"writers={pairs['writers']}"
    roles = tuple(pairs["writers"].split(","))
    for role in roles:
        if role not in terms.roles:
            raise RecipeError(
                f"{terms.scenario} has no writer '{short(role)}'; it has {', '.join(terms.roles)}.",
                part=part,
            )
    if len(roles) > MOST_WRITERS:
        raise RecipeError(
            f"{short(part)} names {len(roles)} writers; at most {MOST_WRITERS} run together.",
            part=part,
        )
    return roles


def _letters(writers: tuple[str, ...], terms: Terms) -> str:
    """Return the letters that may be granted: the writers', and those of their recoveries."""
    letters = LETTERS[: len(writers)]
    roles = zip(letters, writers, strict=True)
    return letters + "".join(letter.lower() for letter, role in roles if role in terms.recovers)


class _Reader:
    """Reads one key at a time, and says what is allowed where it cannot."""

    def __init__(self, pairs: dict[str, str]) -> None:
        self.pairs = pairs

    def _bad(self, key: str, allowed: str) -> RecipeError:
        part = f"{key}={self.pairs[key]}"
        return RecipeError(f"{short(part)} is not allowed; {allowed}.", part=part)

    def choice(self, key: str, choices: tuple[str, ...], default: str = "") -> str:
        value = self.pairs.get(key, default or choices[0])
        if value not in choices:
            raise self._bad(key, f"{key} is {' or '.join(choices)}")
        return value

    def whole(self, key: str, most: int) -> int | None:
        if key not in self.pairs:
            return None
        value = self.pairs[key]
        if not re.fullmatch(r"0|[1-9][0-9]{0,15}", value) or int(value) > most:
            raise self._bad(key, f"{key} is a whole number from 0 to {most}")
        return int(value)

    def timeout(self, default: int) -> int:
        if "timeout" not in self.pairs:
            return default
        value = self.pairs["timeout"]
        if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", value):
            raise self._bad("timeout", "timeout is in seconds, from 0 to 3600, like 5 or 0.25")
        whole, _, rest = value.partition(".")
        milliseconds = int(whole) * 1000 + int(rest.ljust(3, "0"))
        if milliseconds > MOST_TIMEOUT:
            raise self._bad("timeout", "timeout is in seconds, from 0 to 3600")
        return milliseconds

    def grants(self, letters: str) -> str:
        value = self.pairs.get("grants", "")
        if "grants" in self.pairs and not re.fullmatch(f"[{letters}t]+", value):
            raise self._bad(
                "grants", f"grants are letters from {', '.join(letters)}, or t where time passes"
            )
        return value

    def faults(self, letters: str) -> tuple[Fault, ...]:
        if "faults" not in self.pairs:
            return ()
        faults = fault.parse(self.pairs["faults"])
        if any(one.writer not in letters + "*" for one in faults):
            raise self._bad("faults", f"the writers here are {', '.join(letters)}")
        if len(set(faults)) < len(faults):
            raise self._bad("faults", "a fault stands there twice")
        return faults

    def probability(self) -> int:
        if "p" not in self.pairs:
            return CERTAIN
        value = self.pairs["p"]
        if not re.fullmatch(r"0\.[0-9]{1,6}|1", value) or not float(value):
            raise self._bad("p", "p is a probability above 0 and up to 1, like 0.05")
        return round(float(value) * CERTAIN)

    def zone(self) -> str:
        value = self.pairs.get("tz", "UTC")
        try:
            offset_of(value, EPOCH)
        except UnknownZone as error:
            raise self._bad("tz", str(error)) from None
        return value

    def check(self) -> str:
        value = self.pairs.get("check", "")
        if "check" in self.pairs and not re.fullmatch(r"[1-9][0-9]{0,3}\.[0-9a-f]{8}", value):
            raise self._bad("check", "check is an engine version and eight hex digits, 1.0123abcd")
        return value
