"""Makes items of a CSV file of another platform, for the nightly sync.

    python3 another_platform.py magento2 export.csv | brand-integration sync - --match sku

It prints one JSON document, so a sync notices if it breaks off. A row that it cannot convert is an item with its key
alone: its product stays as it is.
"""

import csv
import io
import json
import sys
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal, InvalidOperation

# SETTINGS: what the prices are, and what the products have as `source`. The decimals of each currency are in the reference of
# the API, under "Currencies": JPY has 0, KWD 3.
CURRENCY = "USD"
DECIMALS = 2
DECIMAL_COMMA = False
SOURCE = "STORE"


class Unreadable(Exception):
    """Why a row cannot be converted."""


def text(value):
    return value.strip()


def number(value):
    written = value.strip()
    if DECIMAL_COMMA:
        written = written.replace(".", "").replace(",", ".")
    try:
        result = Decimal(written)
    except InvalidOperation:
        raise Unreadable(f'"{value}" is not a number') from None
    if not result.is_finite() or abs(result) >= 10**10:
        raise Unreadable(f'"{value}" is not a number that fits')
    return result


def cents(value):
    """Converts a price without floating point: "34.005" is 3401."""
    price = number(value)
    if price < 0:
        raise Unreadable(f'"{value}" is not a price')
    return int(price.scaleb(DECIMALS).quantize(Decimal(1), ROUND_HALF_UP))


def quantity(value):
    """Converts a stock: a part of one is rounded down, and what is not counted has no number."""
    if value.strip() == "InStock":
        return None
    if value.strip() == "OutOfStock":
        return 0
    return int(number(value).to_integral_value(ROUND_FLOOR))


def one_of(words):
    def convert(value):
        if value.strip() not in words:
            raise Unreadable(f'"{value}" is none of {", ".join(words)}')
        return words[value.strip()]

    return convert


# TABLES: for each field of the service, the column of the file and what converts its cells. `counts` says which rows are
# products, and `converts` which of them the table can convert. Change one of them, or add your own.
TABLES = {
    "magento2": {
        "fields": {
            "sku": ("sku", text),
            "title": ("name", text),
            "description": ("description", text),
            "priceCents": ("price", cents),
            "storeInventoryQuantity": ("qty", quantity),
            "storeStatus": ("product_online", one_of({"1": "ACTIVE", "2": "DRAFT"})),
        },
        # The other rows are what a store view shows of a product.
        "counts": lambda row: row["store_view_code"] == "",
        "converts": lambda row: row["product_type"] == "simple",
    },
    "wix": {
        "fields": {
            "sku": ("sku", text),
            "title": ("name", text),
            "description": ("description", text),
            "priceCents": ("price", cents),
            "storeInventoryQuantity": ("inventory", quantity),
            "storeStatus": ("visible", one_of({"true": "ACTIVE", "false": "DRAFT"})),
        },
        "counts": lambda row: True,
        # A product with options has its prices and stocks in rows of their own.
        "converts": lambda row: row["fieldType"] == "Product" and row["productOptionName1"] == "",
    },
}

KEY = "sku"


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        content = file.read()
    if not content.endswith(("\n", "\r")):
        sys.exit(f"{path}: its last row has no line end, so it may have been cut off.")
    rows = csv.DictReader(io.StringIO(content, newline=""), restval="", strict=True)
    return list(rows), rows.fieldnames or []


def item_of(row, table):
    """Converts a row. If that is not possible, its key alone is left, or nothing if it has none."""
    column, convert = table["fields"][KEY]
    key = convert(row[column])
    try:
        if not key:
            raise Unreadable(f"it has no {KEY}")
        if None in row:
            raise Unreadable("it has more values than the header has columns")
        if not table["converts"](row):
            raise Unreadable("the table is not for rows like this one")
        item = {field: convert(row[name]) for field, (name, convert) in table["fields"].items()}
        item = {field: value for field, value in item.items() if value is not None}
        return {**item, "currencyCode": CURRENCY, "source": SOURCE}
    except Unreadable as reason:
        print(f"kept as it is: {key or 'a row without a key'}: {reason}", file=sys.stderr)
        return {KEY: key} if key else {}


def main(name, path):
    table = TABLES[name]
    try:
        rows, header = rows_of(path)
    except (UnicodeDecodeError, csv.Error) as error:
        sys.exit(f"{path} cannot be read: {error}")
    for column, _ in table["fields"].values():
        if column not in header:
            sys.exit(f"{path} has no column {column}.")
    items = [item_of(row, table) for row in rows if table["counts"](row)]
    # Everything is converted before anything is printed.
    print(json.dumps({"products": items}))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in TABLES:
        sys.exit(f"usage: another_platform.py {'|'.join(TABLES)} FILE")
    main(*sys.argv[1:])
