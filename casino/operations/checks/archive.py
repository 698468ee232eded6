"""The check of the bucket of the archive."""

from django.conf import settings

from casino.operations.checks.check_result import CheckResult, error, ok


def bucket_answers() -> CheckResult:
    """Where archives are kept in object storage, it answers, and this host may read it."""
    needed = "none, or a bucket that this host may list and read"
    if not settings.ARCHIVE_BUCKET:
        return ok("none: archives are in the folder alone", needed)
    from compliance.archive.object_storage.bucket import (  # noqa: PLC0415  boto3 takes 30 MB
        BadBucketSetting,
        Bucket,
        BucketFailed,
    )

    try:
        rights = Bucket.of_settings().rights()
    except BadBucketSetting as failure:
        todo = "correct ARCHIVE_BUCKET (docs/administrator/archive.md)"
        return error("a setting of no use", needed, todo, detail=str(failure))
    except BucketFailed as failure:
        todo = "correct its key, its rights or AWS_ENDPOINT_URL_S3 (docs/administrator/archive.md)"
        return error("no answer, or a refusal", needed, todo, detail=str(failure))
    if settings.ARCHIVE_LOCK_DAYS and rights.writes and not rights.locks:
        todo = "a bucket made with Object Lock, or no ARCHIVE_LOCK_DAYS"
        return error("a bucket without Object Lock", "one with it", todo)
    return ok("reads and writes" if rights.writes else "reads; may not write", needed)
