import { copyButton } from './copy.ts';

/** Puts a button that copies an operation as Markdown in place of each link to it. */
export function addMarkdownButtons(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.markdown')) {
    const name = `Copy as Markdown: ${link.dataset['operation'] ?? ''}`;
    const button = copyButton('Copy as Markdown', name, () => read(link.href));
    if (button === undefined) continue;
    button.className = 'action';
    link.replaceWith(button);
  }
}

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.text()).replaceAll(SAMPLE_ORIGIN, location.origin);
}
