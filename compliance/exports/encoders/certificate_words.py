"""What a certificate says, in the active language; the signed file itself says it in English."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.formats import localize
from django.utils.translation import gettext as _

from compliance.certification.verdict import (
    CONTRADICTION,
    MULTIPLIERS,
    NONE_DECLARED,
    NOT_REPRODUCED,
    REPRODUCED,
)
from rounds.wording import kind_words

Told = Mapping[str, Any]


class OtherWords(NamedTuple):
    """What a bet would return under a reading that was not adopted."""

    bet: str
    reading: str
    rtp: str
    change: str
    """From the certified return, in points."""


class PointWords(NamedTuple):
    """An unclear point of the sheet that a return rests on."""

    title: str
    adopted: str
    others: list[OtherWords]


def facts_of(told: Told, digest: str) -> dict[str, str]:
    """Of which rules, computed by what and when; ``digest`` is that of the signed file."""
    return {
        _("Game"): told["game"],
        _("Sheet"): told["sheet"],
        _("Decks"): str(told["decks"]),
        _("In force from"): told["in_force_from"],
        _("Digest of the rule set"): told["rules_sha256"],
        _("Software version"): told["software"]["version"],
        _("Software build"): told["software"]["build"],
        _("Computed"): told["computed_at"],
        _("SHA-256 of the signed file"): digest,
    }


def verdict_words(verdict: str) -> str:
    """What is said of a declared figure."""
    return {
        REPRODUCED: _("reproduced"),
        NOT_REPRODUCED: _("not reproduced"),
        CONTRADICTION: _("contradiction"),
        NONE_DECLARED: _("none declared"),
    }[verdict]


def play_words(one: Told) -> str:
    """How the hands are played and what the return is a share of; empty for a bet without both."""
    if one["strategy"] is None:
        return ""
    play = {
        "cd": _("best play by the very cards"),
        "td": _("best chart by totals"),
    }[one["strategy"]]
    basis = _("of the first stake") if one["basis"] == "initial" else _("of all that is staked")
    return f"{play}, {basis}"


def bet_words(one: Told) -> str:
    """The bet, and how it is played."""
    play = play_words(one)
    return f"{kind_words(one['bet'])} ({play})" if play else kind_words(one["bet"])


def points_words(computed: str, declared: str | None) -> str:
    """How far a return is from another one, in points with its sign; empty where there is none."""
    if declared is None:
        return ""
    points = Decimal(computed) - Decimal(declared)
    return f"{points:+f}" if points else f"{points:f}"


def why_words(one: Told) -> str:
    """Why the verdict is what it is; ``why`` says it in English."""
    if one["verdict"] == NONE_DECLARED:
        return _("The sheet declares no return for this bet.")
    if one["verdict"] == REPRODUCED:
        return _("Rounded as it is printed, it is %(declared)s %%.") % {"declared": one["declared"]}
    if one["verdict"] == CONTRADICTION:
        return _("At the printed odds no number of decks gives the declared figure.")
    points = localize(abs(Decimal(one["rtp"]) - Decimal(one["declared"])))
    if one["leaves_out"] == MULTIPLIERS:
        text = _(
            "The game without multiplier cards, which would have to add %(points)s points; how"
            " often they come is not on the sheet."
        )
    else:
        text = _("It differs from the declared figure by %(points)s points.")
    return text % {"points": points}


def contradictions_of(told: Told) -> list[str]:
    """What the sheet says against itself, a sentence each."""
    return [
        _(
            "%(bet)s: the sheet declares %(declared)s %%. At the odds that it prints the bet"
            " returns %(rtp)s %%, and no number of decks gives the declared figure. The bet is"
            " paid at the printed odds."
        )
        % {"bet": kind_words(one["bet"]), "declared": one["declared"], "rtp": one["rtp"]}
        for one in told["returns"]
        if one["verdict"] == CONTRADICTION
    ]


def weights_words(told: Told) -> list[str]:
    """What the declared return asks of the operator's weights, and whose were in force.

    A sentence each; none where the sheet tells all frequencies.
    """
    implied = next((one["implied"] for one in told["returns"] if one.get("implied")), None)
    if implied is None:
        return []
    return [_reach_words(implied), *_means_words(implied), _in_force_words(told.get("weights"))]


def _reach_words(implied: Told) -> str:
    figures = {
        "bet": kind_words(implied["bet"]),
        "declared": implied["declared"],
        "least": implied["least"],
        "most": implied["most"],
    }
    if implied["attainable"]:
        text = _(
            "%(bet)s returns between %(least)s %% and %(most)s %%, whatever the weights: the"
            " declared %(declared)s %% is attainable."
        )
    else:
        text = _(
            "%(bet)s returns between %(least)s %% and %(most)s %%, whatever the weights: none"
            " give the declared %(declared)s %%."
        )
    return text % figures


def _means_words(implied: Told) -> list[str]:
    """By the number of multiplier cards in every round, or of all levels of a bonus together."""
    means: Mapping[str, str] = implied["mean_multipliers"]
    if "share_of_the_way" in implied:
        text = _(
            "For the declared return a bonus would pay on average, in stakes: %(means)s; if every"
            " level pays the same share (%(share)s %%) of the way from its least to its top prize."
        )
        listed = ", ".join(f"{level} {mean}" for level, mean in means.items())
        return [text % {"means": listed, "share": implied["share_of_the_way"]}]
    text = _(
        "With %(number)s multiplier cards in every round, the declared return asks of each card an"
        " average multiplier of %(mean)s."
    )
    return [text % {"number": number, "mean": mean} for number, mean in means.items()]


def _in_force_words(weights: Told | None) -> str:
    if weights is None:
        return _("No sheet tells how often multipliers come, and no weights were in force.")
    return _("Computed with the weights %(number)s, set by %(who)s and approved by %(other)s.") % {
        "number": weights["number"],
        "who": weights["set_by"],
        "other": weights["approved_by"],
    }


def points_of(returns: Iterable[Told]) -> list[PointWords]:
    """The unclear points that these returns rest on, each with what its other readings give."""
    points: dict[str, PointWords] = {}
    for one in returns:
        for other in one["other_readings"]:
            point = points.setdefault(other["ambiguity"], _point_of(other))
            change = points_words(other["rtp"], one["rtp"])
            says: str = other["reading"]
            point.others.append(OtherWords(bet_words(one), _(says), other["rtp"], change))
    return list(points.values())


def _point_of(other: Told) -> PointWords:
    title: str = other.get("title", "")
    adopted: str = other.get("adopted", "")
    return PointWords(title and _(title), adopted and _(adopted), [])


def chart_of(told: Told) -> Told | None:
    """The strategy chart of a game with decisions."""
    charts = (one["strategy_chart"] for one in told["returns"] if "strategy_chart" in one)
    return next(charts, None)
