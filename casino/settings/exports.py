"""The bundles for the regulator, and the archive of closed months."""

from casino.settings.environment import VAR_DIR, env

# The web process reads the folder for downloads, and must not be able to read the key.
EXPORTS_FOLDER = env.str("SABOT_EXPORTS", default=str(VAR_DIR / "exports"))
EXPORT_KEY = env.str("SABOT_EXPORT_KEY", default=str(VAR_DIR / "export-key" / "export.key"))
LARGE_WIN_CENTS = env.int("SABOT_LARGE_WIN_CENTS", default=1_000_000)
ARCHIVE_FOLDER = env.str("SABOT_ARCHIVE", default=str(VAR_DIR / "archive"))
