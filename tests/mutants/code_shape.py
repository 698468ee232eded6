"""What compiled code does, without the lines that it stands on."""

import inspect
from collections.abc import Iterator
from types import CodeType
from typing import Any


def shape_of(code: CodeType, *, of_import: bool = False) -> tuple[Any, ...]:
    """Equal for equal instructions; ``of_import`` leaves out what functions do when they run."""
    constants: list[Any] = []
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and of_import and is_function(constant):
            constants.append(constant.co_qualname)
        elif isinstance(constant, CodeType):
            constants.append(shape_of(constant, of_import=of_import))
        else:
            constants.append(_typed(constant))
    return (
        *(code.co_qualname, code.co_code, code.co_exceptiontable, code.co_flags),
        *(code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount),
        *(code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars),
        tuple(constants),
    )


def is_function(code: CodeType) -> bool:
    """Whether it is of a function with a name, and not of a class, lambda or comprehension."""
    return bool(code.co_flags & inspect.CO_OPTIMIZED) and not code.co_name.startswith("<")


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module and its classes; those inside a function belong to it."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if is_function(constant):
                yield constant
            elif not constant.co_flags & inspect.CO_OPTIMIZED:
                yield from functions_in(constant)


def _typed(constant: Any) -> Any:
    """1, 1.0 and True are three constants."""
    if isinstance(constant, tuple):
        return tuple(map(_typed, constant))
    if isinstance(constant, frozenset):
        return frozenset(map(_typed, constant))
    return type(constant).__name__, repr(constant)
