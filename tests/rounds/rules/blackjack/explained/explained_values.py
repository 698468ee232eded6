"""Amounts and totals of explanations, for tests."""

from rounds.rules.explained.explanation import Money

TEN = Money(1000)
TWENTY = Money(2000)
