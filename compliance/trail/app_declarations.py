"""What applications declare for the packages below them: one module of an agreed name each."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.apps import apps


def declarations(module: str, attribute: str) -> Iterator[tuple[str, Any]]:
    """The attribute of this module in each installed application that has one, with its path.

    The order is that of INSTALLED_APPS.
    """
    for application in apps.get_app_configs():
        name = f"{application.name}.{module}"
        if find_spec(name) is not None:
            yield name, getattr(import_module(name), attribute)
