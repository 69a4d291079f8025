#!/bin/sh
# Sends the store's products to the service, once a night: 0 2 * * * . "$HOME/brand-api.env" && sh store_to_service.sh store.db
#
# --keep: people edit these fields in the service. --only: what others have in the service is not deleted.
# --read-at: what changes in the service while the store is being read is kept.
set -eu
here=$(dirname "$0")
items=$(mktemp)
trap 'rm -f "$items"' EXIT

read_at=$(date -u +%Y-%m-%dT%H:%M:%SZ)
# A store that cannot be read to its end changes nothing: the script ends here.
python3 "$here/store_items.py" "$1" > "$items"
brand-integration sync "$items" --match sku --keep title,description \
  --only source=STORE --delete --read-at "$read_at"
