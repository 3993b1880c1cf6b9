"""The steps of the site's recipe, one module each; the recipe itself is `site` in build.py.

    folder    a folder that appears whole or not at all
    bundle    scripts and style sheets, named by what they hold
    runtime   the Python that runs in the page: Pyodide, a trimmed library, sim_core
    figures   the figures as they stand before any script runs
    preview   the pictures that others show beside a link
    address   where the site will be read, if the build is told
    feed      the feed of the essays and the map of the pages, for other programs
    offline   the service worker, which keeps them for readers without a network
    budget    what a reader downloads, held against its limits

They stand apart from the rest of `explorer` because they need Node and the
packages of package-lock.json, and do not ship: a wheel carries what they made.
What would be wrong here: anything that the running server or the command needs.
"""
