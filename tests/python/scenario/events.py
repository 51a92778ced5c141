"""The scenario: what happened in the shop on one day, in commit order, and how it was delivered.

Read it top to bottom; every event says in its note what it is there for. The expected marts are
hand-written in seeds/expected and name events by their number, so an event is never renumbered.
All times are whole milliseconds, because some formats carry no more.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

from tests.python.scenario.model import Delivery, JsonValue, Kind, Row, ScenarioEvent, Table
from tests.python.scenario.tables import (
    CUSTOMERS,
    ORDER_LINES,
    ORDERS,
    PRODUCT_TEXTS,
    STOCK_LEVELS,
    STOCK_RESERVATIONS,
)


def at(time: str) -> datetime:
    """A time of the scenario's day: `at("09:00:00.000")`."""
    return datetime.fromisoformat(f"2026-03-01T{time}").replace(tzinfo=UTC)


def changed(row: Row, **columns: JsonValue) -> Row:
    """The row with some columns changed or added."""
    return {**row, **columns}


class ScenarioWriter:
    """Collects and numbers events; each arrives once, in the current batch, in order by default."""

    def __init__(self) -> None:
        """Starts with no events and landing batch 1."""
        self.events: list[ScenarioEvent] = []
        self.batch = 1
        self._transactions = 0
        self._open: list[int] = []
        self._committed_at: datetime | None = None

    def begin(self, committed_at: str) -> None:
        """Begins the next transaction; its events follow."""
        self._close()
        self._transactions += 1
        self._committed_at = at(committed_at)

    def add(
        self,
        kind: Kind,
        tables: Table | tuple[Table, ...],
        note: str,
        *,
        before: Row | None = None,
        after: Row | None = None,
        absent: Iterable[str] = (),
        version: int = 1,
        read_at: str | None = None,
        arrives: Iterable[tuple[int, int]] | None = None,
        needs: Iterable[str] = (),
    ) -> None:
        """Adds an event; `arrives` lists (landing batch, order), by default 10 × number."""
        number = len(self.events) + 1
        in_transaction = read_at is None
        if in_transaction:
            self._open.append(number - 1)
        self.events.append(
            ScenarioEvent(
                number=number,
                kind=kind,
                tables=tables if isinstance(tables, tuple) else (tables,),
                schema_version=version,
                note=note,
                deliveries=tuple(
                    Delivery(batch, order)
                    for batch, order in arrives or [(self.batch, number * 10)]
                ),
                transaction=self._transactions if in_transaction else None,
                transaction_index=len(self._open) - 1 if in_transaction else None,
                committed_at=self._committed_at if in_transaction else None,
                snapshot_at=at(read_at) if read_at else None,
                before=before,
                after=after,
                absent=frozenset(absent),
                needs=frozenset(needs),
            )
        )

    def finish(self) -> list[ScenarioEvent]:
        """Closes the last transaction and gives all events."""
        self._close()
        return self.events

    def _close(self) -> None:
        for index in self._open:
            self.events[index] = replace(
                self.events[index],
                transaction_size=len(self._open),
                is_transaction_end=index == self._open[-1],
            )
        self._open = []


def write_the_scenario() -> list[ScenarioEvent]:
    """All events in commit order, snapshot rows first."""
    scenario = ScenarioWriter()
    add = scenario.add

    # ------------------------------------------------ rows read before the feed began
    ada: Row = {
        "id": 1,
        "email": "ada@example.com",
        "full_name": "Ada Lovelace",
        "loyalty_points": -42,
        "is_subscribed": True,
        "preferences": {"gift": None, "sizes": [1, 2], "theme": "dark"},
        "last_seen_at": "2026-02-28 21:15:00.123456",
    }
    grace: Row = {
        "id": 2,
        "email": "grace@example.com",
        "full_name": "Grace Hopper",
        "loyalty_points": 0,
        "is_subscribed": False,
        "preferences": None,
        "last_seen_at": None,
    }
    order_999: Row = {
        "id": 999,
        "customer_id": 2,
        "status": "shipped",
        "total": "19.9",
        "ordered_at": "2026-02-27 10:00:00",
        "is_paid": True,
        "comment": None,
    }
    order_1000: Row = {
        "id": 1000,
        "customer_id": 1,
        "status": "new",
        "total": "100",
        "ordered_at": "2026-02-28 20:00:00",
        "is_paid": False,
        "comment": "ring twice",
    }
    linus: Row = {
        "id": 9,
        "email": "linus@example.com",
        "full_name": "Linus P.",
        "loyalty_points": 7,
        "is_subscribed": False,
        "preferences": {"theme": "light"},
        "last_seen_at": "2026-02-20 08:00:00",
    }
    snapshot_rows = {"snapshot_rows"}
    read_in_time = {"snapshot_rows", "snapshot_time"}

    # 1
    add(
        "snapshot",
        CUSTOMERS,
        "A row read before its changes.",
        after=ada,
        read_at="08:00:00.000",
        needs=snapshot_rows,
    )
    # 2
    add(
        "snapshot",
        CUSTOMERS,
        "A row that is deleted later; its read arrives after the delete and brings nothing back.",
        after=grace,
        read_at="08:00:01.000",
        arrives=[(2, 5)],
        needs=snapshot_rows,
    )
    # 3
    add(
        "snapshot",
        ORDERS,
        "A row that changes while it is read: the older read arrives after the change.",
        after=order_1000,
        read_at="08:00:02.000",
        arrives=[(1, 165)],
        needs=snapshot_rows,
    )
    # 4
    add(
        "snapshot",
        ORDERS,
        "A row that never changes; read once, delivered twice.",
        after=order_999,
        read_at="08:00:03.000",
        arrives=[(1, 40), (2, 1)],
        needs=snapshot_rows,
    )
    # 5
    add(
        "snapshot",
        CUSTOMERS,
        "The first of several reads of one row.",
        after=linus,
        read_at="08:00:04.000",
        needs=read_in_time,
    )
    # 6
    linus_subscribed = changed(linus, is_subscribed=True)
    add(
        "snapshot",
        CUSTOMERS,
        "Read again at the very moment of its update (event 73), before it: the change wins.",
        after=linus,
        read_at="13:00:00.000",
        arrives=[(3, 475)],
        needs=read_in_time,
    )
    # 7
    add(
        "snapshot",
        CUSTOMERS,
        "Read again after its update, unchanged: no version.",
        after=linus_subscribed,
        read_at="14:00:00.000",
        arrives=[(3, 476)],
        needs=read_in_time,
    )
    # 8
    add(
        "snapshot",
        CUSTOMERS,
        "Read again, found changed though no change was delivered: a version from the read on.",
        after=changed(linus_subscribed, loyalty_points=8),
        read_at="15:00:00.000",
        arrives=[(3, 2)],
        needs=read_in_time,
    )

    # ------------------------------------------------ transaction 1
    scenario.begin("09:00:00.000")
    zoe: Row = {
        "id": 3,
        "email": "zoe@example.com",
        "full_name": "Zoë Ångström 🦊",
        "loyalty_points": 9223372036854775807,
        "is_subscribed": True,
        "preferences": {"theme": "dark"},
        "last_seen_at": "2026-03-01 08:59:59.5",
    }
    alan: Row = {
        "id": 4,
        "email": "alan@example.com",
        "full_name": "Alan Turing",
        "loyalty_points": 12,
        "is_subscribed": False,
        "preferences": {},
        "last_seen_at": None,
    }
    order_1001: Row = {
        "id": 1001,
        "customer_id": 3,
        "status": "new",
        "total": "12345678901234567890123456789.123456789",
        "ordered_at": "2026-03-01 09:00:00",
        "is_paid": False,
        "comment": "",
    }
    # 9, 10
    add("schema", CUSTOMERS, "The columns of customers.", needs={"schema_messages"})
    add("schema", ORDERS, "The columns of orders.", needs={"schema_messages"})
    # 11
    add(
        "insert",
        CUSTOMERS,
        "Unicode, emoji, the greatest int64; delivered twice in one batch.",
        after=zoe,
        arrives=[(1, 110), (1, 155)],
    )
    # 12
    add("insert", CUSTOMERS, "A row whose key event 15 frees for another.", after=alan)
    # 13
    add("insert", ORDERS, "A decimal of 38 digits, an empty string.", after=order_1001)

    # ------------------------------------------------ transaction 2
    scenario.begin("09:05:00.000")
    ada_moved = changed(ada, email="ada@example.org", loyalty_points=-43)
    # 14
    add(
        "update",
        CUSTOMERS,
        "The first change of a row that was read before.",
        before=ada,
        after=ada_moved,
        needs=snapshot_rows,
    )

    # ------------------------------------------------ transaction 3
    scenario.begin("09:06:00.000")
    # 15
    add("delete", CUSTOMERS, "A plain delete.", before=alan)
    # 16
    add(
        "delete",
        CUSTOMERS,
        "The delete of a row whose read arrives in the next batch.",
        before=grace,
        needs=snapshot_rows,
    )

    # ------------------------------------------------ transaction 4
    scenario.begin("09:10:00.000")
    order_1000_paid = changed(order_1000, status="paid", is_paid=True)
    # 17
    add(
        "update",
        ORDERS,
        "The change that overlaps with the read; arrives before it.",
        before=order_1000,
        after=order_1000_paid,
        arrives=[(1, 160)],
        needs=snapshot_rows,
    )

    # ------------------------------------------------ transaction 5
    scenario.begin("09:15:00.000")
    line_1: Row = {
        "order_id": 1001,
        "line_number": 1,
        "product": "lamp",
        "quantity": 1,
        "weight_kg": 0.1,
        "price": "0.1",
    }
    line_2 = changed(
        line_1, line_number=2, product="bulb", quantity=2, weight_kg=-0.0, price="-0.5"
    )
    line_2_of_three = changed(line_2, quantity=3)
    line_2_of_four = changed(line_2, quantity=4)
    line_3 = changed(
        line_1, line_number=3, product="cord", quantity=-1, weight_kg=1.25, price="3.25"
    )
    line_4 = changed(line_1, line_number=4, product="oops", quantity=0, weight_kg=None, price=None)
    # 18
    add("schema", ORDER_LINES, "The columns of order_lines.", needs={"schema_messages"})
    # 19 - 25
    add("insert", ORDER_LINES, "A composite key; 0.1 as float and as decimal.", after=line_1)
    add("insert", ORDER_LINES, "A float -0.0, a negative decimal.", after=line_2)
    add(
        "update",
        ORDER_LINES,
        "The second change of a row in one transaction.",
        before=line_2,
        after=line_2_of_three,
    )
    add("insert", ORDER_LINES, "A negative int32.", after=line_3)
    add(
        "update",
        ORDER_LINES,
        "The third change of a row in one transaction; arrives before the second.",
        before=line_2_of_three,
        after=line_2_of_four,
        arrives=[(1, 205)],
    )
    add("insert", ORDER_LINES, "A row that lives only inside its transaction.", after=line_4)
    add("delete", ORDER_LINES, "Deleted by the transaction that inserted it.", before=line_4)

    # ------------------------------------------------ transaction 6
    scenario.begin("09:20:00.000")
    # 26
    add("update", ORDERS, "An update that changes nothing.", before=order_1001, after=order_1001)

    # ------------------------------------------------ transaction 7
    scenario.begin("09:25:00.000")
    zoe_seen = changed(zoe, last_seen_at="2026-03-01 09:24:59")
    # 27
    add(
        "update",
        CUSTOMERS,
        "Only a column that history ignores: the version changes in place.",
        before=zoe,
        after=zoe_seen,
        arrives=[(1, 270), (3, 1)],
    )

    # ------------------------------------------------ transaction 8
    scenario.begin("09:30:00.000")
    zoe_30 = changed(zoe_seen, id=30)
    # 28
    add(
        "update",
        CUSTOMERS,
        "A plain key change: 3 becomes 30.",
        before=zoe_seen,
        after=zoe_30,
        needs={"key_change"},
    )

    # ------------------------------------------------ transaction 9
    scenario.begin("09:35:00.000")
    # 29 - 31
    key_change = {"key_change"}
    add(
        "update",
        ORDER_LINES,
        "line_number + 1: the first row lands on the live second one and displaces it.",
        before=line_1,
        after=changed(line_1, line_number=2),
        needs=key_change,
    )
    add(
        "update",
        ORDER_LINES,
        "The displaced second row moves on, onto the live third one.",
        before=line_2_of_four,
        after=changed(line_2_of_four, line_number=3),
        needs=key_change,
    )
    add(
        "update",
        ORDER_LINES,
        "The displaced third row moves on, onto the key that was deleted in transaction 5.",
        before=line_3,
        after=changed(line_3, line_number=4),
        needs=key_change,
    )

    # ------------------------------------------------ transaction 10
    scenario.batch = 2
    scenario.begin("10:00:00.000")
    zoe_4 = changed(zoe_30, id=4, email=None)
    # 32
    add(
        "update",
        CUSTOMERS,
        "A key change onto a key that was deleted before, with a new null; 30 becomes 4.",
        before=zoe_30,
        after=zoe_4,
        needs=key_change,
    )

    # ------------------------------------------------ transaction 11
    scenario.begin("10:05:00.000")
    swapped_a = changed(line_1, order_id=1002, product="vase", price="20")
    swapped_b = changed(line_1, order_id=1002, line_number=2, product="rose", price="2")
    # 33, 34
    add("insert", ORDER_LINES, "The first of two rows that will change places.", after=swapped_a)
    add(
        "insert",
        ORDER_LINES,
        "The second of two rows that will change places; arrives a batch later than its move.",
        after=swapped_b,
        arrives=[(3, 3)],
    )

    # ------------------------------------------------ transaction 12
    scenario.begin("10:10:00.000")
    # 35, 36
    add(
        "update",
        ORDER_LINES,
        "A swap: the first row lands on the second and displaces it …",
        before=swapped_a,
        after=changed(swapped_a, line_number=2),
        needs=key_change,
    )
    add(
        "update",
        ORDER_LINES,
        "… and the displaced one takes the free place; both arrive in the wrong order.",
        before=swapped_b,
        after=changed(swapped_b, line_number=1),
        arrives=[(2, 345)],
        needs=key_change,
    )

    # ------------------------------------------------ transaction 13
    scenario.begin("10:15:00.000")
    order_1002: Row = {
        "id": 1002,
        "customer_id": 1,
        "status": "new",
        "total": "0",
        "ordered_at": "2026-03-01 10:15:00",
        "is_paid": None,
        "comment": "again",
    }
    order_1003 = changed(order_1002, id=1003, total="5.5", comment="first")
    # 37, 38
    add("insert", ORDERS, "A row that will be deleted and inserted again, equal.", after=order_1002)
    add(
        "insert",
        ORDERS,
        "A row that will be deleted and inserted again, different.",
        after=order_1003,
    )

    # ------------------------------------------------ transaction 14
    scenario.begin("10:20:00.000")
    # 39, 40
    add(
        "delete",
        ORDERS,
        "Deleted; arrives before its insert.",
        before=order_1002,
        arrives=[(2, 365), (2, 391)],
    )
    add(
        "delete",
        ORDERS,
        "Deleted; arrives a batch before all else.",
        before=order_1003,
        arrives=[(1, 300)],
    )

    # ------------------------------------------------ transaction 15
    scenario.begin("10:25:00.000")
    order_1003_again = changed(order_1003, total="6.5", comment=None)
    # 41, 42
    add("insert", ORDERS, "Inserted again with an equal row: a second version.", after=order_1002)
    add("insert", ORDERS, "Inserted again with another row, a null in it.", after=order_1003_again)

    # ------------------------------------------------ transaction 16
    scenario.begin("10:30:00.000")
    order_1004 = changed(order_1002, id=1004, comment="seen late", is_paid=True)
    order_1005 = changed(order_1002, id=1005, comment="never seen", total="-7.25")
    # 43
    add(
        "update",
        ORDERS,
        "An update of a row that was never seen opens it.",
        before=order_1004,
        after=changed(order_1004, status="paid"),
    )
    # 44
    add("delete", ORDERS, "A delete of a row that was never seen.", before=order_1005)

    # ------------------------------------------------ transaction 17
    scenario.begin("11:00:00.000")
    lamp: Row = {
        "sku": "LAMP-1",
        "title": "Lamp",
        "body": "A long text about the lamp.",
        "language": "en",
    }
    lamp_titled = changed(lamp, title="Desk lamp")
    partial = {"partial_images"}
    moved = {"partial_images", "key_change", "key_change_default_identity"}
    # 45
    add("schema", PRODUCT_TEXTS, "The columns of product_texts.", needs={"schema_messages"})
    # 46
    add("insert", PRODUCT_TEXTS, "A whole row, before partial images of it.", after=lamp)
    # 47
    add(
        "update",
        PRODUCT_TEXTS,
        "A partial image: the long text is not sent and keeps its value.",
        before=lamp,
        after=lamp_titled,
        absent=["body", "language"],
        needs=partial,
    )
    # ------------------------------------------------ transaction 18
    scenario.begin("11:05:00.000")
    lamp_mute = changed(lamp_titled, body=None)
    # 48
    add(
        "update",
        PRODUCT_TEXTS,
        "A real null overwrites, unlike an absent column.",
        before=lamp_titled,
        after=lamp_mute,
    )

    # ------------------------------------------------ transaction 19
    scenario.begin("11:10:00.000")
    vase: Row = {
        "sku": "VASE-1",
        "title": "Vase",
        "body": "A long text about the vase.",
        "language": "en",
    }
    vase_2 = changed(vase, sku="VASE-2")
    vase_3 = changed(vase_2, sku="VASE-3")
    vase_3_titled = changed(vase_3, title="")
    # 49
    add("insert", PRODUCT_TEXTS, "A row that will move.", after=vase)
    # ------------------------------------------------ transaction 20
    scenario.begin("11:15:00.000")
    # 50 - 52
    add(
        "update",
        PRODUCT_TEXTS,
        "A key change that sends the key only: all else comes from under the old key.",
        before=vase,
        after=vase_2,
        absent=["title", "body", "language"],
        needs=moved,
    )
    add(
        "update",
        PRODUCT_TEXTS,
        "A chain: moved again in the same transaction, the text still not sent.",
        before=vase_2,
        after=vase_3,
        absent=["body", "language"],
        needs=moved,
    )
    add(
        "update",
        PRODUCT_TEXTS,
        "A partial image right after the key change, with an empty string.",
        before=vase_3,
        after=vase_3_titled,
        absent=["body", "language"],
        needs=partial,
    )

    # ------------------------------------------------ transaction 21
    scenario.begin("11:20:00.000")
    rose: Row = {"sku": "ROSE-1", "title": "Rose", "body": "Never sent.", "language": "fr"}
    rose_titled = changed(rose, title="Red rose")
    fern: Row = {
        "sku": "FERN-1",
        "title": "Fern",
        "body": "A long text about the fern.",
        "language": "en",
    }
    # 53
    add(
        "update",
        PRODUCT_TEXTS,
        "A row known by partial images only.",
        before=rose,
        after=rose_titled,
        absent=["body", "language"],
        needs=partial,
    )
    # 54, 55
    add("insert", PRODUCT_TEXTS, "A row that is deleted after a partial image.", after=fern)
    fern_german = changed(fern, language="de", title="Farn")
    add(
        "update",
        PRODUCT_TEXTS,
        "Two columns change, the text is not sent; arrives in the next batch.",
        before=fern,
        after=fern_german,
        absent=["body"],
        arrives=[(3, 4)],
        needs=partial,
    )

    # ------------------------------------------------ transaction 22
    scenario.begin("11:25:00.000")
    # 56
    add(
        "delete",
        PRODUCT_TEXTS,
        "The delete names the key only; the last known values stay.",
        before=fern_german,
    )

    # ------------------------------------------------ transaction 23
    scenario.batch = 3
    scenario.begin("12:00:00.000")
    truncate = {"truncate"}
    oslo_lamp: Row = {"warehouse": "Oslo", "product": "lamp", "on_hand": 5}
    oslo_bulb: Row = {"warehouse": "Oslo", "product": "bulb", "on_hand": -3}
    reserved: Row = {"id": 1, "product": "lamp", "quantity": 2}
    # 57, 58
    add(
        "schema",
        STOCK_LEVELS,
        "The columns of stock_levels.",
        needs={"schema_messages", "truncate"},
    )
    add(
        "schema",
        STOCK_RESERVATIONS,
        "The columns of stock_reservations.",
        needs={"schema_messages", "truncate"},
    )
    # 59 - 61
    add("insert", STOCK_LEVELS, "A row that two truncates close.", after=oslo_lamp, needs=truncate)
    add("insert", STOCK_LEVELS, "A row that one truncate closes.", after=oslo_bulb, needs=truncate)
    add(
        "insert",
        STOCK_RESERVATIONS,
        "A row of the other truncated table.",
        after=reserved,
        needs=truncate,
    )

    # ------------------------------------------------ transaction 24
    scenario.begin("12:05:00.000")
    oslo_pot: Row = {"warehouse": "Oslo", "product": "pot", "on_hand": 1}
    # 62 - 64
    add(
        "insert",
        STOCK_LEVELS,
        "Inserted and truncated in one transaction.",
        after=oslo_pot,
        needs=truncate,
    )
    add(
        "truncate",
        STOCK_LEVELS,
        "A truncate of one table; arrives before the rows that it closes.",
        arrives=[(3, 585)],
        needs=truncate,
    )
    add(
        "insert",
        STOCK_LEVELS,
        "Inserted after the truncate, in its transaction: it lives.",
        after=changed(oslo_lamp, on_hand=6),
        needs=truncate,
    )

    # ------------------------------------------------ transaction 25
    scenario.begin("12:10:00.000")
    # 65
    add(
        "truncate",
        (STOCK_LEVELS, STOCK_RESERVATIONS),
        "One truncate of two tables.",
        needs=truncate,
    )
    # 66
    add(
        "insert",
        STOCK_LEVELS,
        "A new row after all truncates.",
        after=changed(oslo_bulb, on_hand=9223372036854775807),
        needs=truncate,
    )

    # ------------------------------------------------ transaction 26
    scenario.begin("12:30:00.000")
    # 67
    add(
        "schema",
        ORDERS,
        "A column is added; the message arrives after the rows that have it.",
        version=2,
        arrives=[(3, 695)],
        needs={"schema_messages"},
    )
    # 68
    order_1006: Row = {
        "id": 1006,
        "customer_id": 4,
        "status": "new",
        "total": "0.1",
        "ordered_at": "0001-01-01 00:00:00",
        "is_paid": False,
        "comment": "${x} \"quoted\" 'single' back\\slash tab\there line\nbreak",
        "deliver_on": "9999-12-31",
    }
    add(
        "insert",
        ORDERS,
        "${x}, quotes, tab, newline; years 1, 9999; arrives a batch before the new column is sent.",
        after=order_1006,
        version=2,
        arrives=[(2, 900)],
    )
    # 69
    order_1001_v2 = changed(order_1001, deliver_on=None)
    order_1001_delivered = changed(
        order_1001_v2, status="sent", comment=None, deliver_on="2026-03-04"
    )
    add(
        "update",
        ORDERS,
        "A row of before the new column gets it; the empty string becomes null.",
        before=order_1001_v2,
        after=order_1001_delivered,
        version=2,
    )

    # ------------------------------------------------ transactions 27, 28: a clock runs backwards
    scenario.begin("12:45:00.000")
    order_1007 = changed(
        order_1006, id=1007, comment="clock", total="1.25", ordered_at="2026-03-01 12:45:00"
    )
    # 70
    add("insert", ORDERS, "Committed at 12:45 by the clock …", after=order_1007, version=2)
    scenario.begin("12:44:59.900")
    # 71
    add(
        "update",
        ORDERS,
        "… and changed by a later commit whose clock says 12:44:59.900.",
        before=order_1007,
        after=changed(order_1007, status="paid"),
        version=2,
    )

    # ------------------------------------------------ transaction 29
    scenario.begin("12:50:00.000")
    # 72
    add(
        "insert",
        ORDERS,
        "An insert over a live row replaces it.",
        after=changed(order_1003_again, status="replaced", deliver_on=None),
        version=2,
    )

    # ------------------------------------------------ transaction 30
    scenario.begin("13:00:00.000")
    # 73
    add(
        "update",
        CUSTOMERS,
        "Committed at the very moment of a read (event 6).",
        before=linus,
        after=linus_subscribed,
        needs=read_in_time,
    )
    return scenario.finish()


SCENARIO = write_the_scenario()
