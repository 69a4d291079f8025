const SHOWN_MS = 2000;

/** Gives each piece of code a button that copies it. */
export function addCopyButtons(): void {
  // Only pages from a secure origin may write to the clipboard.
  if (!isSecureContext) return;
  for (const code of document.querySelectorAll('.panel pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const name = code.getAttribute('aria-label') ?? '';
    button.setAttribute('aria-label', `Copy ${name}`);
    button.addEventListener('click', () => void copy(code, button));
    code.before(button);
  }
}

async function copy(code: Element, button: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}
