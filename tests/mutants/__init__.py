"""Mutation testing: does a test fail if the code is changed? See docs/contributor/mutation.md."""
