"""Who connects has to ask, soon: a connection that says nothing holds a place that others need.

uvicorn waits for ever for the end of a request's headers, and limits how many may wait; a page
on this machine that opens a hundred connections and says half a sentence on each would close the
server to its owner.

Wrong in this module: who may ask (guard).
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS_TO_ASK: Final = 10.0


class Hurried(H11Protocol):
    """HTTP/1.1, hung up on where no whole request head comes in time."""

    seconds = SECONDS_TO_ASK

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(self.seconds, self._hang_up)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before and self._late:  # a request has come whole
            self._late.cancel()
            self._late = None

    def data_received(self, data: bytes) -> None:
        if self._late is None and (self.cycle is None or self.cycle.response_complete):
            self._late = self.loop.call_later(self.seconds, self._hang_up)
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._late:
            self._late.cancel()
        super().connection_lost(exc)

    def _hang_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
