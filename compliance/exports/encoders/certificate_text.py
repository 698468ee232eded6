"""Texts of a certificate in the active language; the signed JSON is in English."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from django.utils.formats import localize
from django.utils.translation import gettext as _

from compliance.certification.returns.verdict import (
    CONTRADICTION,
    MULTIPLIERS,
    NONE_DECLARED,
    NOT_REPRODUCED,
    REPRODUCED,
)
from rounds.formatting import bet_kind_label

Json = Mapping[str, Any]


class OtherWords(NamedTuple):
    """The return of a bet under a reading that was not adopted."""

    bet: str
    reading: str
    rtp: str
    change: str
    """Difference to the certified return, in points."""


class PointWords(NamedTuple):
    """An ambiguous point of the sheet."""

    title: str
    adopted: str
    others: list[OtherWords]


def facts_of(certificate: Json, digest: str) -> dict[str, str]:
    """Facts of a certificate by label; ``digest`` is that of the signed file."""
    return {
        _("Game"): certificate["game"],
        _("Sheet"): certificate["sheet"],
        _("Decks"): str(certificate["decks"]),
        _("In force from"): certificate["in_force_from"],
        _("Digest of the rule set"): certificate["rules_sha256"],
        _("Software version"): certificate["software"]["version"],
        _("Software build"): certificate["software"]["build"],
        _("Computed"): certificate["computed_at"],
        _("SHA-256 of the signed file"): digest,
    }


def verdict_words(verdict: str) -> str:
    """The translated verdict."""
    return {
        REPRODUCED: _("reproduced"),
        NOT_REPRODUCED: _("not reproduced"),
        CONTRADICTION: _("contradiction"),
        NONE_DECLARED: _("none declared"),
    }[verdict]


def play_label(row: Json) -> str:
    """Strategy and basis of a return; empty for a bet without decisions."""
    if row["strategy"] is None:
        return ""
    play = {"cd": _("optimal play by individual cards"), "td": _("best strategy by totals")}[
        row["strategy"]
    ]
    basis = _("of the first stake") if row["basis"] == "initial" else _("of the total stake")
    return f"{play}, {basis}"


def bet_words(row: Json) -> str:
    """The name of the bet, with strategy and basis."""
    play = play_label(row)
    return f"{bet_kind_label(row['bet'])} ({play})" if play else bet_kind_label(row["bet"])


def figure_text(figure: str | None) -> str:
    """A figure of the signed JSON with the language's decimal separator; empty for none."""
    return localize(Decimal(figure)) if figure else ""


def points_words(computed: str, declared: str | None) -> str:
    """Signed difference of two returns in points; empty without a declared return."""
    if declared is None:
        return ""
    points = Decimal(computed) - Decimal(declared)
    return f"{'+' if points > 0 else ''}{localize(points)}"


def why_words(row: Json) -> str:
    """The translated reason of the verdict."""
    if row["verdict"] == NONE_DECLARED:
        return _("The sheet declares no return for this bet.")
    if row["verdict"] == REPRODUCED:
        return _("Rounded as on the sheet, the return is %(declared)s %%.") % {
            "declared": figure_text(row["declared"])
        }
    if row["verdict"] == CONTRADICTION:
        return _("At the printed odds, no number of decks gives the declared return.")
    points = localize(abs(Decimal(row["rtp"]) - Decimal(row["declared"])))
    if row["leaves_out"] == MULTIPLIERS:
        text = _(
            "This is the return without multiplier cards. They would have to add %(points)s"
            " percentage points; the sheet does not state their frequency."
        )
    else:
        text = _("It differs from the declared return by %(points)s percentage points.")
    return text % {"points": points}


def contradictions_of(certificate: Json) -> list[str]:
    """Contradictions of the sheet, one sentence each."""
    return [
        _(
            "%(bet)s: the sheet declares %(declared)s %%. At the printed odds the bet returns"
            " %(rtp)s %%, and no number of decks gives the declared return. The bet is paid at the"
            " printed odds."
        )
        % {
            "bet": bet_kind_label(row["bet"]),
            "declared": figure_text(row["declared"]),
            "rtp": figure_text(row["rtp"]),
        }
        for row in certificate["returns"]
        if row["verdict"] == CONTRADICTION
    ]


def weights_words(certificate: Json) -> list[str]:
    """Sentences on the weights that the declared return implies, and on those in force.

    Empty if the sheet specifies all frequencies.
    """
    implied = next((row["implied"] for row in certificate["returns"] if row.get("implied")), None)
    if implied is None:
        return []
    return [
        _reach_words(implied),
        *_means_words(implied),
        _in_force_words(certificate.get("weights")),
    ]


def _reach_words(implied: Json) -> str:
    figures = {
        "bet": bet_kind_label(implied["bet"]),
        "declared": figure_text(implied["declared"]),
        "least": figure_text(implied["least"]),
        "most": figure_text(implied["most"]),
    }
    if implied["attainable"]:
        text = _(
            "%(bet)s returns between %(least)s %% and %(most)s %% for any weights: the declared"
            " %(declared)s %% is possible."
        )
    else:
        text = _(
            "%(bet)s returns between %(least)s %% and %(most)s %% for any weights: the declared"
            " %(declared)s %% is not possible."
        )
    return text % figures


def _means_words(implied: Json) -> list[str]:
    """Implied means by number of multiplier cards, or of all bonus levels."""
    means: Mapping[str, str] = implied["mean_multipliers"]
    if "share_of_the_way" in implied:
        text = _(
            "For the declared return, the average bonus in stakes would have to be: %(means)s. This"
            " assumes that every level averages the same fraction (%(share)s %%) of the range from"
            " its least to its top prize."
        )
        quoted_list = ", ".join(f"{level} {figure_text(mean)}" for level, mean in means.items())
        return [text % {"means": quoted_list, "share": figure_text(implied["share_of_the_way"])}]
    text = _(
        "With %(number)s multiplier cards in every round, the declared return requires an average"
        " multiplier of %(mean)s per card."
    )
    return [text % {"number": number, "mean": figure_text(mean)} for number, mean in means.items()]


def _in_force_words(weights: Json | None) -> str:
    if weights is None:
        return _(
            "The sheet does not state how often multipliers occur, and no multiplier weights were"
            " in force."
        )
    return _(
        "Computed with multiplier weights %(number)s, entered by %(who)s and approved by %(other)s."
    ) % {
        "number": weights["number"],
        "who": weights["set_by"],
        "other": weights["approved_by"],
    }


def points_of(returns: Iterable[Json]) -> list[PointWords]:
    """The ambiguous points behind these returns, each with its alternative readings."""
    points: dict[str, PointWords] = {}
    for row in returns:
        for other in row["other_readings"]:
            point = points.setdefault(other["ambiguity"], _point_of(other))
            change = points_words(other["rtp"], row["rtp"])
            says: str = other["reading"]
            rtp = figure_text(other["rtp"])
            point.others.append(OtherWords(bet_words(row), _(says), rtp, change))
    return list(points.values())


def _point_of(other: Json) -> PointWords:
    title: str = other.get("title", "")
    adopted: str = other.get("adopted", "")
    return PointWords(title and _(title), adopted and _(adopted), [])


def chart_of(certificate: Json) -> Json | None:
    """The strategy chart, for a game with decisions."""
    charts = (row["strategy_chart"] for row in certificate["returns"] if "strategy_chart" in row)
    return next(charts, None)
