"""Settlements, what each bet was paid, and daily totals."""

from payouts.settlement.models.daily_totals import DailyBets, DailyRounds
from payouts.settlement.models.settlement import BetSettlement, Settlement

__all__ = ["BetSettlement", "DailyBets", "DailyRounds", "Settlement"]
