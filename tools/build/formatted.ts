import { format, resolveConfig } from 'prettier';

/** Returns the text of a file as the project formats it. */
export async function formatted(file: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
