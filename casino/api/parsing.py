"""JSON request bodies that can be stored and rendered again."""

import json
from typing import Any, NoReturn

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rounds.feed import json_fault


class JsonParser(JSONParser):
    """JSON in UTF-8; repeated names, lone surrogates and endless nesting are an error (400)."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Any = None,
    ) -> Any:
        """The decoded body. Raises ParseError, in our words."""
        try:
            text = stream.read().decode()
            body = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
        except RecursionError:
            raise ParseError(_("The JSON of the body is nested too deeply.")) from None
        except UnicodeDecodeError as error:
            message = _("The body is not UTF-8 at byte %(byte)d.")
            raise ParseError(message % {"byte": error.start}) from None
        except json.JSONDecodeError as error:
            message = _("The JSON of the body is broken at line %(line)d, column %(column)d.")
            place = {"line": error.lineno, "column": error.colno}
            raise ParseError(message % place) from None
        except ValueError:
            raise ParseError(_("The JSON of the body has a number of too many digits.")) from None
        if fault := json_fault(body):
            raise _unfit(*fault)
        return body


def _unfit(found: str, needed: str) -> ParseError:
    message = _("The JSON of the body contains %(found)s; expected: %(needed)s.")
    return ParseError(message % {"found": found, "needed": needed})


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    body = dict(pairs)
    if len(body) < len(pairs):
        names = [name for name, _value in pairs]
        repeated = next(name for name in body if names.count(name) > 1)
        message = _("The JSON of the body has the name %(name)s twice in one object.")
        raise ParseError(message % {"name": json.dumps(repeated[:60])})
    return body


def _refuse_constant(name: str) -> NoReturn:
    raise _unfit(name, _("JSON, which has no such number"))
