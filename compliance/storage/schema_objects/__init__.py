"""The triggers and functions of the schema: declared, installed, compared."""
