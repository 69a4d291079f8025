"""Brings what the service owns to a store, for `follow --exec`: service to store.

    brand-integration follow --state service.json --every 60 --exec 'python3 apply_to_store.py store.db'

The service owns `title`, `description` and `discountPercent`: people edit them there. They are in a table of their own,
which nothing else writes, so this program never touches what the store owns. A page of lines is one transaction, and a
line that comes twice changes nothing.

A product that the service does not get from this store is here, too, and harms nobody. So if the store gets an item with
its SKU later, what people have written about it is there at once.
"""

import json
import sqlite3
import sys

TABLE = """
CREATE TABLE IF NOT EXISTS service_fields (
    id TEXT PRIMARY KEY,
    sku TEXT,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    discount_percent REAL NOT NULL
)
"""

# What the store's pages show: the service's fields where it has the item, the store's own until then.
VIEW = """
CREATE VIEW IF NOT EXISTS shown_items AS
SELECT
    items.sku,
    items.price_cents,
    items.quantity,
    coalesce(service_fields.title, items.title) AS title,
    coalesce(service_fields.description, items.description) AS description,
    coalesce(service_fields.discount_percent, 0) AS discount_percent
FROM items LEFT JOIN service_fields ON service_fields.sku = items.sku
"""


def apply(store, lines):
    """Applies lines in one transaction, all or none."""
    with store:
        store.execute(TABLE)
        store.execute("CREATE INDEX IF NOT EXISTS service_fields_sku ON service_fields (sku)")
        store.execute(VIEW)
        for line in lines:
            event = json.loads(line)
            if "deleted" in event:
                store.execute("DELETE FROM service_fields WHERE id = ?", [event["deleted"]])
                continue
            product = event["changed"]
            fields = ("id", "sku", "title", "description", "discountPercent")
            values = [product[field] for field in fields]
            store.execute("INSERT OR REPLACE INTO service_fields VALUES (?, ?, ?, ?, ?)", values)


if __name__ == "__main__":
    database = sqlite3.connect(sys.argv[1], timeout=60)
    apply(database, sys.stdin.buffer)
    database.close()
