"""Reading documents of the feed: what is taken, what is refused and in which words."""

import json
from typing import Any

import pytest

from rounds.feed import (
    FeedError,
    content_digest,
    document_of,
    document_of_shoe,
    parse_document,
    parse_line,
)
from rounds.rules.facts import Round, ShoeOpening
from tests.rounds.rules.dealing import (
    BACCARAT,
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    OPENED_AT,
    QUANTUM,
    ZAPPIT,
    bet,
    bonus,
    dealt,
    left,
    side,
)

Document = dict[str, Any]

PLAIN = {
    BLACKJACK: dealt("1:TS D:9H 1:8S D:8C", bet()),
    MEGA_FIRE_BLAZE: dealt("1:TS 2:9S D:9H 1:8S 2:9C D:8C", bet(), rules=MEGA_FIRE_BLAZE),
    QUANTUM: dealt("1:TS D:9H 1:8S D:8C", bet(), rules=QUANTUM),
    BACCARAT: dealt("P:4S B:7H P:5D B:TC", side("player"), rules=BACCARAT),
    ZAPPIT: dealt("1:TS D:9H 1:8S D:8C", bet(), rules=ZAPPIT),
}
SHOE = ShoeOpening("s-1", "t-1", OPENED_AT, ("5H",), 5)


def document(rules: str = BLACKJACK, /, **fields: Any) -> Document:
    """A sound document with some fields put another way."""
    return document_of(PLAIN[rules]) | fields


def without(field: str, rules: str = BLACKJACK) -> Document:
    """A sound document without one field."""
    return {name: value for name, value in document(rules).items() if name != field}


def with_bet(rules: str = BLACKJACK, /, **fields: Any) -> Document:
    """A sound document whose only bet has some fields put another way."""
    plain = document(rules)
    return plain | {"bets": [plain["bets"][0] | fields]}


def error_of(of: object) -> FeedError:
    """The refusal of a document."""
    with pytest.raises(FeedError) as error:
        parse_document(of)
    return error.value


def error_of_line(line: str | bytes) -> FeedError:
    """The refusal of a line."""
    with pytest.raises(FeedError) as error:
        parse_line(line)
    return error.value


class TestASoundDocument:
    """What comes in comes out."""

    @pytest.mark.parametrize("rules", PLAIN)
    def test_says_the_same_facts_after_it_was_written(self, rules: str) -> None:
        """Writing is the inverse of reading, for every rule set."""
        facts = PLAIN[rules]

        assert parse_document(document_of(facts)) == facts

    def test_keeps_every_field_of_a_bet(self) -> None:
        """Each one other than its default."""
        facts = dealt(
            "1:8S D:9H 1:8C D:8C 1a:2S 1b:3S",
            bet(stake=1050, raised_cents=1050, play="PS,", reported_cents=2100),
            bet(id="b2", player="p-2", behind=True, follows=False, placed_at=OPENED_AT + 67),
        )

        assert parse_document(document_of(facts)) == facts

    def test_keeps_bonus_disconnects_and_incident(self) -> None:
        """Also cells below 1 and an empty spin: the rules judge them, not the feed."""
        facts = dealt(
            "1:TS 2:9S D:9H 1:8S 2:9C D:8C",
            bet(golden=True),
            rules=MEGA_FIRE_BLAZE,
            bonus=bonus("mini", "8", "1:2 -7:5", "", specials=(("1", "star", "10"),)),
            disconnects=(left(seen=4, own="D:8C"), left("p-2")),
            malfunction=True,
        )

        assert parse_document(document_of(facts)) == facts

    def test_keeps_multiplier_cards_and_none_of_them(self) -> None:
        """Detail 12: a Quantum round without them is for the rules to hold."""
        without_any = PLAIN[QUANTUM]._replace(multipliers=None)

        assert parse_document(document_of(without_any)) == without_any
        assert parse_document(document_of(PLAIN[QUANTUM])) == PLAIN[QUANTUM]

    def test_of_a_shoe_says_the_same_facts_after_it_was_written(self) -> None:
        """The same for a shoe."""
        assert parse_document(document_of_shoe(SHOE)) == SHOE

    def test_may_say_its_defaults(self) -> None:
        """Contract, "A bet": raised, play, funding and behind have defaults."""
        output = with_bet(raised="0.00", play="", funding="cash", behind=False)

        assert parse_document(output | {"disconnects": []}) == PLAIN[BLACKJACK]

    def test_may_have_no_bets(self) -> None:
        """0 to 1,000,000 of them."""
        assert parse_document(document(bets=[])) == PLAIN[BLACKJACK]._replace(bets=())

    def test_takes_times_of_0_to_3_decimals(self) -> None:
        """Detail 5."""
        times = ["2026-11-21T10:00:05Z", "2026-11-21T10:00:05.5Z", "2026-11-21T10:00:05.05Z"]
        output = [
            parse_document(with_bet(placed_at=time)) for time in [*times, times[0][:-1] + ".067Z"]
        ]

        at = [each.bets[0].placed_at % 1000 for each in output if isinstance(each, Round)]

        assert at == [0, 500, 50, 67]

    def test_may_leave_specials_out(self) -> None:
        """Detail 2."""
        played = {"level": "minor", "spins": [[], [], []], "multiplier": "2"}

        output = parse_document(document(MEGA_FIRE_BLAZE, bonus=played))

        assert isinstance(output, Round)
        assert output.bonus == bonus("minor", "2", "", "", "")

    def test_takes_no_cards_of_a_disconnect_for_an_absent_list(self) -> None:
        """Detail 13: ``"cards": []`` means absent, so it needs no ``cards_seen``."""
        entry = {"player": "p-1", "at": "2026-11-21T10:00:05Z", "cards": []}

        output = parse_document(document(disconnects=[entry]))

        assert isinstance(output, Round)
        assert output.disconnects[0].cards == ()


class TestALineThatIsNoDocument:
    """Contract, status ``rejected``: no line makes anything but a refusal."""

    @pytest.mark.parametrize(
        "line",
        [
            pytest.param(b"", id="nothing"),
            pytest.param(b'{"feed": "round/1"', id="cut off"),
            pytest.param(b'{"feed": "round/1"} {}', id="two documents"),
            pytest.param(b"\xff\xfe{}", id="no UTF-8"),
            pytest.param('{"feed":"shoe/1"}'.encode("utf-16"), id="UTF-16"),
            pytest.param(b"\xef\xbb\xbf{}", id="a byte order mark"),
            pytest.param(b'{"feed": NaN}', id="not a number"),
            pytest.param(b'{"feed": -Infinity}', id="infinity"),
            pytest.param(b"[" * 100_000, id="nested deeply"),
            pytest.param(b'{"drawn": 1' + b"0" * 5000 + b"}", id="a huge integer"),
            pytest.param(b'{"feed": "round/1", "feed": "round/1"}', id="a repeated key"),
            pytest.param(b'{"feed": "a\nb"}', id="a control character"),
        ],
    )
    def test_is_refused(self, line: bytes) -> None:
        """And is named a document, not a field of one."""
        error = error_of_line(line)

        assert error.field == "document"
        assert error.round is None

    @pytest.mark.parametrize(
        "output",
        [[], 17, "text", None, True, 1.5],
        ids=["list", "int", "str", "null", "bool", "float"],
    )
    def test_is_refused_when_it_is_no_object(self, output: object) -> None:
        """Detail: not an object."""
        assert error_of_line(json.dumps(output)).needed == "an object"

    def test_may_come_as_text(self) -> None:
        """A line of str reads like one of bytes."""
        line = json.dumps(document())

        assert parse_line(line) == parse_line(line.encode()) == PLAIN[BLACKJACK]

    @pytest.mark.parametrize("feed", ["rounds/1", "round/2", "", None, 1, [], {}])
    def test_is_refused_for_an_unknown_feed(self, feed: object) -> None:
        """The one field that says what a document is; the round id is still told."""
        error = error_of(document(feed=feed))

        assert (error.field, error.round) == ("feed", "r-1")

    def test_is_refused_without_a_feed(self) -> None:
        """The same."""
        assert error_of(without("feed")).found == "nothing"


REQUIRED = ("round", "table", "rules", "opened_at", "closed_at", "ended_at", "session", "cards")


class TestAFeedError:
    """It names the field, the state found and the state needed."""

    @pytest.mark.parametrize("field", [*REQUIRED, "bets", "shoe"])
    def test_names_a_missing_field(self, field: str) -> None:
        """Detail 2: every listed field is required unless marked otherwise."""
        error = error_of(without(field))

        assert (error.field, error.found) == (field, "nothing")

    @pytest.mark.parametrize(
        "field", ["id", "player", "participation", "kind", "stake", "placed_at"]
    )
    def test_names_a_missing_field_of_a_bet(self, field: str) -> None:
        """Detail 2."""
        plain = document()
        (only,) = plain["bets"]
        del only[field]

        assert error_of(plain).field == f"bets[0].{field}"

    def test_names_an_unknown_field(self) -> None:
        """Contract: unknown fields are an error."""
        assert error_of(document(cut=1)).field == "cut"
        assert error_of(with_bet(stakes="1")).field == "bets[0].stakes"
        assert error_of(document(shoe={"id": "s", "drawn": 0, "cut": 1})).field == "shoe.cut"
        assert str(error_of(document(**{"": 1}))).startswith("'': found an unknown field")
        assert error_of(with_bet(**{"": 1})).field == "bets[0].''"

    def test_reads_as_a_sentence(self) -> None:
        """As the result line gives it."""
        error = error_of(with_bet(stake="1.234"))

        assert str(error) == (
            "bets[0].stake: found '1.234', needed an amount in euro with at most two decimals,"
            ' such as "10.00"'
        )

    def test_tells_the_round_where_its_id_is_sound(self) -> None:
        """Contract, "What comes out": id or null."""
        assert error_of(document(session=1)).round == "r-1"
        assert error_of(document(round="a b")).round is None
        assert error_of(without("round")).round is None
        assert error_of(document_of_shoe(SHOE) | {"burnt": 1, "round": "r-1"}).round is None

    def test_describes_whatever_it_finds_in_few_words(self) -> None:
        """However long, deep or odd a value is."""
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        odd = [deep, {"a": deep}, "x" * 1000, 10**4000, True, False, None, 1.5, "\ud800"]

        found = [error_of(document(incident=value)).found for value in odd]

        assert found == [
            "a list of 1",
            "an object of 1 fields",
            repr("x" * 60 + "…"),
            "an integer of great length",
            *("true", "false", "null", "1.5", r"'\ud800'"),
        ]


class TestAText:
    """Ids and names."""

    @pytest.mark.parametrize("value", ["", "\ud800", "nul\0", 1, None, ["p"]])
    @pytest.mark.parametrize("field", ["id", "player", "participation"])
    def test_that_is_none_is_refused(self, field: str, value: object) -> None:
        """No empty text, nothing that a database cannot hold."""
        assert error_of(with_bet(**{field: value})).field == f"bets[0].{field}"

    def test_of_any_characters_is_taken(self) -> None:
        """Also a line feed and an emoji: the contract states no form."""
        output = parse_document(with_bet(player="é\n\U0001f0a1"))

        assert isinstance(output, Round)
        assert output.bets[0].player == "é\n\U0001f0a1"

    @pytest.mark.parametrize("value", ["", "x" * 65, "a b", "ü", "a\nb", "r\n", "round/1", 7, None])
    def test_that_is_no_round_id_is_refused(self, value: object) -> None:
        """Contract, "A round": 1 to 64 of few characters."""
        assert error_of(document(round=value)).field == "round"

    def test_of_64_characters_is_a_round_id(self) -> None:
        """All characters that it may have."""
        name = "AZaz09._:-" + "x" * 54

        output = parse_document(document(round=name))

        assert isinstance(output, Round)
        assert output.round == name


class TestAnAmount:
    """Detail 4."""

    @pytest.mark.parametrize(
        ("text", "cents"),
        [
            ("10", 1000),
            ("10.5", 1050),
            ("10.05", 1005),
            ("0.01", 1),
            ("999999999999.99", 10**14 - 1),
        ],
    )
    def test_is_read_to_the_cent(self, text: str, cents: int) -> None:
        """Up to twelve digits of euro and two decimals."""
        output = parse_document(with_bet(stake=text))

        assert isinstance(output, Round)
        assert output.bets[0].stake_cents == cents

    @pytest.mark.parametrize(
        "value",
        [
            "01",
            "-1",
            "+1",
            "1.",
            ".5",
            "1.234",
            "1e2",
            "1 ",
            "\u0661",
            "1" * 13,
            "",
            10,
            1.5,
            None,
            True,
            [],
            {},
        ],
    )
    def test_of_another_form_is_refused(self, value: object) -> None:
        """Also the digits of other scripts, and numbers that are no text."""
        assert error_of(with_bet(stake=value)).field == "bets[0].stake"

    @pytest.mark.parametrize("text", ["0", "0.0", "0.00"])
    def test_of_nothing_is_no_stake(self, text: str) -> None:
        """A stake is above zero; what was reported may be nothing."""
        assert error_of(with_bet(stake=text)).needed == "more than nothing"
        assert isinstance(parse_document(with_bet(reported=text)), Round)


class TestATime:
    """Detail 5."""

    @pytest.mark.parametrize(
        "value",
        [
            "yesterday",
            "2026-11-21T10:00:05",
            "2026-11-21T10:00:05+00:00",
            "2026-11-21 10:00:05Z",
            "2026-11-21T10:00:05.Z",
            "2026-11-21T10:00:05.1234Z",
            "2026-11-21T10:00:60Z",
            "2026-11-21T24:00:00Z",
            "2026-02-30T10:00:00Z",
            "0000-01-01T00:00:00Z",
            "2026-11-21T10:00:05z",
            "2026-11-21T10:00:05Z\n",
            "\u0662026-11-21T10:00:05Z",
            1795255205,
            None,
            [],
            {},
        ],
    )
    def test_of_another_form_is_refused(self, value: object) -> None:
        """And so is a day that no calendar has."""
        assert error_of(with_bet(placed_at=value)).field == "bets[0].placed_at"

    def test_of_opening_is_not_after_closing_nor_closing_after_the_end(self) -> None:
        """Opened ≤ closed ≤ ended; all three may be one moment."""
        early, late = "2026-11-21T09:00:00Z", "2026-11-21T11:00:00Z"

        assert error_of(document(opened_at=late)).field == "closed_at"
        assert error_of(document(ended_at=early)).field == "ended_at"
        assert isinstance(
            parse_document(document(opened_at=early, closed_at=early, ended_at=early)), Round
        )


class TestCards:
    """Contract, "Cards"."""

    @pytest.mark.parametrize(
        "pair",
        [["1", "1S"], ["1", "AX"], ["1", "10S"], ["8", "AS"], ["1c", "AS"], ["0", "AS"],
         ["d", "AS"], ["1"], ["1", "AS", "x"], [1, "AS"], [["1"], "AS"], "1A", {"1": 0, "AS": 0},
         None, 7],
    )  # fmt: skip
    def test_of_no_such_place_or_rank_are_refused(self, pair: object) -> None:
        """The number of the pair is told."""
        assert error_of(document(cards=[["D", "AS"], pair])).field == "cards[1]"

    def test_are_a_list(self) -> None:
        """Of pairs."""
        assert error_of(document(cards={"1": "AS"})).field == "cards"

    @pytest.mark.parametrize("card", ["1S", "as", 5, None, ["5H"]])
    def test_burnt_are_cards_without_a_place(self, card: object) -> None:
        """Contract, "A shoe"."""
        assert error_of(document_of_shoe(SHOE) | {"burnt": ["5H", card]}).field == "burnt[1]"

    @pytest.mark.parametrize("count", ["5", -1, 1.0, True, None, 2**31, []])
    def test_are_counted_in_integers(self, count: object) -> None:
        """Detail 3: no point, no boolean; and no number that no shoe has."""
        shoe = document_of_shoe(SHOE)

        assert error_of(shoe | {"burnt_face_down": count}).field == "burnt_face_down"
        assert error_of(document(shoe={"id": "s", "drawn": count})).field == "shoe.drawn"


class TestARuleSet:
    """What a document may hold depends on its game."""

    @pytest.mark.parametrize("value", ["roulette/1", "blackjack/0", "blackjack", None, 1, []])
    def test_that_does_not_exist_is_refused(self, value: object) -> None:
        """Status ``rejected``: unknown rule set."""
        assert error_of(document(rules=value)).field == "rules"

    @pytest.mark.parametrize(
        ("rules", "kind"),
        [(BLACKJACK, "player_pair"), (BLACKJACK, "MAIN "), (MEGA_FIRE_BLAZE, "perfect_pairs"),
         (QUANTUM, "perfect_pairs"), (QUANTUM, "dealer_pair"), (ZAPPIT, "21+3"),
         (BACCARAT, "main"), (BACCARAT, None), (BACCARAT, ["tie"])],
    )  # fmt: skip
    def test_takes_its_own_kinds_of_bets(self, rules: str, kind: object) -> None:
        """Contract, "A bet"."""
        assert error_of(with_bet(rules, kind=kind)).field == "bets[0].kind"

    def test_without_a_shoe_forbids_it(self) -> None:
        """Detail 2: at Zappit."""
        assert error_of(document(ZAPPIT, shoe={"id": "s", "drawn": 0})).field == "shoe"

    @pytest.mark.parametrize(
        "shoe", [None, "s-1", [], {"id": "s"}, {"drawn": 1}, {"id": "", "drawn": 1}]
    )
    def test_with_a_shoe_wants_id_and_count(self, shoe: object) -> None:
        """Contract, "A round"."""
        assert error_of(document(shoe=shoe)).field.startswith("shoe")

    @pytest.mark.parametrize("box", [None, 0, 8, 99, -1, "1", 1.0, True, [1]])
    def test_of_the_blackjack_family_wants_a_box(self, box: object) -> None:
        """Details 2 and 3."""
        assert error_of(with_bet(box=box)).field == "bets[0].box"

    def test_of_the_blackjack_family_does_not_do_without_a_box(self) -> None:
        """Detail 2."""
        output = document()
        del output["bets"][0]["box"]

        assert error_of(output).found == "nothing"

    @pytest.mark.parametrize(
        ("rules", "boxes"), [(BLACKJACK, 7), (MEGA_FIRE_BLAZE, 2), (QUANTUM, 7), (ZAPPIT, 3)]
    )
    def test_takes_bets_on_the_boxes_of_its_table(self, rules: str, boxes: int) -> None:
        """Detail 8."""
        assert isinstance(parse_document(with_bet(rules, box=boxes)), Round)
        assert error_of(with_bet(rules, box=boxes + 1)).field == "bets[0].box"

    def test_of_baccarat_forbids_boxes(self) -> None:
        """Detail 2."""
        assert error_of(with_bet(BACCARAT, box=1)).field == "bets[0].box"

    @pytest.mark.parametrize("rules", [BLACKJACK, MEGA_FIRE_BLAZE, BACCARAT, ZAPPIT])
    def test_other_than_quantum_refuses_multipliers(self, rules: str) -> None:
        """Detail 7."""
        assert error_of(document(rules, multipliers={"6S": "5"})).field == "multipliers"

    @pytest.mark.parametrize("rules", [BLACKJACK, QUANTUM, BACCARAT, ZAPPIT])
    def test_other_than_mega_fire_blaze_refuses_a_bonus(self, rules: str) -> None:
        """Detail 7."""
        played = {"level": "minor", "spins": [], "multiplier": "2"}

        assert error_of(document(rules, bonus=played)).field == "bonus"

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM, BACCARAT, ZAPPIT])
    def test_other_than_blackjack_refuses_bets_behind(self, rules: str) -> None:
        """Detail 7; that a bet is not behind may be said everywhere."""
        assert error_of(with_bet(rules, behind=True)).field == "bets[0].behind"
        assert isinstance(parse_document(with_bet(rules, behind=False)), Round)

    @pytest.mark.parametrize("rules", [BLACKJACK, BACCARAT, ZAPPIT])
    def test_other_than_mega_fire_blaze_and_quantum_refuses_golden_chips(self, rules: str) -> None:
        """Detail 7."""
        assert error_of(with_bet(rules, funding="golden")).field == "bets[0].funding"

    @pytest.mark.parametrize("rules", [MEGA_FIRE_BLAZE, QUANTUM])
    def test_refuses_golden_insurance(self, rules: str) -> None:
        """Status ``rejected``: a golden-chip insurance."""
        assert (
            error_of(with_bet(rules, kind="insurance", funding="golden")).field == "bets[0].funding"
        )


class TestABet:
    """Contract, "A bet", details 7 and 10."""

    @pytest.mark.parametrize(
        "play",
        ["", "H", "HHS", "D", "P,", "PH,D", "ZD", "HP,", "PHS,HHHZ", "SSDDZZ", "HSDZPHSDZ,HSDZ"],
    )
    def test_may_be_played_so(self, play: str) -> None:
        """Detail 10: the form alone; what is legal is for the rules."""
        output = parse_document(with_bet(play=play))

        assert isinstance(output, Round)
        assert output.bets[0].play == play

    @pytest.mark.parametrize(
        "play", ["X", "h", "P", "P,,", "PP,,", "PH", ",", "H,", " ", "H\n", 1, None, ["H"]]
    )
    def test_may_not_be_played_so(self, play: object) -> None:
        """Detail 10."""
        assert error_of(with_bet(play=play)).field == "bets[0].play"

    def test_that_is_no_main_bet_has_no_play_and_no_raise(self) -> None:
        """Detail 7; a raise of nothing is none."""
        assert error_of(with_bet(kind="21+3", play="H")).field == "bets[0].play"
        assert error_of(with_bet(kind="21+3", raised="1")).field == "bets[0].raised"
        assert error_of(with_bet(BACCARAT, raised="1")).field == "bets[0].raised"
        assert isinstance(parse_document(with_bet(kind="21+3", raised="0.00")), Round)

    def test_behind_has_no_play(self) -> None:
        """Detail 7: its owner's is its own."""
        assert error_of(with_bet(behind=True, play="H")).field == "bets[0].play"

    def test_follows_only_as_a_main_bet_behind(self) -> None:
        """Detail 7."""
        assert error_of(with_bet(follows=True)).field == "bets[0].follows"
        assert (
            error_of(with_bet(kind="21+3", behind=True, follows=False)).field == "bets[0].follows"
        )
        assert isinstance(parse_document(with_bet(behind=True, follows=True)), Round)

    @pytest.mark.parametrize("field", ["behind", "follows"])
    @pytest.mark.parametrize("value", ["true", 1, 0, None, []])
    def test_has_flags_of_true_or_false(self, field: str, value: object) -> None:
        """Wrong types are rejected."""
        assert error_of(with_bet(**{"behind": True, field: value})).field == f"bets[0].{field}"

    @pytest.mark.parametrize("funding", ["gold", "", None, True, []])
    def test_is_funded_by_cash_or_golden_chips(self, funding: object) -> None:
        """Contract, "A bet"."""
        assert error_of(with_bet(QUANTUM, funding=funding)).field == "bets[0].funding"

    @pytest.mark.parametrize("value", [None, [], 17, "bet"])
    def test_is_an_object(self, value: object) -> None:
        """Wrong types are rejected."""
        assert error_of(document(bets=[value])).field == "bets[0]"

    def test_is_one_of_a_list(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(bets={})).field == "bets"

    def test_has_an_id_of_its_own(self) -> None:
        """Status ``rejected``: a duplicate bet id."""
        output = document_of(dealt("1:TS D:9H 1:8S D:8C", bet(), bet("21+3", id="main-1")))

        error = error_of(output)

        assert (error.field, error.found) == ("bets[1].id", "'main-1' again")

    def test_is_one_of_a_million_at_most(self) -> None:
        """Contract, "A round"."""
        assert error_of(document(bets=[None] * 1_000_001)).needed == "at most 1000000 bets"


class TestBetsTogether:
    """What a document may hold depends on all its bets (detail 9)."""

    def test_are_refused_when_a_player_has_two_main_bets_on_a_box(self) -> None:
        """The rule set says so; the reading names the bet."""
        two = dealt("1:TS D:9H 1:8S D:8C", bet(), bet(id="b2"), rules=QUANTUM)

        error = error_of(document_of(two))

        assert (error.field, error.round) == ("bets[1]", "r-1")


class TestACrowd:
    """Very many bets are read by sorts: nothing may come out otherwise than one by one."""

    CROWD = tuple(
        bet(
            "21+3" if number % 5 == 0 else "main",
            id=f"b{number}",
            player=f"p-{number}",
            stake=100 * (1 + number % 7),
            golden=number % 3 == 0,
            reported_cents=number if number % 4 == 0 else None,
            placed_at=OPENED_AT + number,
        )
        for number in range(200)
    )

    def test_says_the_same_facts_after_it_was_written(self) -> None:
        """Two hundred bets of some dozens of sorts."""
        facts = dealt("1:TS D:9H 1:8S D:8C", *self.CROWD, rules=QUANTUM)

        assert parse_document(document_of(facts)) == facts

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("id", ""),
            ("id", 7),
            ("id", "b3"),
            ("player", None),
            ("participation", "nul\0"),
            ("kind", "MAIN"),
            ("kind", ["main"]),
            ("stake", "0"),
            ("stake", 1),
            ("box", 1.0),
            ("box", True),
            ("box", 8),
            ("raised", "-1"),
            ("play", "X"),
            ("funding", "gold"),
            ("behind", 0),
            ("behind", True),
            ("follows", True),
            ("placed_at", "yesterday"),
            ("placed_at", []),
            ("reported", 1),
            ("note", ""),
        ],
    )
    def test_is_refused_for_the_same_field_of_the_same_bet(self, field: str, value: object) -> None:
        """One bet of two hundred, alone and in the crowd."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71][field] = value
        alone = output | {"bets": [output["bets"][71]]}

        error = error_of(output)

        assert error.field == f"bets[71].{field}"
        if field != "id" or value != "b3":  # an id is only repeated among others
            assert error_of(alone).needed == error.needed

    def test_may_hold_what_is_looked_at_more_closely(self) -> None:
        """A text that is not printable is no reason to refuse."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71]["player"] = "a\nb"

        facts = parse_document(output)

        assert isinstance(facts, Round)
        assert facts.bets[71].player == "a\nb"
        assert facts.bets[70] == self.CROWD[70]

    @pytest.mark.parametrize("value", [None, [], 17, "bet"])
    def test_is_of_objects(self, value: object) -> None:
        """Wrong types are rejected."""
        output = document_of(dealt("", *self.CROWD, rules=QUANTUM))
        output["bets"][71] = value

        assert error_of(output).field == "bets[71]"


class TestMultiplierCards:
    """Contract, ``multipliers``, and detail 12."""

    @pytest.mark.parametrize("value", [None, [], "6S", {"6X": "5"}, {"6S": 5}, {"6S": None}])
    def test_are_cards_with_values_in_text(self, value: object) -> None:
        """What the values are is for the rules."""
        assert error_of(document(QUANTUM, multipliers=value)).field.startswith("multipliers")


class TestABonus:
    """Contract, "The Mega Fire Blaze bonus", and detail 11."""

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("bonus.level", {"level": "giant"}),
            ("bonus.level", {"level": None}),
            ("bonus.spins", {"spins": None}),
            ("bonus.spins[1]", {"spins": [[], {}]}),
            ("bonus.spins[0]", {"spins": [[[1]]]}),
            ("bonus.spins[0]", {"spins": [["12"]]}),
            ("bonus.spins[0]", {"spins": [[["1", "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[1.0, "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[True, "2"]]]}),
            ("bonus.spins[0]", {"spins": [[[1, 2]]]}),
            ("bonus.spins[0]", {"spins": [[[1, "02"]]]}),
            ("bonus.spins[0]", {"spins": [[[1, "1000000"]]]}),
            ("bonus.multiplier", {"multiplier": 8}),
            ("bonus.multiplier", {"multiplier": "8.0"}),
            ("bonus.multiplier", {"multiplier": "\u0668"}),
            ("bonus.specials", {"specials": []}),
            ("bonus.specials", {"specials": {"x": {"boost": "2"}}}),
            ("bonus.specials.1", {"specials": {"1": {}}}),
            ("bonus.specials.1", {"specials": {"1": {"boost": "2", "star": "10"}}}),
            ("bonus.specials.1", {"specials": {"1": {"boosts": "2"}}}),
            ("bonus.specials.1", {"specials": {"1": "2"}}),
            ("bonus.specials.1.star", {"specials": {"1": {"star": 10}}}),
            ("bonus.cells", {"cells": 6}),
        ],
    )
    def test_of_another_form_is_refused(self, field: str, value: Document) -> None:
        """The path leads to what is wrong."""
        played = {"level": "minor", "spins": [[], [], []], "multiplier": "2"} | value

        assert error_of(document(MEGA_FIRE_BLAZE, bonus=played)).field == field

    def test_is_an_object(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(MEGA_FIRE_BLAZE, bonus=None)).field == "bonus"


class TestADisconnect:
    """Contract, "A player who lost the connection", and detail 13."""

    AT = "2026-11-21T10:00:05Z"

    @pytest.mark.parametrize(
        ("field", "entry"),
        [
            ("disconnects[0].at", {"player": "p-1"}),
            ("disconnects[0].player", {"at": AT}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards_seen": 5}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards_seen": "4"}),
            ("disconnects[0].cards_seen", {"player": "p-1", "at": AT, "cards": [["1", "8H"]]}),
            (
                "disconnects[0].cards[0]",
                {"player": "p-1", "at": AT, "cards_seen": 4, "cards": ["8H"]},
            ),
            ("disconnects[0].reason", {"player": "p-1", "at": AT, "reason": "power"}),
            ("disconnects[0]", None),
        ],
    )
    def test_of_another_form_is_refused(self, field: str, entry: object) -> None:
        """There are four cards in the round; a fifth cannot have been seen."""
        assert error_of(document(disconnects=[entry])).field == field

    def test_comes_once_for_a_player(self) -> None:
        """Detail 13."""
        entry = {"player": "p-1", "at": self.AT}

        assert error_of(document(disconnects=[entry, entry])).field == "disconnects[1].player"

    def test_is_one_of_a_list(self) -> None:
        """Wrong types are rejected."""
        assert error_of(document(disconnects={})).field == "disconnects"


class TestAnIncident:
    """Contract, ``incident``."""

    @pytest.mark.parametrize("value", ["fire", "", None, True])
    def test_is_a_malfunction_or_absent(self, value: object) -> None:
        """Nothing else is known."""
        assert error_of(document(incident=value)).field == "incident"


class TestTheDigest:
    """The same for the same content, however it is written."""

    def test_does_not_depend_on_key_order_white_space_or_defaults(self) -> None:
        """Nor on the decimals of an amount or of a time."""
        plain = document()
        (only,) = plain["bets"]
        other = dict(reversed(plain.items()))
        other["bets"] = [
            only | {"stake": "10", "raised": "0", "placed_at": "2026-11-21T10:00:05.000Z"}
        ]

        digests = {content_digest(parse_line(json.dumps(output, indent=indent).replace("\n", " ")))
                   for output, indent in ((plain, None), (other, 2))}  # fmt: skip

        assert len(digests) == 1

    def test_does_not_depend_on_the_order_of_multipliers_and_specials(self) -> None:
        """They are objects, whose order says nothing."""
        specials = (("1", "star", "10"), ("2", "boost", "2"))
        rounds = [
            dealt("", rules=MEGA_FIRE_BLAZE, bonus=bonus("mini", "8", specials=some))
            for some in (specials, specials[::-1])
        ]
        cards = (("2S", "5"), ("3S", "5"))
        rounds += [dealt("", rules=QUANTUM, multipliers=some) for some in (cards, cards[::-1])]

        digests = [content_digest(each) for each in rounds]

        assert digests[0] == digests[1] != digests[2] == digests[3]

    def test_changes_with_every_field(self) -> None:
        """One cent, one card, one millisecond, one shoe."""
        plain = PLAIN[BLACKJACK]
        others = [
            plain._replace(bets=(bet(stake=1001),)),
            plain._replace(cards=plain.cards[:-1]),
            plain._replace(cards=plain.cards[::-1]),
            plain._replace(ended_at=plain.ended_at + 1),
            plain._replace(malfunction=True),
        ]

        digests = {content_digest(each) for each in [plain, *others]}

        assert len(digests) == 6

    def test_is_a_sha_256(self) -> None:
        """Of a shoe too, and never that of a round."""
        assert len(content_digest(SHOE)) == len(content_digest(PLAIN[BLACKJACK])) == 32
        assert content_digest(SHOE) != content_digest(SHOE._replace(burnt_face_down=4))
