"""Drills: the same code as in the scenarios, in real processes, on real files, on this machine.

    crowd      real processes that go in the same instant, and of which none stays
    child      what such a process begins with; hook, session: and what it then does
    owners     the hook processes of `owners`;   claims: sessions and reapers of `claims`
    told       a drill for people and for programs

A drill proves nothing. It says how often something happens by itself, here and today.
"""
