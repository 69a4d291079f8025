import { element } from './element.ts';

/** Gives each piece of code a button that copies it. */
export function addCopyButtons(): void {
  // Only pages from a secure origin may write to the clipboard.
  if (!isSecureContext) return;
  for (const code of document.querySelectorAll('pre')) {
    const button = element('button', { type: 'button' }, 'Copy');
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.textContent).then(
        () => (button.textContent = 'Copied'),
        () => (button.textContent = 'Not copied'),
      );
    });
    code.before(button);
  }
}
