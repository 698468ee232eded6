"""Attacks without the guard that stops them: each guard must be needed.

A guard is a function, a condition inside one, or a trigger. The attack's own test must fail once
it lets everything pass.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple, TypeAlias

import pytest
from django.db import connection

Attack = Callable[..., None]
Exceptions: TypeAlias = "type[BaseException] | tuple[type[BaseException], ...]"

NOTICED: Final[Exceptions] = (AssertionError, pytest.fail.Exception)
"""What an attack's own test raises when the attack succeeds."""


class Guard(NamedTuple):
    """A condition in a function, and the attack that it stops.

    ``passing`` is what the condition is replaced by. ``noticed_by`` is raised then, by the attack's
    own test or by what the attack breaks.
    """

    function: Any
    condition: str
    attack: Attack
    passing: str = "False"
    noticed_by: Exceptions = NOTICED

    def is_needed(self, request: pytest.FixtureRequest, **arguments: Any) -> None:
        """The attack's own test fails without the guard. Fixtures are those of the request."""
        arguments = fixtures_of(self.attack, request, **arguments)
        with weakened(self.function, self.condition, self.passing), pytest.raises(self.noticed_by):
            self.attack(**arguments)


class Refused(NamedTuple):
    """An attempt that a service refuses because of one condition, or else ``noticed_by``."""

    function: Any
    condition: str
    attempt: Callable[[], object]
    error: type[BaseException]
    noticed_by: Exceptions = NOTICED
    passing: str = "False"

    def is_refused(self) -> None:
        """For the reason that the condition gives."""
        with pytest.raises(self.error):
            self.attempt()

    @property
    def guard(self) -> Guard:
        """The condition, whose attack is the attempt."""
        return Guard(self.function, self.condition, self.is_refused, self.passing, self.noticed_by)

    def __str__(self) -> str:
        """The name of its tests."""
        return self.condition


def fixtures_of(attack: Attack, request: pytest.FixtureRequest, **given: Any) -> dict[str, Any]:
    """The arguments of an attack's own test: fixtures, but for those that are given."""
    given = {**getattr(attack, "keywords", {}), **given}
    names = [name for name in inspect.signature(attack).parameters if name not in given]
    return {**given, **{name: request.getfixturevalue(name) for name in names}}


def unguarded(module: ModuleType, guards: Iterable[Guard]) -> set[tuple[str, str]]:
    """The conditions under which functions of the module raise that are no guard of these."""
    return refusals(module) - guarded(guards)


def guarded(guards: Iterable[Guard]) -> set[tuple[str, str]]:
    """The conditions of these guards, with the name of their function."""
    return {(_plain(guard.function).__name__, guard.condition) for guard in guards}


def succeeds_without(
    place: Any, guard: str, attack: Attack, *arguments: Any, passing: object = True
) -> None:
    """The attack's own test fails once the guard lets everything pass."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, guard, lambda *_, **__: passing)
        with pytest.raises(NOTICED):
            attack(*arguments)


def succeeds_without_trigger(table: str, trigger: str, attack: Attack, /, **arguments: Any) -> None:
    """The attack's own test fails once the owner of the table has dropped the trigger."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = to_regclass(%s) AND tgname ~ %s",
            [table, f"^pgtrigger_{trigger}_[0-9a-f]+$"],
        )
        [[name]] = cursor.fetchall()
    _succeeds_after(f"DROP TRIGGER {name} ON {table}", attack, **arguments)


def succeeds_without_constraint(
    table: str, constraint: str, attack: Attack, /, **arguments: Any
) -> None:
    """The attack's own test fails once the owner of the table has dropped the constraint."""
    _succeeds_after(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}", attack, **arguments)


def _succeeds_after(statement: str, attack: Attack, /, **arguments: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(statement)
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with pytest.raises(NOTICED):
        attack(**arguments)


@contextmanager
def weakened(place: Any, condition: str, passing: str = "False") -> Iterator[None]:
    """In this function one expression, which only one place in it has, is another one."""
    function = _plain(place)
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    replaced = _Replaced(condition, passing)
    replaced.visit(tree)
    code = compile(ast.fix_missing_locations(tree), __file__, "exec")
    assert replaced.number == 1, f"found {replaced.number} times {condition}; needed once"
    [changed] = [
        constant
        for constant in code.co_consts
        if isinstance(constant, CodeType) and constant.co_name == function.__name__
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(function, "__code__", changed)
        yield


def refusals(module: ModuleType) -> set[tuple[str, str]]:
    """Each condition under which a function of the module raises, with the function's name.

    Conditions that are joined are guards of their own.
    """
    functions = ast.walk(ast.parse(inspect.getsource(module)))
    return {
        (function.name, ast.unparse(condition))
        for function in functions
        if isinstance(function, ast.FunctionDef)
        for statement in ast.walk(function)
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Raise)
        for condition in _alternatives(statement.test)
    }


def returned_refusals(module: ModuleType) -> set[tuple[str, str]]:
    """Each condition under which a function of the module returns None, False or a fault.

    Or yields a fault; with the function's name.
    """
    return {
        (function.name, ast.unparse(condition))
        for function in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(function, ast.FunctionDef)
        for statement in ast.walk(function)
        if isinstance(statement, ast.If) and _is_refusal(statement.body[-1])
        for condition in _alternatives(statement.test)
    }


def boolean_refusals(module: ModuleType) -> set[tuple[str, str]]:
    """Each condition by which a function of the module answers, filters or goes on.

    Parts that are joined are conditions of their own. With the function's name.
    """
    return {
        (function.name, ast.unparse(part))
        for function in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        for condition in _conditions_in(
            node, answers=ast.unparse(function.returns or node) == "bool"
        )
        for part in _joined(condition)
    }


def _conditions_in(node: ast.AST, *, answers: bool) -> list[ast.expr]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return [test]
        case ast.comprehension(ifs=conditions):
            return conditions
        case ast.Return(value=ast.expr() as answer) if answers:
            return [] if isinstance(answer, ast.Constant) else [answer]
    return []


def _joined(condition: ast.expr) -> list[ast.expr]:
    if isinstance(condition, ast.BoolOp):
        return [part for value in condition.values for part in _joined(value)]
    return [] if isinstance(condition, ast.Constant) else [condition]


def _is_refusal(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return(None | ast.JoinedStr() | ast.Constant(None | False | str())):
            return True
        case ast.Expr(ast.Yield()):
            return True
    return False


def _alternatives(test: ast.expr) -> list[ast.expr]:
    """The parts of ``a or b`` and of ``not (a and b)``."""
    match test:
        case ast.BoolOp(ast.Or(), parts) | ast.UnaryOp(ast.Not(), ast.BoolOp(ast.And(), parts)):
            return parts
    return [test]


def _plain(place: Any) -> FunctionType:
    function = inspect.unwrap(getattr(place, "fget", place))
    assert isinstance(function, FunctionType)
    return function


class _Replaced(ast.NodeTransformer):
    """Puts one expression in the place of another."""

    def __init__(self, condition: str, passing: str) -> None:
        self._condition, self._passing = condition, passing
        self.number = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or what is put in its place."""
        is_read = not isinstance(getattr(node, "ctx", None), ast.Store)
        if isinstance(node, ast.expr) and is_read and ast.unparse(node) == self._condition:
            self.number += 1
            return ast.parse(self._passing, mode="eval").body
        visited: ast.AST = self.generic_visit(node)
        return visited
