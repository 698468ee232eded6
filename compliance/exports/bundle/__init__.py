"""The bundle: registers in one file, with a signed manifest that says what they have to be."""
