"""Exports to the regulator: registers, signed bundles, certificates, dossiers."""
