"""Prints the products of a store as NDJSON, for the nightly sync: store to service.

    python3 store_items.py store.db > items.ndjson

The store owns which products there are, and the fields `priceCents` and `storeInventoryQuantity`. It gives each new
product its first title and description, too. After that, those two are the service's: the sync has them in `--keep`.
"""

import json
import sqlite3
import sys

ITEMS = "SELECT sku, title, description, price_cents, quantity FROM items ORDER BY sku"


def main(path):
    store = sqlite3.connect(path, timeout=60)
    # One statement sees one state of the store.
    for sku, title, description, price_cents, quantity in store.execute(ITEMS):
        item = {
            "sku": sku,
            "source": "STORE",
            "title": title,
            "description": description,
            "priceCents": price_cents,
            "storeInventoryQuantity": quantity,
        }
        print(json.dumps(item))


if __name__ == "__main__":
    main(sys.argv[1])
