"""Minimal settings for django-hordak, on the database of DATABASE_URL."""

import environ

SECRET_KEY = "only for a benchmark"  # noqa: S105  it signs nothing
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "mptt", "hordak"]
DATABASES = {"default": environ.Env().db_url("DATABASE_URL")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
