"""Parsing of bonuses (contract, "The Mega Fire Blaze bonus")."""

import re
from typing import Final

from rounds.feed.exceptions import FeedError, shorten
from rounds.feed.fields import Document, read_choice, read_list, read_object
from rounds.rules.facts import Bonus
from rounds.rules.rule_set import RuleSet

REQUIRED: Final = frozenset({"level", "spins", "multiplier"})
OPTIONAL: Final = frozenset({"specials"})
NUMBER_PATTERN: Final = "0|[1-9][0-9]{0,5}"
_NUMBER: Final = re.compile(NUMBER_PATTERN)
SPECIALS: Final = ("boost", "star")

Spin = tuple[tuple[int, str], ...]


def read_bonus(document: Document, rules: RuleSet) -> Bonus:
    """The bonus; the rules validate its grid (detail 11)."""
    if not rules.bonus_levels:
        raise FeedError("bonus", shorten(document["bonus"]), f"nothing: {rules.name} has none")
    try:
        bonus = read_object(document["bonus"], required=REQUIRED, optional=OPTIONAL)
        return Bonus(
            read_choice(bonus, "level", rules.bonus_levels),
            tuple(_read_spin(spin, n) for n, spin in enumerate(read_list(bonus, "spins"))),
            _read_specials(bonus["specials"]) if "specials" in bonus else (),
            _read_number(bonus["multiplier"], "multiplier"),
        )
    except FeedError as error:
        raise error.within("bonus") from None


def _read_spin(spin: object, number: int) -> Spin:
    field = f"spins[{number}]"
    if type(spin) is not list:
        raise FeedError(field, shorten(spin), "a list of cells and their multipliers")
    filled = []
    for pair in spin:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not int:  # noqa: PLR2004 - a pair has two
            raise FeedError(field, shorten(pair), 'a cell and its multiplier, such as [1, "2"]')
        filled.append((pair[0], _read_number(pair[1], field)))
    return tuple(filled)


def _read_specials(specials: object) -> tuple[tuple[str, str, str], ...]:
    if type(specials) is not dict:
        raise FeedError("specials", shorten(specials), "an object of sections")
    return tuple(_read_special(section, specials[section]) for section in specials)


def _read_special(section: str, special: object) -> tuple[str, str, str]:
    field = f"specials.{_read_number(section, 'specials')}"
    if type(special) is not dict or len(special) != 1 or not special.keys() <= set(SPECIALS):
        raise FeedError(field, shorten(special), 'a boost or a star, such as {"boost": "2"}')
    ((kind, value),) = special.items()
    return section, kind, _read_number(value, f"{field}.{kind}")


def _read_number(value: object, field: str) -> str:
    if type(value) is str and _NUMBER.fullmatch(value) is not None:
        return value
    raise FeedError(field, shorten(value), 'a whole number in text, such as "8"')
