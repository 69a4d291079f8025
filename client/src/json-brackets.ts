/** Follows the brackets of a JSON text, character by character. */
export class JsonBrackets {
  depth = 0;
  #isQuoted = false;
  #isEscaped = false;

  /** Takes the next character. Returns whether it is in no string. */
  take(char: string): boolean {
    if (this.#isQuoted) {
      // What follows a backslash ends no string.
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '\\') this.#isEscaped = true;
      else if (char === '"') this.#isQuoted = false;
      return false;
    }
    if (char === '"') this.#isQuoted = true;
    else if (char === '[' || char === '{') this.depth++;
    else if (char === ']' || char === '}') this.depth--;
    return true;
  }
}
