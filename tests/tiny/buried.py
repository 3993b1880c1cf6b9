"""An auditor as long as the transfer meets the moment in which money is nowhere."""

SCHEMA = """
CREATE TABLE account (name TEXT PRIMARY KEY, balance INTEGER);
INSERT INTO account VALUES ('here', 100), ('there', 100);
CREATE TABLE journal (line TEXT);
"""
WRITERS = ("transfer", "auditor")
WATCH = ("accounts", "SELECT name, balance FROM account")
CONNECT = {"isolation_level": None}


async def transfer(db):
    """Takes from one account and, two statements later, gives to the other."""
    for number in range(9):
        await db.execute("INSERT INTO journal VALUES (?)", (f"before {number}",))
    await db.execute("UPDATE account SET balance = balance - 10 WHERE name = 'here'")
    await db.execute("INSERT INTO journal VALUES ('on its way')")
    await db.execute("UPDATE account SET balance = balance + 10 WHERE name = 'there'")
    for number in range(8):
        await db.execute("INSERT INTO journal VALUES (?)", (f"after {number}",))
    return "moved"


async def auditor(db):
    """Reads one account first and the other last, with eighteen statements in between."""
    cursor = await db.execute("SELECT balance FROM account WHERE name = 'here'")
    (here,) = await cursor.fetchone()
    for _ in range(18):
        await db.execute("SELECT count(*) FROM journal")
    cursor = await db.execute("SELECT balance FROM account WHERE name = 'there'")
    (there,) = await cursor.fetchone()
    return here + there


def no_money_is_missing(told):
    """The auditor counts no less than there is."""
    if told["auditor"] < 200:
        yield f"the auditor counted {told['auditor']}"


INVARIANTS = (no_money_is_missing,)
