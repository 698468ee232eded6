"""Pages of disputes: their list, one of them, opening and deciding."""
