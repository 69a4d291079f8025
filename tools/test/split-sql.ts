import { unstable_splitSqlQuery as splitAsWrangler } from 'wrangler';

// Cloudflare's API splits a text into statements by itself, and refuses what wrangler and SQLite take. Nobody outside has
// seen its code, so this refuses what anybody has reported as refused, in issues of cloudflare/workers-sdk:
//
// - It knows no comment: a quotation mark in one begins a text (4713), and a semicolon ends a statement (3892).
// - Only BEGIN in upper case begins the body of a trigger (10998, 15314).
// - A trigger beside other statements has been refused if it was on several lines (4998, 15690), and so has one with CRLF
//   (14991).
// - The body ends at the first END before a semicolon, also that of a CASE (4326, 4727).

/**
 * Splits a text into statements.
 * @throws Error in D1's words, if a part is not one statement
 */
export function splitAsCloudflare(sql: string): string[] {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (const character of sql) {
    part += character;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (QUOTES.has(character)) {
      quote = character;
    } else if (character === ';' && !isInBody(part)) {
      parts.push(part);
      part = '';
    }
  }
  if (part.trim() !== '') parts.push(part);
  return parts.map(oneStatement);
}

const QUOTES: ReadonlySet<string> = new Set(["'", '"', '`']);

/** Whether a part that ends with a semicolon is in the body of a trigger. */
function isInBody(part: string): boolean {
  const text = part.trimStart();
  const isTrigger = /^create (?:temp(?:orary)? )?trigger /i.test(text);
  return isTrigger && text.includes(' BEGIN ') && !/[\r\n]/.test(text) && !/ END ?;$/i.test(text);
}

function oneStatement(part: string): string {
  const statements = splitAsWrangler(part).filter((statement) => !isComment(statement));
  const [statement] = statements;
  if (statement === undefined) throw new Error('SQL code did not contain a statement.');
  if (statements.length === 1) return statement;
  throw new Error('A prepared SQL statement must contain only one statement.');
}

function isComment(statement: string): boolean {
  return statement.replaceAll(/--.*$|\/\*[^]*?\*\//gm, '').trim() === '';
}
