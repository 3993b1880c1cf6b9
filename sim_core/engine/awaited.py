"""What aiosqlite's methods return: something to await once, or to enter as a context.

`await db.execute(…)` and `async with db.execute(…) as cursor` are both aiosqlite's style; the
second closes the cursor at its end. It is a Coroutine besides, so that asyncio's own functions
(`create_task`, `gather`) take it. Nothing happens before somebody awaits.
"""

from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractAsyncContextManager
from functools import wraps
from typing import Any, ParamSpec

from sim_core.engine.cursor import Cursor

P = ParamSpec("P")


class Awaited(AbstractAsyncContextManager[Any], Coroutine[Any, Any, Any]):
    """One call that is still to be awaited."""

    __slots__ = ("_pending", "_result")

    def __init__(self, pending: Coroutine[Any, Any, Any]) -> None:
        self._pending = pending
        self._result: Any = None

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._pending.__await__()

    def send(self, value: Any) -> Any:
        return self._pending.send(value)

    def throw(self, *error: Any) -> Any:
        return self._pending.throw(*error)

    def close(self) -> None:
        self._pending.close()

    async def __aenter__(self) -> Any:
        self._result = await self._pending
        return self._result

    async def __aexit__(self, *_: object) -> None:
        if isinstance(self._result, Cursor):
            await self._result.close()


def awaited(method: Callable[P, Coroutine[Any, Any, Any]]) -> Callable[P, Awaited]:
    """Let a coroutine method return an Awaited."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> Awaited:
        return Awaited(method(*args, **kwargs))

    return call
