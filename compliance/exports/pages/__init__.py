"""The export centre: pages of bundles, and of the standing reports."""
