"""The models whose tables this code makes."""

from django.apps import apps
from django.db.models import Model


def managed_models() -> list[type[Model]]:
    """The models with a table of their own, those of libraries included."""
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]
