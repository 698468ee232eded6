"""Mutants that cosmic-ray lacks, and those of its mutants that change no behaviour."""

import ast
from collections.abc import Iterator
from typing import Any

from tests.mutants.code_shape import shape_of

_SIMPLE = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return, ast.Raise, ast.Assert)


def deletions(source: str) -> Iterator[str]:
    """The source without each simple statement of its functions, one at a time."""
    encoded = source.encode()
    starts = [0]
    for line in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for statement in _statements(ast.parse(source)):
        assert statement.end_lineno is not None
        assert statement.end_col_offset is not None
        begin = starts[statement.lineno - 1] + statement.col_offset
        end = starts[statement.end_lineno - 1] + statement.end_col_offset
        yield (encoded[:begin] + b"pass" + encoded[end:]).decode()


def _statements(tree: ast.AST, *, inside: bool = False) -> Iterator[ast.stmt]:
    for node in ast.iter_child_nodes(tree):
        if inside and isinstance(node, _SIMPLE):
            if not _is_text(node):
                yield node
        else:
            yield from _statements(node, inside=inside or isinstance(node, ast.FunctionDef))


def _is_text(node: ast.stmt) -> bool:
    """A docstring, or one of an attribute."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def behaviour_of(source: str) -> tuple[Any, ...]:
    """Equal where only annotations, documentation or the form of the text differ.

    Raises SyntaxError if the source does not compile.
    """
    tree = ast.fix_missing_locations(_Behaviour().visit(ast.parse(source)))
    return shape_of(compile(tree, "", "exec", dont_inherit=True))


class _Behaviour(ast.NodeTransformer):
    """Removes annotations of arguments, results and variables, and texts that nobody reads."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return ast.Pass() if _is_text(node) else self.generic_visit(node)
