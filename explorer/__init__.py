"""What people meet of Interleaving Explorer: the command, the server and the pages.

    cli        the command `explorer`: hears Ctrl-C (interrupt), then loads the rest
    ending     every way in which a command ends;   terminal: what may be written, and where
    asides     what Python itself would print meanwhile
    commands   the commands themselves;   workers: the processes that share a long sweep
    drills     the same code in real processes;   snapshot: somebody else's database, read unseen
    drift      expected against counted rows per owner
    app        the local server
    guard      who may talk to the local server;   hurry: and how long they may take to ask
    pages      a page's HTML from its path, for the server and the static site alike
    press      the steps of the site's recipe (build time only; does not ship)

Thin on purpose: every answer about runs comes from sim_core.
"""
