"""Events: rounds that were settled, corrected and voided, in the order of the signed log."""
