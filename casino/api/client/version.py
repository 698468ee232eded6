"""The version of the package ``sabot-client``."""

__version__ = "0.1.0"
