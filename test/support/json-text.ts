/** A value by its JSON text, for what `JSON.stringify` cannot write. */
export class Json {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function jsonObject(members: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(members).map(([name, value]) => `"${name}":${jsonText(value)}`);
  return `{${texts.join()}}`;
}

export function jsonText(value: unknown): string {
  return value instanceof Json ? value.text : JSON.stringify(value);
}
