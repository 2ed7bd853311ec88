"""Options of a command in groups: a dataclass each, whose fields typer takes one by one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints


def spread(command: Callable[..., int]) -> Callable[..., int]:
    """The command with the options of its groups side by side, as typer wants them.

    A group is a parameter whose type is a dataclass: each of its fields becomes an option.
    """
    groups: dict[str, Any] = {}
    options: list[inspect.Parameter] = []
    kinds = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        if not is_dataclass(kinds[name]):
            options.append(parameter.replace(annotation=kinds[name]))
            continue
        groups[name] = group = kinds[name]
        inner = get_type_hints(group, include_extras=True)
        options += [
            inspect.Parameter(one.name, parameter.kind, default=one.default, annotation=inner[one.name])
            for one in fields(group)
        ]

    signature = inspect.Signature(options)

    def call(*args: Any, **chosen: Any) -> int:
        bound = signature.bind(*args, **chosen)
        bound.apply_defaults()
        given = bound.arguments
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in fields(group)})
        return command(**given)

    call.__doc__ = command.__doc__
    call.__annotations__ = {option.name: option.annotation for option in options}
    vars(call)["__signature__"] = signature
    return call
