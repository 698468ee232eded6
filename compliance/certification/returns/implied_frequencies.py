"""What declared returns imply about unpublished frequencies, as JSON values."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from compliance.certification.returns.blackjack.plan import Play
from compliance.certification.returns.bonus_return import implied_means
from compliance.certification.returns.declared_returns import DeclaredReturn, declared_return
from compliance.certification.returns.exact_returns import percent_text
from compliance.certification.returns.multiplied_return import implied_cards
from rounds.rules.blackjack.bets import MAIN
from rounds.rules.blackjack.bonus import MEGA_FIRE_BLAZE
from rounds.rules.blackjack.declaration import BlackjackGame
from rounds.rules.rule_set import RuleSet

_PLACES: Final = 4


def implied_of(rules: RuleSet) -> dict[str, Any] | None:
    """What the declared return implies about the operator's frequencies, as JSON values.

    None where the sheet specifies every frequency of the rule set.
    """
    game = rules.declaration
    if not isinstance(game, BlackjackGame):
        return None
    if game.multipliers and (declared := declared_return(rules.name, MAIN)):
        return _of_cards(game, declared)
    if game.bonus and (declared := declared_return(rules.name, MEGA_FIRE_BLAZE)):
        return _of_grid(game, declared)
    return None


def _of_cards(game: BlackjackGame, declared: DeclaredReturn) -> dict[str, Any]:
    """Per initial stake, by the best play that ignores the multiplier cards."""
    implied = implied_cards(game, declared.share, Play.COMPOSITION)
    return _range(MAIN, declared, implied.least, implied.most) | {
        "attainable": implied.is_attainable(declared.share),
        "mean_multipliers": {str(many): _number(mean) for many, mean in implied.means.items()},
        "most_even_chances": {
            str(many): {value: percent_text(Fraction(chance)) for value, chance in chances.items()}
            for many, chances in implied.chances.items()
        },
    }


def _of_grid(game: BlackjackGame, declared: DeclaredReturn) -> dict[str, Any]:
    implied = implied_means(game, declared.share)
    return _range(MEGA_FIRE_BLAZE, declared, implied.least, implied.most) | {
        "attainable": implied.is_attainable,
        "share_of_the_way": percent_text(implied.share),
        "mean_multipliers": _numbers(implied.means),
    }


def _range(
    bet: str, declared: DeclaredReturn, least: Fraction | float, most: Fraction | float
) -> dict[str, Any]:
    return {
        "bet": bet,
        "declared": declared.percent,
        "least": percent_text(Fraction(least)),
        "most": percent_text(Fraction(most)),
    }


def _numbers(means: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: _number(mean) for name, mean in means.items()}


def _number(mean: Fraction | float) -> str:
    return f"{float(mean):.{_PLACES}f}"
