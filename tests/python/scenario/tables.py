"""The tables of the made-up shop."""

from tests.python.scenario.model import Column, ColumnKind, ReplicaIdentity, Table

SOURCE = "fixtures"

SQL_TYPES: dict[ColumnKind, str] = {
    "int32": "integer",
    "int64": "bigint",
    "float": "double precision",
    "decimal": "numeric(38,9)",
    "text": "text",
    "bool": "boolean",
    "date": "date",
    "timestamp": "timestamp without time zone",
    "json": "jsonb",
}


def _table(
    name: str,
    table_id: int,
    key_columns: tuple[str, ...],
    *versions: dict[str, ColumnKind],
    replica_identity: ReplicaIdentity = "full",
    history_ignored_columns: tuple[str, ...] = (),
) -> Table:
    return Table(
        schema_name="shop",
        name=name,
        table_id=table_id,
        key_columns=key_columns,
        replica_identity=replica_identity,
        versions=tuple(
            tuple(
                Column(
                    name=column,
                    kind=kind,
                    sql_type=SQL_TYPES[kind],
                    ordinal=ordinal,
                    key_position=key_columns.index(column) + 1 if column in key_columns else 0,
                )
                for ordinal, (column, kind) in enumerate(version.items(), start=1)
            )
            for version in versions
        ),
        history_ignored_columns=history_ignored_columns,
    )


CUSTOMERS = _table(
    "customers",
    16401,
    ("id",),
    {
        "id": "int64",
        "email": "text",
        "full_name": "text",
        "loyalty_points": "int64",
        "is_subscribed": "bool",
        "preferences": "json",
        "last_seen_at": "timestamp",
    },
    history_ignored_columns=("last_seen_at",),
)

_ORDERS: dict[str, ColumnKind] = {
    "id": "int64",
    "customer_id": "int64",
    "status": "text",
    "total": "decimal",
    "ordered_at": "timestamp",
    "is_paid": "bool",
    "comment": "text",
}
ORDERS = _table("orders", 16402, ("id",), _ORDERS, {**_ORDERS, "deliver_on": "date"})

ORDER_LINES = _table(
    "order_lines",
    16403,
    ("order_id", "line_number"),
    {
        "order_id": "int64",
        "line_number": "int32",
        "product": "text",
        "quantity": "int32",
        "weight_kg": "float",
        "price": "decimal",
    },
)

STOCK_LEVELS = _table(
    "stock_levels",
    16404,
    ("warehouse", "product"),
    {"warehouse": "text", "product": "text", "on_hand": "int64"},
)

STOCK_RESERVATIONS = _table(
    "stock_reservations",
    16405,
    ("id",),
    {"id": "int64", "product": "text", "quantity": "int32"},
)

# The long text is stored apart, so an update that leaves it alone does not send it; and without a
# full replica identity nobody fills it in.
PRODUCT_TEXTS = _table(
    "product_texts",
    16406,
    ("sku",),
    {"sku": "text", "title": "text", "body": "text", "language": "text"},
    replica_identity="default",
)

TABLES = (CUSTOMERS, ORDERS, ORDER_LINES, STOCK_LEVELS, STOCK_RESERVATIONS, PRODUCT_TEXTS)
