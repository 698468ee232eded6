"""The bundle: a ZIP of registers with a signed manifest."""
