"""What applications declare for the packages below them: one module of an agreed name each."""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.apps import apps


def declarations(module: str, attribute: str, *, default: Any = None) -> Iterator[tuple[str, Any]]:
    """The attribute of this module in each installed application that has one, with its path.

    A module without the attribute counts as one with the ``default``, if there is one.

    The order is that of INSTALLED_APPS.
    """
    for application in apps.get_app_configs():
        name = f"{application.name}.{module}"
        if find_spec(name) is not None:
            found = import_module(name)
            yield name, getattr(found, attribute, *([] if default is None else [default]))
