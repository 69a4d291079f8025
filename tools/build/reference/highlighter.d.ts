/**
 * Code as HTML whose classes name the colours.
 * @param language sh, ts, python or json
 * @throws Error for another language
 */
export function highlightedHtml(code: string, language: string): string;
