"""The back office: rounds, money and the audit trail, with the actions on them.

It may import every other package, because its pages combine what lower packages keep apart:
cards, settlements, transfers and audit records.
"""
