/** Code as HTML whose classes name the colours. It throws for a language that it does not know. */
export function highlightedHtml(code: string, language: string): string;
