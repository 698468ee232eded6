"""The bodies of SCIM, with what directories write otherwise than the specification says."""

from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.request import Request
from scim2_models import Context, InvalidSyntaxException, InvalidValueException, PatchOp, Resource

from casino.api.scim.resources import POLICY, Group, User

_MOST_OPERATIONS: Final = 1_000
_PASSWORD: Final = "password"  # noqa: S105  an attribute


def user_in(request: Request, *, is_active: bool, context: Context) -> User:
    """The account of a POST or PUT, active as given if it says nothing. Raises as ``group_in``."""
    body = _object_in(request)
    _sort_primary_first(body)
    if not any(name.lower() == "active" for name in body):
        body["active"] = is_active
    return User.model_validate(body, scim_ctx=context, scim_policy=POLICY)


def group_in(request: Request, *, context: Context) -> Group:
    """The group of a POST or PUT. Raises SCIMException or ValidationError."""
    return Group.model_validate(_object_in(request), scim_ctx=context, scim_policy=POLICY)


def patch_in(request: Request, resource: Resource[Any]) -> None:
    """Applies the operations of a PATCH to a resource. Raises as ``group_in``."""
    body = _object_in(request)
    names = {name.lower(): name for name in body}
    operations = body.get(names.get("operations", ""))
    if not isinstance(operations, list) or not 0 < len(operations) <= _MOST_OPERATIONS:
        text = _("Operations: needed an array of 1 to %(most)d operations")
        raise InvalidSyntaxException(detail=text % {"most": _MOST_OPERATIONS})
    body[names["operations"]] = [plain for each in operations for plain in _plain(each)]
    kind: Any = PatchOp.__class_getitem__(type(resource))
    with POLICY:
        patch = kind.model_validate(body, scim_ctx=Context.RESOURCE_PATCH_REQUEST)
        patch.patch(resource)


def _object_in(request: Request) -> dict[str, Any]:
    body = request.data
    if not isinstance(body, dict):
        raise InvalidSyntaxException(detail=_("The body: needed a JSON object"))
    _refuse_password(body)
    return body


def _refuse_password(names: Any) -> None:
    if any(name.lower().rpartition(":")[2] == _PASSWORD for name in names):
        text = _("password: found one; needed none, because Sabot takes no passwords by SCIM")
        raise InvalidValueException(detail=text)


def _plain(operation: Any) -> list[Any]:
    """The operation without what Entra ID adds.

    Keys of a value that are paths become operations of their own; an address is replaced, because
    an account has one.
    """
    if not isinstance(operation, dict):
        return [operation]
    path, value = operation.get("path"), operation.get("value")
    if isinstance(path, str) and path:
        _refuse_password([path])
        is_address = path.lower() == "emails" and str(operation.get("op")).lower() == "add"
        if is_address:
            _sort_primary_first({"emails": value})
        return [{**operation, "op": "replace"} if is_address else operation]
    if not isinstance(value, dict):
        return [operation]
    _refuse_password(value)
    _sort_primary_first(value)
    paths = [key for key in value if "[" in key or ("." in key and not key.startswith("urn:"))]
    own = {key: value[key] for key in value if key not in paths}
    first = [{**operation, "value": own}] if own or not paths else []
    return [*first, *({**operation, "path": key, "value": value[key]} for key in paths)]


def _sort_primary_first(body: dict[str, Any]) -> None:
    emails = body.get("emails")
    if isinstance(emails, list):
        emails.sort(key=lambda email: not (isinstance(email, dict) and email.get("primary")))
