/** A value by its JSON text, for what `JSON.stringify` cannot write. */
export class Json {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The JSON text of an object. */
export function jsonObject(members: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(members).map(([name, value]) => `"${name}":${jsonText(value)}`);
  return `{${texts.join()}}`;
}

/** The JSON text of a value. */
export function jsonText(value: unknown): string {
  return value instanceof Json ? value.text : JSON.stringify(value);
}
