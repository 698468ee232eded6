"""Finds every refusal of the regulator's script in its source."""

import ast
from collections.abc import Iterator
from typing import Any, Final

from tests.attacks.exports.switched_off import NOWHERE, TREE, Edit, Refusal


def refusals() -> list[Refusal]:
    """Every refusal of the script, in its order."""
    return [
        refusal
        for statement in TREE.body
        for function in ast.walk(statement)
        if isinstance(function, ast.FunctionDef)
        for refusal in _Finder(statement, function).found()
    ]


class _Finder:
    """Finds the refusals of a function."""

    def __init__(self, statement: ast.stmt, function: ast.FunctionDef) -> None:
        self.statement, self.function = statement, function
        self._is_predicate = ast.unparse(function.returns or ast.Constant(None)) == "bool"

    def found(self) -> Iterator[Refusal]:
        """Raised errors, reports, exit statuses, calls of what refuses, answers and filters."""
        for parent, field, place, node in _nodes_below(self.function):
            make = _Maker(self, parent, field, place, node)
            match node:
                case ast.Raise(exc=ast.Call()):
                    yield self._of_error(make, parent)
                case ast.Return(ast.Constant(1)):
                    yield make(ast.Return(ast.Constant(0)))._replace(lines=NOWHERE)
                case ast.Expr(ast.Call(func=called)) if _name_of(called) in REFUSING:
                    yield make(ast.Pass())
                case ast.If():
                    yield from self._of_condition(node)
                case ast.Return() | ast.comprehension():
                    yield from self._of_answer(node)

    @staticmethod
    def _of_error(make: "_Maker", parent: ast.AST) -> Refusal:
        if isinstance(parent, ast.ExceptHandler):
            return make(ast.Raise())._replace(is_translation=True)
        return make(ast.Pass(), text=ast.unparse(parent.test) if isinstance(parent, ast.If) else "")

    def _of_condition(self, node: ast.If) -> Iterator[Refusal]:
        make = _Maker(self, node, "test", None, node.test)
        last = node.body[-1]
        match last:
            case ast.Return(ast.Call(func=called)) if _name_of(called) in REFUSING_ALWAYS:
                yield make(ast.Constant(False))._replace(lines=NOWHERE)
            case _ if _refuses(last):
                lines = range(node.lineno, (last.end_lineno or 0) + 1)
                for part in _parts(make):
                    yield part._replace(lines=lines)

    def _of_answer(self, node: ast.Return | ast.comprehension) -> Iterator[Refusal]:
        if isinstance(node, ast.comprehension):
            for index, condition in enumerate(node.ifs):
                yield from _parts(_Maker(self, node, "ifs", index, condition), either=True)
        elif self._is_predicate and not isinstance(node.value, ast.Constant):
            yield from _parts(_Maker(self, node, "value", None, node.value), either=True)


class _Maker:
    """Makes the refusal at a node."""

    def __init__(
        self, finder: _Finder, parent: ast.AST, field: str, place: int | None, node: Any
    ) -> None:
        self.finder, self.parent, self.field, self.place = finder, parent, field, place
        self.node = node

    def __call__(self, *others: ast.AST, text: str = "") -> Refusal:
        edits = [
            Edit(self.finder.statement, self.parent, self.field, self.place, other)
            for other in others
        ]
        lines = range(self.node.lineno, self.node.end_lineno + 1)
        name = self.finder.function.name
        return Refusal(name, text or ast.unparse(self.node), lines, tuple(edits))


def _parts(maker: _Maker, *, either: bool = False) -> Iterator[Refusal]:
    """The parts of a condition, each of which refuses alone; or all of it, ``either`` way."""
    node = maker.node
    yes, no = ast.Constant(True), ast.Constant(False)
    match node:
        case ast.BoolOp(ast.Or(), parts) | ast.UnaryOp(ast.Not(), ast.BoolOp(ast.And(), parts)):
            holder = node if isinstance(node, ast.BoolOp) else node.operand
            off = no if holder is node else yes
        case ast.BoolOp(ast.And(), parts) if either:
            holder, off = node, yes
        case ast.UnaryOp(ast.Not(), ast.Compare(left, [_, _] as ops, comparators)):
            for index, operator in enumerate(ops):
                other = 1 - index
                kept = ast.Compare([left, *comparators][other], [ops[other]], [comparators[other]])
                text = ast.unparse(
                    ast.Compare([left, *comparators][index], [operator], [comparators[index]])
                )
                yield maker(ast.UnaryOp(ast.Not(), kept), text=f"not {text}")
            return
        case _:
            if either:
                yield maker(yes, no)._replace(lines=NOWHERE)
            return
    for index, part in enumerate(parts):
        made = _Maker(maker.finder, holder, "values", index, part)(off)
        yield made._replace(lines=NOWHERE)


def _nodes_below(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Each node with its place in its parent."""
    for parent in ast.walk(function):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield parent, field, None, value
            elif isinstance(value, list):
                for index, node in enumerate(value):
                    if isinstance(node, ast.AST):
                        yield parent, field, index, node


def _name_of(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else ast.unparse(called)


def _refuses(statement: ast.stmt) -> bool:
    """Whether it is a refusal, or calls what refuses."""
    match statement:
        case ast.Raise() | ast.Return(ast.Constant(1)):
            return True
        case ast.Expr(ast.Call(func=called)) | ast.Return(ast.Call(func=called)):
            return _name_of(called) in REFUSING
    return False


_FUNCTIONS: Final = [node for node in ast.walk(TREE) if isinstance(node, ast.FunctionDef)]


def _is_refusal(node: ast.AST) -> bool:
    is_status = isinstance(node, ast.Return) and ast.unparse(node) == "return 1"
    return is_status or isinstance(node, ast.Raise)


def _refusing() -> set[str]:
    """The functions that refuse something, or call one that does."""
    names = {made.name for made in _FUNCTIONS if any(map(_is_refusal, ast.walk(made)))}
    while True:
        callers = {
            made.name
            for made in _FUNCTIONS
            for node in ast.walk(made)
            if isinstance(node, ast.Call) and _name_of(node.func) in names
        }
        if callers <= names:
            return names
        names |= callers


REFUSING: Final = _refusing()
REFUSING_ALWAYS: Final = {
    made.name
    for made in _FUNCTIONS
    if [ast.unparse(node) for node in ast.walk(made) if isinstance(node, ast.Return)]
    == ["return 1"]
}
