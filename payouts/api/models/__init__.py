"""Keys with their secrets, revocations and last use; rates; answers that are given once."""

from payouts.api.models.answer import GivenAnswer
from payouts.api.models.key import ApiKey, KeyRevocation, KeySecret, KeyUse
from payouts.api.models.rate import SpentRate

__all__ = ["ApiKey", "GivenAnswer", "KeyRevocation", "KeySecret", "KeyUse", "SpentRate"]
