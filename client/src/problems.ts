/**
 * One way in which a request breaks a rule: where (a dotted path, or a parameter's or header's name; the name of an unknown
 * field in quotes if it is more than a word), and what is expected.
 */
export interface Problem {
  /** Empty if the service names no field. */
  readonly path: string;
  readonly message: string;
}

/** What the service writes before the problems of a request. */
export const INVALID = 'Invalid request: ';

/** What the service writes between two problems. What is quoted is a value, in which it may stand too. */
const SEPARATOR = '; ';

const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"?/gs;

/** The beginning of a listed problem. */
const PATH = /^([\w.-]+): /;

/** The number of the problems that the service does not list. */
const MORE = /^and \d+ more$/;

/**
 * Returns the problems that the service lists in an error or in the result of an item, such as
 * `priceCents: expected an integer; title: required`. Its API has them only in this form, which is read nowhere else.
 */
export function problemsIn(text: string): Problem[] {
  const masked = text.replace(QUOTED, ({ length }) => '_'.repeat(length));
  // The service says in a sentence of its own that a value is taken, with the value as it was sent.
  if (!PATH.test(masked)) return [{ path: '', message: text }];
  let end = 0;
  return masked.split(SEPARATOR).flatMap((part) => {
    const listed = text.slice(end, end + part.length);
    end += part.length + SEPARATOR.length;
    const [prefix = '', path = ''] = PATH.exec(part) ?? [];
    return MORE.test(part)
      ? []
      : { path: listed.slice(0, path.length), message: listed.slice(prefix.length) };
  });
}

/** Returns problems as the service writes them. */
export function problemsText(problems: readonly Problem[]): string {
  return problems
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join(SEPARATOR);
}
