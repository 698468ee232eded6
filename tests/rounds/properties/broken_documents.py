"""Valid documents with random edits, as a faulty studio might send them: lines of a feed."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

Container = dict[str, Any] | list[Any]
Spot = tuple[Container, Any]
"""A place in a document: what holds a value, and under which name or number."""

_ODD: Final[tuple[object, ...]] = (
    *(None, True, False, 0, -1, 1, 7, 8, 2**31, 2**63, 10**40, -(10**40), 1.0, 1e2, -0.0, 0.5),
    *("", " ", "0", "00", "-1", "1.005", "1e2", "10.00", "999999999999.99", "\u0661", "\u0967.50"),
    *("\ud800", "\0", "\ufeff", "A" * 70, "🂡", "main", "golden", "round/1", "blackjack/1"),
    *("2026-11-21T21:10:10Z", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59.999Z"),
    *([], {}, [[]], [None], {"": None}, {"a": {"b": ["c"]}}, ["1", "AS"], [["1", "AS"]]),
)
_PLACES: Final = ("1", "2", "3", "7", "8", "1a", "1b", "1z", "2a", "D", "P", "B", "d", "0", "")
_CARDS: Final = tuple(rank + suit for rank in "A23456789TJQK" for suit in "SHDC")
_WORDS: Final = (
    *("", "H", "HH", "S", "D", "HD", "P,", "PH,", "P,D", "PD,D", "Z", "ZD", "HP,", "P", "PP,,"),
    *("PHHHHHHHHHH,S", "HHHHHHHHHHHHH", "H" * 500, "h", ","),
)
_TEXT_EDITS: Final = 3
_BYTES: Final = bytes(value for value in range(256) if value != ord("\n"))
_DEEP: Final = 200_000


def broken_line(document: Container, rng: Random) -> bytes:
    """The document after one to four random edits, on one line; it may still be valid."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        rng.choice(_EDITS)(document, rng)
    line = _written(document, rng)
    if rng.random() < 0.12:
        line = rng.choice(_LINE_EDITS)(line, rng)
    return line.replace(b"\n", b" ")


def _written(document: Container, rng: Random) -> bytes:
    ascii_only = rng.random() < 0.8
    return json.dumps(document, ensure_ascii=ascii_only).encode(errors="surrogatepass")


def _spots(value: object) -> Iterator[Spot]:
    """Every place of the document, from the outside in."""
    if isinstance(value, dict):
        for name in value:
            yield value, name
            yield from _spots(value[name])
    elif isinstance(value, list):
        for number in range(len(value)):
            yield value, number
            yield from _spots(value[number])


def _spot(document: Container, rng: Random, kind: type = object) -> Spot | None:
    """A place that holds a value of a kind; every depth is as likely as every other."""
    spots = [spot for spot in _spots(document) if isinstance(spot[0][spot[1]], kind)]
    named = [spot for spot in spots if isinstance(spot[1], str)]
    return rng.choice(rng.choice((spots, named or spots))) if spots else None


def _retype(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng):
        spot[0][spot[1]] = deepcopy(rng.choice(_ODD))  # later edits must not change the list


def _drop(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng):
        del spot[0][spot[1]]


def _rename(document: Container, rng: Random) -> None:
    holder, name = _spot(document, rng) or (document, None)
    if isinstance(holder, dict) and name is not None:
        new = rng.choice((name + "s", name.upper(), name[:-1], "", "follows", "bonus", name[::-1]))
        holder[new] = holder.pop(name)


def _copy_elsewhere(document: Container, rng: Random) -> None:
    source, target = _spot(document, rng), _spot(document, rng)
    if source and target:
        target[0][target[1]] = json.loads(json.dumps(source[0][source[1]]))


def _repeat_item(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng, list):
        items = spot[0][spot[1]]
        items[len(items) :] = [json.loads(json.dumps(rng.choice(items)))] if items else [None]


def _shuffle(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng, list):
        rng.shuffle(spot[0][spot[1]])


def _edit_text(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng, str):
        text = list(spot[0][spot[1]])
        for _ in range(rng.randint(1, _TEXT_EDITS)):
            at = rng.randint(0, len(text))
            text[at : at + rng.randint(0, 1)] = rng.choice(("", "0", "A", "é", "\ud83d", ".", "S"))
        spot[0][spot[1]] = "".join(text)


def _edit_number(document: Container, rng: Random) -> None:
    if spot := _spot(document, rng, int):
        value = spot[0][spot[1]]
        changed = (value + 1, value - 1, -value, value * 10**30, float(value), str(value), True)
        spot[0][spot[1]] = rng.choice(changed)


def _edit_card(document: Container, rng: Random) -> None:
    """One card or place more, fewer or other than there was."""
    cards = document.get("cards") if isinstance(document, dict) else None
    if not isinstance(cards, list):
        return
    at = rng.randint(0, len(cards))
    pair = [rng.choice(_PLACES), rng.choice(_CARDS)]
    cards[at : at + rng.randint(0, 1)] = [pair] if rng.random() < 0.7 else []


def _edit_bet(document: Container, rng: Random) -> None:
    """A field of a bet as another bet might have it."""
    bets = document.get("bets") if isinstance(document, dict) else None
    objects = [bet for bet in bets if isinstance(bet, dict)] if isinstance(bets, list) else []
    if objects:
        field, values = rng.choice(_OF_BETS)
        rng.choice(objects)[field] = rng.choice(values)


def _add_field(document: Container, rng: Random) -> None:
    objects = [holder for holder, _ in _spots(document) if isinstance(holder, dict)]
    if objects:
        field, value = rng.choice(_FIELDS)
        rng.choice((document, document, rng.choice(objects)))[field] = deepcopy(value)  # type: ignore[call-overload]  # broken on purpose


_OF_BETS: Final[tuple[tuple[str, tuple[object, ...]], ...]] = (
    ("play", _WORDS),
    ("box", (1, 1, 2, 2, 3, 7, 8, True)),
    ("kind", ("main", "insurance", "21+3", "player_pair", "mega_fire_blaze", "tie", "mega")),
    ("stake", ("0.01", "0.03", "10.00", "999999999999.99", "1000000000000.00", "1.5", "0.00")),
    ("raised", ("0.00", "10.00", "0.01", "-1")),
    ("funding", ("cash", "golden", "golden", "gold")),
    ("behind", (True, False, 1)),
    ("follows", (True, False, "true")),
    ("placed_at", ("2026-11-01T00:00:00Z", "1970-01-01T00:00:00.000Z", "2026-11-01T25:00:00Z")),
    ("reported", ("0.00", "20.00", "0.001")),
    ("player", ("p-1", "p-2", "")),
    ("id", ("b1", "b2", "")),
)
_FIELDS: Final[tuple[tuple[str, object], ...]] = (
    ("incident", "malfunction"),
    ("incident", "malfunction"),
    ("multipliers", {"6S": "5", "9H": "5", "QH": "2.5"}),
    ("multipliers", {"6S": "5"}),
    ("bonus", {"level": "minor", "spins": [[[1, "2"]], [], [], []], "multiplier": "2"}),
    ("bonus", {"level": "mega", "spins": [], "specials": {"1": {"star": "10"}}, "multiplier": "0"}),
    ("disconnects", [{"player": "p-1", "at": "2026-11-01T00:00:00Z"}]),
    (
        "disconnects",
        [{"player": "p-1", "at": "2030-01-01T00:00:00Z", "cards_seen": 1, "cards": []}],
    ),
    ("shoe", {"id": "s", "drawn": 0}),
    ("cut", 1),
    ("", None),
    ("a: b.c[0]", {}),
)
_EDITS: Final[tuple[Callable[[Container, Random], None], ...]] = (
    *(_retype, _retype, _drop, _drop, _rename, _copy_elsewhere, _repeat_item, _shuffle),
    *(_edit_text, _edit_number, _add_field),
    *(_edit_card, _edit_card, _edit_card, _edit_card, _edit_card, _edit_card, _edit_card),
    *(_edit_bet, _edit_bet, _edit_bet, _edit_bet, _edit_bet, _edit_bet, _edit_bet),
)


def _cut(line: bytes, rng: Random) -> bytes:
    return line[: rng.randint(0, len(line))]


def _spoil_bytes(line: bytes, rng: Random) -> bytes:
    spoilt = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        spoilt[rng.randrange(len(spoilt))] = rng.choice(_BYTES)
    return bytes(spoilt)


def _append(line: bytes, rng: Random) -> bytes:
    return line + rng.choice((b"}", b" ", b"\r", b",", b"\0", b"\xff", b'"', line))


def _mark_order(line: bytes, _rng: Random) -> bytes:
    return b"\xef\xbb\xbf" + line


def _unquote(line: bytes, rng: Random) -> bytes:
    """A text where JSON wants one becomes a number that is none."""
    return line.replace(b'"', b"", 2 * rng.randint(1, 3)).replace(b"0", b"NaN", rng.randint(0, 1))


def _nest(_line: bytes, rng: Random) -> bytes:
    return rng.choice((b"[", b'{"a":')) * rng.choice((10, 900, _DEEP))


_LINE_EDITS: Final[tuple[Callable[[bytes, Random], bytes], ...]] = (
    *(_cut, _cut, _spoil_bytes, _spoil_bytes, _spoil_bytes, _append, _mark_order, _unquote),
    _nest,
)


CARDS: Final = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]
PLACES: Final = ["1", "2", "3", "7", "1a", "1b", "2a", "1z", "D", "P", "B"]


def edited(draw: st.DrawFn, cards: list[Any]) -> list[Any]:
    """The cards with one of them changed, removed, doubled, moved, or two of them exchanged."""
    at = draw(st.integers(0, len(cards) - 1))
    other = draw(st.integers(0, len(cards) - 1))
    place, card = cards[at]
    match draw(st.sampled_from(["change", "change", "remove", "double", "swap", "move", "place"])):
        case "change":
            cards[at] = [place, draw(st.sampled_from(CARDS))]
        case "remove":
            del cards[at]
        case "double":
            cards.insert(at, [place, card])
        case "swap":
            cards[at], cards[other] = [place, cards[other][1]], [cards[other][0], card]
        case "move":
            cards.insert(other, cards.pop(at))
        case _:
            cards[at] = [draw(st.sampled_from(PLACES)), card]
    return cards
