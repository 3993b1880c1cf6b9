"""What holds the claims up: each safeguard is taken out once, and its promise breaks.

Apart from the story's other tests because it is a table: what is taken out, what stands there
instead, who writes, how many are killed, and exactly what breaks.
"""

from pathlib import Path

import pytest

from tests.scenarios.mutants import mutant
from tests.scenarios.test_claims import (
    EPOCHS,
    EVERY,
    GHOST,
    GUARDED,
    MUTEX,
    REAP,
    RECLAIM,
    RENEWAL,
    TTL,
)
from tests.searches import breaks, searched

MUTANTS = {
    "a claim asks whether the lease has run out": (
        "    OR status = 'claimed' AND expires_at < {NOW}\n",
        "    OR status = 'claimed'\n",
        "writers=session,pm",
        0,
        {MUTEX},
    ),
    "a claim takes the next epoch": (
        "    epoch = epoch + 1,\n",
        "    epoch = epoch,\n",
        "writers=session,pm",
        0,
        {EPOCHS, RECLAIM},
    ),
    "a claim leaves no epoch out": (
        "    epoch = epoch + 1,\n",
        "    epoch = epoch + 2,\n",
        "writers=session,pm",
        0,
        {EPOCHS},
    ),
    "one task has one key": (
        '    return " ".join(key.split()).casefold()\n',
        "    return key\n",
        "writers=session,pm",
        0,
        {MUTEX, EPOCHS},
    ),
    "a claim runs out": (
        "    {NOW}, {NOW} + :ttl, :process",
        "    {NOW}, NULL, :process",
        "writers=session,pm",
        0,
        {TTL},
    ),
    "a renewal starts from now": (
        "SET expires_at = {NOW} + :ttl,",
        "SET expires_at = expires_at + :ttl,",
        "writers=session,pm",
        0,
        {TTL},
    ),
    "a renewal keeps its epoch": (
        "SET expires_at = {NOW} + :ttl,",
        "SET epoch = epoch + 1, expires_at = {NOW} + :ttl,",
        "writers=session,pm",
        0,
        {RENEWAL, EPOCHS},
    ),
    "a renewal is in time": (
        '    sql = SET_RENEWED + (EPOCH if fix == "epoch" else PAIR) + IN_TIME\n',
        '    sql = SET_RENEWED + (EPOCH if fix == "epoch" else PAIR)\n',
        "writers=session,pm",
        0,
        {RECLAIM},
    ),
    "a renewal names its claim": (
        'SET_RENEWED + (EPOCH if fix == "epoch" else PAIR)',
        "SET_RENEWED",
        "writers=session,pm",
        0,
        {RENEWAL},
    ),
    "completing names its claim": (
        "guard = EPOCH + IN_TIME if",
        "guard = IN_TIME if",
        "writers=session,pm",
        0,
        {GHOST},
    ),
    "completing is in time": (
        "guard = EPOCH + IN_TIME if",
        "guard = EPOCH if",
        "writers=session,pm",
        0,
        {GHOST},
    ),
    "giving back names its claim": (
        'SET_ABANDONED + (EPOCH if fix == "epoch" else PAIR)',
        "SET_ABANDONED",
        "writers=operator,pm",
        0,
        {MUTEX},
    ),
    "evicting names the epoch": (
        "    guard = EPOCH if fix",
        "    guard = PAIR if fix",
        "writers=session,reaper",
        1,
        {REAP},
    ),
    "evicting names its claim": (
        "    guard = EPOCH if fix",
        '    guard = "" if fix',
        "writers=launcher,session,reaper",
        0,
        {REAP, GUARDED},
    ),
    "who cannot be seen is alive": (
        '        return identity_shapes == "on"\n',
        "        return True\n",
        "writers=pm,reaper",
        0,
        {REAP},
    ),
    "the young are left alone": (
        "        return False\n",
        "        pass\n",
        "writers=session,reaper",
        0,
        {REAP},
    ),
    "a session shows itself": (
        "    # Claimed, and not yet to be seen.\n"
        "    processes.show(claimer, after=float(startup))\n",
        "",
        "writers=session,reaper",
        0,
        {REAP},
    ),
}


@pytest.mark.once
@pytest.mark.parametrize("safeguard", MUTANTS)
def test_without_one_safeguard_its_promise_is_broken(safeguard: str, tmp_path: Path) -> None:
    old, new, query, crashes, promises = MUTANTS[safeguard]
    assert searched(f"claims?{query}", crashes).verdict == "proved"
    search = searched(f"{mutant('claims', old, new, tmp_path)}?{query}", crashes)
    assert set(breaks(search)) == promises


def test_every_promise_is_broken_by_the_loss_of_some_safeguard() -> None:
    assert {name for *_, promises in MUTANTS.values() for name in promises} == set(EVERY)
