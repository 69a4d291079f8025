/** What ends a part of SQL in which a semicolon does not count, by what begins it. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['[', ']'],
  ['--', '\n'],
  ['/*', '*/'],
]);

const BEGIN_OR_SEMICOLON = /['"`[;]|--|\/\*/g;
const TRIGGER = /^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;
const END_OF_TRIGGER = /;\s*end\s*;$/i;

/**
 * Splits SQL into its statements. It comes in pieces, because the SQL of a large database does not fit into one string.
 * @throws Error if it ends in the middle of a statement
 */
export async function* statementsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    let start = 0;
    for (let end = endOf(rest, start); end !== undefined; end = endOf(rest, start)) {
      yield rest.slice(start, end);
      start = end;
    }
    rest = rest.slice(start);
  }
  if (rest.trim() !== '') throw new Error('it ends in the middle of a statement');
}

/** Where the statement at a place ends; undefined if it is not complete. */
function endOf(sql: string, start: number): number | undefined {
  BEGIN_OR_SEMICOLON.lastIndex = start;
  for (
    let found = BEGIN_OR_SEMICOLON.exec(sql);
    found !== null;
    found = BEGIN_OR_SEMICOLON.exec(sql)
  ) {
    const end = ENDS.get(found[0]);
    if (end === undefined) {
      const statement = sql.slice(start, found.index + 1);
      if (!TRIGGER.test(statement) || END_OF_TRIGGER.test(statement)) return found.index + 1;
    } else {
      const closing = sql.indexOf(end, found.index + found[0].length);
      if (closing < 0) return undefined;
      BEGIN_OR_SEMICOLON.lastIndex = closing + end.length;
    }
  }
  return undefined;
}
