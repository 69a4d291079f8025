import { element } from './element.ts';

const SHOWN_MS = 2000;

/** Gives each piece of code a button that copies it. */
export function addCopyButtons(): void {
  for (const code of document.querySelectorAll('.panel pre')) addCopyButton(code);
}

/** Gives a piece of code a button that copies it. */
export function addCopyButton(code: Element): void {
  const name = `Copy ${code.getAttribute('aria-label') ?? ''}`;
  const button = copyButton('Copy', name, () => Promise.resolve(code.textContent));
  if (button === undefined) return;
  button.className = 'copy';
  code.before(button);
}

/**
 * A button that copies a text; undefined if the page may not copy.
 * @param label what it shows
 * @param name what it is called
 */
export function copyButton(
  label: string,
  name: string,
  text: () => Promise<string>,
): HTMLButtonElement | undefined {
  // Only pages from a secure origin may write to the clipboard.
  if (!isSecureContext) return undefined;
  const button = element('button', { type: 'button', 'aria-label': name }, label);
  button.addEventListener('click', () => {
    void copy(text()).then((outcome) => {
      button.textContent = outcome;
      setTimeout(() => {
        button.textContent = label;
      }, SHOWN_MS);
    });
  });
  return button;
}

async function copy(text: Promise<string>): Promise<string> {
  try {
    // The item takes a promise: some browsers allow no copying once the click is over.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    return 'Copied';
  } catch {
    return 'Not copied';
  }
}
