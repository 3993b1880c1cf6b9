"""The command `explorer`: hears Ctrl-C first, then loads everything else.

Loading takes a moment, and a person may change their mind within it. Nothing but
explorer/interrupt.py is imported before signals are heard.
"""

import sys

from explorer import interrupt


def main() -> None:
    """Run the command, and end the process with its status."""
    status = 0
    try:
        interrupt.listen()
        from explorer.ending import ended

        status = ended(sys.argv[1:])
    except KeyboardInterrupt:
        if not interrupt.heard:
            raise
    interrupt.end(interrupt.status() if interrupt.heard else status)
