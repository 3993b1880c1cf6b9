"""The process list as a writer sees it: it can show itself under a name, and look for one.

Neither is an operation: both happen in the segment in which they are called, and stand in the
trace. What a writer says after its end, nobody hears.
"""

from typing import TYPE_CHECKING

from sim_core.engine.trace import Trace
from sim_core.seams.processes import Coming, ProcessList

if TYPE_CHECKING:
    from sim_core.engine.writer import Writer


class WriterProcesses:
    """`me`, the number of the writer's own process, `show` and `shows`."""

    __slots__ = ("_list", "_trace", "_writer", "me")

    def __init__(self, of: ProcessList, trace: Trace, writer: "Writer") -> None:
        self._list = of
        self._trace = trace
        self._writer = writer
        self.me = writer.number_of_process

    def show(self, name: str, after: float = 0.0) -> None:
        """Put the process under a name, as its command line would; `after` so many seconds."""
        if not self._is_there():
            return
        if milliseconds := max(0, round(after * 1000)):
            at = self._trace.clock.milliseconds + milliseconds
            self._list.coming.append(Coming(at, self.me, str(name), self._writer.letter))
            return
        self._list.show(self.me, str(name))
        self._trace.tell(self._writer, "shows", call=str(name))

    def shows(self, name: str) -> bool:
        """Say whether some process stands under that name: `ps | grep`."""
        found = self._list.shows(name)
        if self._is_there():
            self._trace.tell(self._writer, "looks", call=str(name), answer=found)
        return found

    def _is_there(self) -> bool:
        return self._list.lives(self.me) and not self._writer.link.connection.dead
