"""The operator's pages: rounds, money and the trail, read and never changed.

They stand on top of the other packages because a round's page shows what the lower ones must not
know of each other: cards, settlements, transfers, records.
"""
