"""How somebody else's words stand in a sentence of ours.

A recipe, a file's name, an error's text, a row: what we did not write ourselves may be endless,
may hold characters that move a terminal's cursor, and may even be an object that raises when it
is asked for its text. Every such thing passes through here before it is shown.

Wrong in this module: a sentence.
"""

import re
from typing import Final

SHORT: Final = 60
"""Characters of a culprit that an error repeats."""
LONG: Final = 2_000
"""Characters of an error's own text that are kept."""

_HARMLESS: Final = frozenset("\n\u00a0\u2009\u202f")
"""Not printable for Python, and welcome on a terminal all the same: breaks and narrow spaces."""
_ODD: Final = re.compile(r"[^\x20-\x7e\n]")


def clean(text: str) -> str:
    """Return the text with everything escaped that would do something instead of being read:
    control characters, marks that turn the direction of writing, halves of characters."""
    return _ODD.sub(lambda match: _escaped(match[0]), text)


def _escaped(character: str) -> str:
    if character.isprintable() or character in _HARMLESS:
        return character
    return character.encode("unicode_escape").decode("ascii")


def line(text: str) -> str:
    """Return the text on one line, its breaks shown."""
    return clean(re.sub(r"\r\n?|\n", " ⏎ ", text))


def cut(text: str, most: int = SHORT) -> str:
    """Return at most `most` characters of the text, and how many there are."""
    return text if len(text) <= most else f"{text[: most - 1]}… ({len(text):,} characters)"


def short(value: object, most: int = SHORT) -> str:
    """Return a culprit as a sentence repeats it: one line, cut, harmless."""
    return line(cut(text_of(value), most))


def kind(value: object) -> str:
    """Return the name of the value's type, whatever a metaclass says."""
    name = type.__dict__["__name__"].__get__(type(value))
    assert isinstance(name, str), "a type's own name is a string"
    return name


def text_of(value: object) -> str:
    """Return str(value), or the name of its type where it has no text."""
    if type(value) is str:
        return value
    try:
        return str.__str__(str(value))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return f"<{kind(value)}>"


def message(error: BaseException) -> str:
    """Return an error's own text, as long as a person reads."""
    return cut(text_of(error), LONG)


def said(error: BaseException) -> str:
    """Return an error on one line: its class and its text."""
    text = short(error, 300)
    return f"{kind(error)}: {text}" if text else kind(error)
