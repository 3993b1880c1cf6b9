"""One file a story. A scenario imports nothing of ours: its writers also run on aiosqlite."""
