"""What would otherwise leak into a run: time in Python, time and chance in SQL, dice."""
