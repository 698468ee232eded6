"""What Sabot accepts: feeds, files, and calls of programs."""

from casino.api.openapi.settings import OPENAPI_SETTINGS
from casino.settings.environment import env

# How far the times of a document may be from its arrival (``rounds.arrival``).
MAX_CLOCK_SKEW_SECONDS = env.int("MAX_CLOCK_SKEW_SECONDS", default=300)
MAX_LATENESS_DAYS = env.int("MAX_LATENESS_DAYS", default=31)

FEED_UPLOAD_BYTES = env.int("FEED_UPLOAD_MB", default=512) << 20
DATA_UPLOAD_MAX_NUMBER_FILES = 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
FILE_UPLOAD_HANDLERS = [
    "casino.backoffice.feed.upload_size.CappedUpload",  # first: rejects files that are too large
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

CUSTOMER_DISPUTES_A_DAY = env.int("CUSTOMER_DISPUTES_A_DAY", default=10)
CUSTOMER_FILES_A_DAY = env.int("CUSTOMER_FILES_A_DAY", default=50)
CUSTOMER_EVIDENCE_BYTES_A_DAY = env.int("CUSTOMER_EVIDENCE_MB_A_DAY", default=100) << 20
CLAMD = env.str("CLAMD", default="")
DISPUTE_EVIDENCE_BYTES = env.int("DISPUTE_EVIDENCE_MB", default=100) << 20

# Pages of these call the API from customers' browsers, with customers' tokens and without cookies.
CUSTOMER_ORIGINS = env.list("CUSTOMER_ORIGINS", default=[])
CORS_ALLOWED_ORIGINS = CUSTOMER_ORIGINS
CORS_URLS_REGEX = r"^/api/v1(/|$)"
CORS_ALLOW_METHODS = ("GET", "POST")  # what customers' tokens may do
CORS_ALLOW_HEADERS = (
    *("accept", "accept-language", "authorization", "content-type"),
    *("idempotency-key", "if-match", "if-none-match"),
)
CORS_EXPOSE_HEADERS = (
    *("Content-Disposition", "ETag", "Idempotent-Replayed", "Location"),
    *("RateLimit", "RateLimit-Policy", "Request-Id", "Retry-After"),
)

# The page's Content-Security-Policy allows media of these, and of nothing else.
VIDEO_ORIGINS = env.list("VIDEO_ORIGINS", default=[])

REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "casino.api.openapi.schema.ApiSchema",
    "URL_FORMAT_OVERRIDE": None,  # the format is negotiated by Accept alone
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
}
SPECTACULAR_SETTINGS = OPENAPI_SETTINGS
