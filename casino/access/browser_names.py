"""Names of browsers, from their User-Agent."""

from typing import Final

from django.utils.translation import gettext as _

# In this order: Edge and Opera call themselves Chrome too, and Chrome calls itself Safari.
_PROGRAMS: Final = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "FxiOS/": "Firefox",
    "CriOS/": "Chrome",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
# In this order: iPads and Androids call themselves Macs and Linux too.
_MACHINES: Final = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


def browser_label(user_agent: str) -> str:
    """Program and operating system of a User-Agent, as far as known."""
    program, machine = _first(_PROGRAMS, user_agent), _first(_MACHINES, user_agent)
    if program and machine:
        return _("%(program)s on %(machine)s") % {"program": program, "machine": machine}
    return program or machine or _("unknown")


def _first(known: dict[str, str], user_agent: str) -> str:
    return next((name for mark, name in known.items() if mark in user_agent), "")
