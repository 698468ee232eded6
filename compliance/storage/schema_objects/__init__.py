"""The triggers, functions and constraints of the schema: declared, installed, compared."""
