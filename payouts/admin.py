"""The pages that Django's admin shows; each module registers its own."""

from payouts.pages import books, intake_lists, reconciliations, round_list, tables

__all__ = ["books", "intake_lists", "reconciliations", "round_list", "tables"]
