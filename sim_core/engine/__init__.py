"""One run: writers parked at every database operation, and whoever decides who goes next."""
