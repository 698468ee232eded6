"""JSON Schemas of the feed's documents: components of the OpenAPI description, and one document.

The parsers declare the fields; a field without a schema here raises KeyError. Constraints between
fields (the order of times, a raise on a side bet) are known to the parsers alone: every valid
document matches its schema, but not every matching document is valid.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from rounds.feed import bets, bonus, disconnects, fields, rounds, shoes
from rounds.feed.times import TIME_PATTERN
from rounds.feed.typed_documents import MOST, MOST_BETS
from rounds.rules.cards import CARDS
from rounds.rules.catalogue import Catalogue
from rounds.rules.money import MONEY_PATTERN
from rounds.rules.rule_set import RuleSet

Schema = dict[str, Any]
DOCUMENT: Final = "FeedDocument"
"""The name of the schema of all documents."""
_ROUND: Final = "FeedRound"
_SHOE: Final = "FeedShoe"
_DISCONNECT: Final = "FeedDisconnect"
_SHOE_OF_ROUND: Final = "FeedRoundShoe"
_VIDEO: Final = "FeedVideo"
_CARD: Final = "FeedCard"
_DEALT_TO: Final = "FeedPlace"
_PLACE: Final = "#/components/schemas/"
_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def document_schemas(catalogue: Catalogue) -> dict[str, Schema]:
    """The schemas by name, as OpenAPI components, with a round and a bet for each rule set."""
    by_rules = {name: _name(rules, "Round") for name, rules in catalogue.items()}
    schemas = {
        DOCUMENT: _one_of((_ROUND, _SHOE), "A document of the feed"),
        _ROUND: {
            **_one_of(by_rules.values(), "A round, by its rule set"),
            "discriminator": {
                "propertyName": "rules",
                "mapping": {value: _PLACE + name for value, name in by_rules.items()},
            },
        },
        _SHOE: _object(shoes.FIELDS, _SHOE_FIELDS, about="A shoe opening"),
        _DISCONNECT: _object(
            disconnects.REQUIRED,
            _DISCONNECT_FIELDS,
            optional=disconnects.OPTIONAL,
            about="A player who lost the connection",
        ),
        _SHOE_OF_ROUND: _object(rounds.SHOE_FIELDS, _SHOE_OF_ROUND_FIELDS, about="A round's shoe"),
        _VIDEO: _object(rounds.VIDEO_FIELDS, _VIDEO_FIELDS, about="A recording of the round"),
        _CARD: _text(enum=list(CARDS), description="A card: rank and suit"),
        _DEALT_TO: _text(enum=list(fields.PLACES), description="Where a card is dealt to"),
    }
    for rules in catalogue.values():
        schemas[_name(rules, "Round")] = _round(rules)
        schemas[_name(rules, "Bet")] = _bet(rules)
    return schemas


def feed_schema(catalogue: Catalogue) -> Schema:
    """The same schemas as one document of JSON Schema 2020-12, without the keywords of OpenAPI."""
    definitions = document_schemas(catalogue)
    del definitions[_ROUND]["discriminator"]
    text = json.dumps(definitions).replace(_PLACE, "#/$defs/")
    return {"$schema": _DIALECT, "$ref": f"#/$defs/{DOCUMENT}", "$defs": json.loads(text)}


def _round(rules: RuleSet) -> Schema:
    has = {
        "shoe": rules.uses_shoe,
        "multipliers": rules.multiplier_cards,
        "bonus": rules.bonus_levels,
    }
    optional = {name for name in rounds.OPTIONAL if has.get(name, True)}
    required = rounds.REQUIRED | {"shoe"} if rules.uses_shoe else rounds.REQUIRED
    of_this_game = {
        "rules": _text(enum=[rules.name]),
        "bets": _list(_ref(_name(rules, "Bet")), maxItems=MOST_BETS),
        "bonus": _bonus(rules),
    }
    about = f"A round of {rules.name}"
    return _object(required, _ROUND_FIELDS | of_this_game, optional=optional, about=about)


def _bet(rules: RuleSet) -> Schema:
    has = {"box": rules.boxes, "follows": rules.bets_behind}
    optional = {name for name in bets.OPTIONAL if has.get(name, True)}
    required = bets.REQUIRED | {"box"} if rules.boxes else bets.REQUIRED
    of_this_game: dict[str, Schema] = {
        "kind": _text(enum=list(rules.bet_kinds)),
        "box": {"type": "integer", "minimum": 1, "maximum": rules.boxes},
        "funding": _text(enum=["cash", "golden"] if rules.golden_kinds else ["cash"]),
    }
    if not rules.raisable_kinds:
        of_this_game |= {"raised": _text(pattern=_NOTHING), "play": _text(maxLength=0)}
    if not rules.bets_behind:
        of_this_game["behind"] = {"type": "boolean", "const": False}
    about = f"A bet of {rules.name}"
    return _object(required, _BET_FIELDS | of_this_game, optional=optional, about=about)


def _bonus(rules: RuleSet) -> Schema:
    level = {"level": _text(enum=list(rules.bonus_levels))}
    return _object(bonus.REQUIRED, _BONUS_FIELDS | level, optional=bonus.OPTIONAL)


def _name(rules: RuleSet, what: str) -> str:
    """``FeedMegaFireBlazeBlackjack1Round``."""
    words = rules.name.replace("/", "-").split("-")
    return f"Feed{''.join(word.capitalize() for word in words)}{what}"


def _ref(name: str) -> Schema:
    return {"$ref": _PLACE + name}


def _one_of(names: Iterable[str], about: str) -> Schema:
    return {"description": about, "oneOf": [_ref(name) for name in names]}


def _object(
    required: Collection[str],
    forms: Mapping[str, Schema],
    *,
    optional: Collection[str] = (),
    about: str = "",
) -> Schema:
    """An object without further properties."""
    shape = {
        "type": "object",
        "properties": {name: forms[name] for name in sorted({*required, *optional})},
        "required": sorted(required),
        "additionalProperties": False,
    }
    return {**shape, "description": about} if about else shape


def _text(**limits: Any) -> Schema:
    return {"type": "string", **limits}


def _whole(pattern: str) -> str:
    """A pattern anchored at both ends."""
    return f"^(?:{pattern})$"


def _list(of: Schema, **limits: Any) -> Schema:
    return {"type": "array", "items": of, **limits}


def _pair(*forms: Schema, either: Schema) -> Schema:
    """A list of two; ``either`` is for programs without support of ``prefixItems``."""
    return {"type": "array", "prefixItems": [*forms], "items": either, "minItems": 2, "maxItems": 2}


_NOTHING: Final = _whole(r"0(\.0{1,2})?")
_ANY_TEXT: Final = _text(minLength=1, pattern=r"^[^\u0000]+$")
_SHORT_TEXT: Final = _text(maxLength=fields.LONGEST_SHORT_TEXT, pattern=r"^[^\u0000]*$")
_VIDEO_FIELDS: Final[dict[str, Schema]] = {
    "ref": _ANY_TEXT,
    "sha256": _text(pattern=_whole(fields.SHA256_PATTERN)),
}
_MONEY: Final = _text(pattern=_whole(MONEY_PATTERN), examples=["10.00"])
_STAKE: Final = _text(pattern=rf"^(?!0(?:\.0{{1,2}})?$)(?:{MONEY_PATTERN})$", examples=["10.00"])
_TIME: Final = _text(pattern=_whole(TIME_PATTERN), examples=["2026-11-21T21:10:15.250Z"])
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": MOST}
_FLAG: Final = {"type": "boolean"}
_DEALT: Final = _pair(_ref(_DEALT_TO), _ref(_CARD), either=_text())
_NUMBER: Final = _text(pattern=_whole(bonus.NUMBER_PATTERN))
_SPECIAL: Final = {
    "type": "object",
    "properties": dict.fromkeys(bonus.SPECIALS, _NUMBER),
    "minProperties": 1,
    "maxProperties": 1,
    "additionalProperties": False,
}
_SHOE_OF_ROUND_FIELDS: Final[dict[str, Schema]] = {
    "id": _ANY_TEXT,
    "drawn": {**_COUNT, "description": "Cards drawn from the shoe before, including burnt cards"},
}
_SHOE_FIELDS: Final[dict[str, Schema]] = {
    "feed": _text(enum=["shoe/1"]),
    "shoe": _ANY_TEXT,
    "table": _ANY_TEXT,
    "opened_at": _TIME,
    "burnt": _list(_ref(_CARD), description="Cards burnt face up"),
    "burnt_face_down": {**_COUNT, "description": "Cards burnt face down"},
}
_DISCONNECT_FIELDS: Final[dict[str, Schema]] = {
    "player": _ANY_TEXT,
    "at": _TIME,
    "cards_seen": _COUNT,
    "cards": _list(_DEALT, description="Dealt to this player offline"),
}
_BONUS_FIELDS: Final[dict[str, Schema]] = {
    "spins": _list(
        _list(_pair({"type": "integer"}, _NUMBER, either={})),
        description="For each spin the cells that it filled, with their multipliers",
    ),
    "specials": {
        "type": "object",
        "description": "By section number: a boost or a star",
        "propertyNames": {"pattern": _NUMBER["pattern"]},
        "additionalProperties": _SPECIAL,
    },
    "multiplier": {**_NUMBER, "description": "The total that the studio announced"},
}
_ROUND_FIELDS: Final[dict[str, Schema]] = {
    "feed": _text(enum=["round/1"]),
    "round": _text(pattern=_whole(fields.ROUND_ID_PATTERN), description="The studio's id"),
    "table": {**_ANY_TEXT, "description": "Code of a registered table"},
    "shoe": _ref(_SHOE_OF_ROUND),
    "opened_at": {**_TIME, "description": "Betting opens"},
    "closed_at": {**_TIME, "description": "Betting closes"},
    "ended_at": {**_TIME, "description": "The round ends"},
    "session": {**_ANY_TEXT, "description": "AAMS session id"},
    "cards": _list(_DEALT, description="[place, card] in dealing order"),
    "multipliers": {
        "type": "object",
        "description": "The multiplier of each multiplier card",
        "propertyNames": {"enum": list(CARDS)},
        "additionalProperties": _text(),
    },
    "disconnects": _list(_ref(_DISCONNECT)),
    "incident": _text(enum=["malfunction"]),
    "dealer": {**_SHORT_TEXT, "description": "The dealer's pseudonym"},
    "shift": _SHORT_TEXT,
    "location": {**_SHORT_TEXT, "description": "The studio's place"},
    "video": _ref(_VIDEO),
}
_BET_FIELDS: Final[dict[str, Schema]] = {
    "id": {**_ANY_TEXT, "description": "Unique within the round"},
    "player": {**_ANY_TEXT, "description": "The operator's pseudonym of the account"},
    "participation": {**_ANY_TEXT, "description": "AAMS participation id"},
    "stake": {**_STAKE, "description": "Staked when the bet was placed"},
    "raised": {**_MONEY, "description": "Added to a main bet by doubling and splitting"},
    "play": _text(
        pattern=_whole(fields.PLAY_PATTERN),
        description="Decisions of a main bet: H hit, S stand, D double, P split, Z zap",
        examples=["PH,D"],
    ),
    "behind": {**_FLAG, "description": "A bet behind: it follows the hand of the box's owner"},
    "follows": {**_FLAG, "description": "Bets behind only: whether it follows the owner's raises"},
    "placed_at": _TIME,
    "reported": {**_MONEY, "description": "Payout reported by the studio, stake included"},
}
