"""Places that differences name, for tests of tampering."""

from typing import Final

DAY: Final = "day 2026-11-21 · table bac-1 · baccarat/1"
NEXT_DAY: Final = "day 2026-11-22 · table bac-1 · baccarat/1"
KINDS: Final = ("Banker", "Player", "Small")
P1_CASH: Final = "balance: account 8 · Customer · Cash · p-1"
HOUSE: Final = "balance: House · Cash"
