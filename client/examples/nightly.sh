#!/bin/sh
# Every night: makes the service equal to your store, and prints what somebody must look at.
#
# Cron mails what a command prints, so a good night sends no mail. Copy this file, change the lines under SETTINGS and
# SOURCES, and add a line to your crontab (crontab -e):
#
#   0 2 * * * "$HOME/nightly.sh"
#
# It needs brand-integration and jq.

# SETTINGS
# The file has lines such as "export BRAND_API_KEY=bik_..." for BRAND_API_URL, BRAND_API_KEY and what --from needs. Let only
# yourself read it: chmod 600 ~/brand-api.env. Add PATH too, because the one of cron is short.
settings=$HOME/brand-api.env
reports=$HOME/brand-reports # Where the reports of the last night are.
alert() { cat; } # How you are told, from standard input. Without a change, cron mails it.

if ! [ -r "$settings" ]; then
  echo "The nightly sync did not run: it cannot read $settings." | alert
  exit 1
fi
. "$settings"
umask 077
mkdir -p "$reports" || exit 1
failed=0

# nightly COLLECTION OPTIONS...: syncs it, records it in the brand's connection, and checks the report.
nightly() {
  report=$reports/$1.json
  errors=$reports/$1.errors
  text=$reports/$1.alert
  brand-integration sync --collection "$@" --record --json > "$report" 2> "$errors"
  code=$?
  # There is always one document. No document, or half of one, is a failure too: jq alone would accept an empty file.
  if [ $code -eq 0 ] && jq -es 'length == 1 and (.[0] | (has("error") | not) and .withheld == 0 and .refused == []
    and all(.skipped[]; .kind == "unsupported"))' "$report" > /dev/null; then
    return
  fi
  failed=1
  {
    echo "The sync of $1 needs somebody (exit code $code):"
    cat "$errors"
    jq -r 'def named: if .key then .key + ": " else "" end;
      def twenty(all): [all] | .[:20][], (length - 20 | select(. > 0) | "... and \(.) more");
      twenty(.refused[] | "refused: \(named)\(.error)"),
      twenty(.skipped[] | select(.kind == "problem") | "skipped: \(named)\(.reason)")' "$report"
    echo "The whole report is $report."
  } > "$text" 2>&1
  # What a chat does not take, cron mails.
  alert < "$text" || cat "$text"
}

# SOURCES
# A collection of which the store has nothing needs somebody every night: leave out its line until there is something.
# The store itself. Or a file that your store writes every night: nightly products /path/products.csv --max-age 26h --delete
nightly products --from woocommerce --delete
nightly coupon-codes --from woocommerce --delete

exit $failed
