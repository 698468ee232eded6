"""The JSON Schema of the feed and its parser agree (issue 17)."""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from rounds.feed import FeedError, document_schemas, feed_schema, parse_document
from rounds.rules.catalogue import RULE_SETS

_GOLDEN: Final = Path(__file__).parent.parent / "golden"
_GAMES: Final = ("baccarat", "blackjack", "mega-fire-blaze", "quantum", "zappit")
_WRONG: Final[tuple[Any, ...]] = (None, True, -1, 1.5, "", "?", [], {}, [1], ["?", "?"], {"?": "?"})
_FITS: Final = Draft202012Validator(feed_schema(RULE_SETS))
_OF_READERS_ALONE: Final = re.compile(
    "an id of its own|one player a round|one of a player on a box|insurance of cash bets only"
    "|(opened|closed)_at or later|at most the [0-9]+ cards of the round"
)
"""Relations between fields, which no schema states."""
Document = dict[str, Any]


def golden(*games: str) -> Iterator[Document]:
    """Every JSON document of the public cases, valid or not."""
    for game in games:
        for line in (_GOLDEN / f"{game}.ndjson").read_text().splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue


def is_taken(document: object) -> bool:
    """Whether the parser accepts it."""
    try:
        parse_document(document)
    except FeedError:
        return False
    return True


def spoiled(document: Any) -> Iterator[Any]:
    """A document with one fault: a field missing, added, or of another type or format."""
    parts = document.items() if isinstance(document, dict) else enumerate(document)
    for name, value in list(parts):
        others: list[Any] = [other for other in _WRONG if other != value]
        if isinstance(value, dict | list):
            others += list(spoiled(value))[:25]
        for other in others:
            changed = deepcopy(document)
            changed[name] = other
            yield changed
    if isinstance(document, dict):
        yield from (
            {**document, "unknown": 1},
            *({n: v for n, v in document.items() if n != disconnect} for disconnect in document),
        )


def full_round() -> Document:
    """A round with every part of its game."""
    return next(
        document
        for document in golden("mega-fire-blaze")
        if "bonus" in document and "disconnects" in document and is_taken(document)
    )


@pytest.mark.parametrize("game", _GAMES)
def test_accepted_documents_match_the_schema(game: str) -> None:
    """All public cases of the game."""
    accepted = [document for document in golden(game) if is_taken(document)]

    wrong = [
        (document.get("round"), error.message)
        for document in accepted
        for error in _FITS.iter_errors(document)
    ]
    assert len(accepted) > 50
    assert wrong == []


@pytest.mark.parametrize("game", _GAMES)
def test_refused_documents_mismatch_the_schema(game: str) -> None:
    """All public cases of the game, unless fields contradict each other."""
    refused = [document for document in golden(game) if not is_taken(document)]

    faults = []
    for document in filter(_FITS.is_valid, refused):
        with pytest.raises(FeedError) as error:
            parse_document(document)
        faults.append(error.value.needed)
    assert [fault for fault in faults if not _OF_READERS_ALONE.fullmatch(fault)] == []
    assert len(refused) > 2 * len(faults)


def test_the_document_is_valid_json_schema() -> None:
    """By the meta-schema, with the keywords of JSON Schema alone and every definition used."""
    document = feed_schema(RULE_SETS)
    text = json.dumps(document)

    Draft202012Validator.check_schema(document)

    assert document["$defs"].keys() == document_schemas(RULE_SETS).keys()
    assert [name for name in document["$defs"] if f'"#/$defs/{name}"' not in text] == []
    assert "#/components" not in text
    assert "discriminator" not in text


@pytest.mark.parametrize("cases", [1, pytest.param(3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("game", _GAMES)
def test_mismatches_are_refused(game: str, cases: int) -> None:
    """Public cases with a fault in every place."""
    for sound in [document for document in golden(game) if is_taken(document)][:cases]:
        unfit = [document for document in spoiled(sound) if not _FITS.is_valid(document)]

        assert len(unfit) > 50
        assert [document for document in unfit if is_taken(document)] == []


@pytest.mark.slow
def test_every_part_of_a_round_is_checked() -> None:
    """Bonus, shoe, cards, bets and disconnects, by both."""
    sound = full_round()
    for part in ("bonus", "shoe", "disconnects", "cards", "bets"):
        unfit = [
            spoiled_part
            for spoiled_part in spoiled({part: sound[part]})
            if not _FITS.is_valid({**sound, **spoiled_part})
        ]

        assert len(unfit) > 20, part
        assert not any(
            is_taken({**sound, **spoiled_part}) for spoiled_part in unfit if part in spoiled_part
        )


def _on(*place: str | int, value: object) -> Callable[[Document], None]:
    def change(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        document[place[-1]] = value

    return change


@pytest.mark.parametrize(
    ("game", "change"),
    [
        ("blackjack", _on("shoe", "drawn", value=-1)),
        ("blackjack", _on("opened_at", value="2026-11-21T21:10:10+01:00")),
        ("blackjack", _on("opened_at", value="2026-11-21T21:10:10.1234Z")),
        ("blackjack", _on("round", value="a b")),
        ("blackjack", _on("rules", value="roulette/1")),
        ("blackjack", _on("cards", value=[["1", "1H"]])),
        ("blackjack", _on("cards", value=[["8", "AH"]])),
        ("blackjack", _on("multipliers", value={})),
        ("blackjack", _on("bonus", value={})),
        ("blackjack", _on("incident", value="none")),
        ("blackjack", _on("dealers", value="d-1")),
        ("blackjack", _on("bets", 0, "stake", value="0.00")),
        ("blackjack", _on("bets", 0, "stake", value=10)),
        ("blackjack", _on("bets", 0, "stake", value="01.00")),
        ("blackjack", _on("bets", 0, "kind", value="player")),
        ("blackjack", _on("bets", 0, "box", value=8)),
        ("blackjack", _on("bets", 0, "play", value="PP")),
        ("blackjack", _on("bets", 0, "funding", value="golden")),
        ("baccarat", _on("bets", 0, "box", value=1)),
        ("baccarat", _on("bets", 0, "behind", value=True)),
        ("baccarat", _on("bets", 0, "follows", value=True)),
        ("baccarat", _on("bets", 0, "raised", value="1.00")),
        ("zappit", _on("shoe", value={"id": "z-1", "drawn": 0})),
        ("zappit", _on("bets", 0, "box", value=4)),
    ],
)
def test_malformed_values_are_rejected_by_both(
    game: str, change: Callable[[Document], None]
) -> None:
    """Malformed values match neither schema nor parser."""
    sound = next(
        document
        for document in golden(game)
        if document.get("feed") == "round/1" and document.get("bets") and is_taken(document)
    )
    changed = deepcopy(sound)

    change(changed)

    assert _FITS.is_valid(sound)
    assert not _FITS.is_valid(changed)
    assert not is_taken(changed)
