"""The pages that Django's admin shows; each module registers its own."""

from payouts.pages import books, intake_lists, people, reconciliations, round_list, tables

__all__ = ["books", "intake_lists", "people", "reconciliations", "round_list", "tables"]
