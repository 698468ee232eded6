"""The bundles for the regulator, and the archive of closed months."""

from casino.settings.environment import VAR_DIR, env

# The web process reads the folder for downloads, and must not be able to read the key.
EXPORTS_FOLDER = env.str("SABOT_EXPORTS", default=str(VAR_DIR / "exports"))
EXPORT_KEY = env.str("SABOT_EXPORT_KEY", default=str(VAR_DIR / "export-key" / "export.key"))
LARGE_WIN_CENTS = env.int("SABOT_LARGE_WIN_CENTS", default=1_000_000)
ARCHIVE_FOLDER = env.str("SABOT_ARCHIVE", default=str(VAR_DIR / "archive"))

# The same archives in an S3-compatible store (compliance/archive/object_storage). Key, region and
# authority are boto3's own variables, which only its library reads.
ARCHIVE_BUCKET = env.str("ARCHIVE_BUCKET", default="")
ARCHIVE_ENDPOINT = env.str("AWS_ENDPOINT_URL_S3", default="") or env.str(
    "AWS_ENDPOINT_URL", default=""
)
ARCHIVE_LOCK_DAYS = env.int("ARCHIVE_LOCK_DAYS", default=0)
