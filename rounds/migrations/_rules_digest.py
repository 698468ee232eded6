"""The column ``rules_digest``, added to tables that already hold rows and refuse every UPDATE."""

from typing import Final

_SEALED: Final = {
    "blackjack/1": "37245fb616043bc528bcffb185e805064088dd1370ab2516ac5403bf812dcfee",
    "mega-fire-blaze-blackjack/1": (
        "654983dbf3cae1c49c53eca03dd340197e2592257a72f146c1028cf14cc85a11"
    ),
    "quantum-blackjack/1": "b7c7a1399fd26d64f466800ecb355e8a035b8b5a482ee153dea303658826b3e5",
    "baccarat/1": "4ad572337867f71eb833e164a81139dc929cb9a8596c438520bd6d6b976b6280",
    "zappit-blackjack/1": "c8b1c47767bf5aaf720e460b861551ee81e5532aea242f42637a585680e4126b",
}
"""The rule sets that there were before the column, with the digests of their seals."""

_UNKNOWN: Final = "00" * 32
"""For a name that no catalogue had: such a round could never be settled."""


def add_rules_digest(table: str) -> str:
    """SQL that adds the column; old rows get the digest of the rule set that they name.

    PostgreSQL computes a generated column while it writes the table anew, so no row is updated and
    no trigger is asked; then the column becomes an ordinary one. The table is locked meanwhile.
    """
    cases = " ".join(
        f"WHEN '{name}' THEN '\\x{hexadecimal}'" for name, hexadecimal in _SEALED.items()
    )
    return (
        f"ALTER TABLE {table} ADD COLUMN rules_digest bytea NOT NULL GENERATED ALWAYS AS"
        f" ((CASE rules {cases} ELSE '\\x{_UNKNOWN}' END)::bytea) STORED;"
        f" ALTER TABLE {table} ALTER COLUMN rules_digest DROP EXPRESSION"
    )


def drop_rules_digest(table: str) -> str:
    """SQL that takes the column away."""
    return f"ALTER TABLE {table} DROP COLUMN rules_digest"
