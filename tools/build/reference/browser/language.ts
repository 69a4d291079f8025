import { store, stored } from './stored.ts';

const LANGUAGES = ['sh', 'ts', 'python'];

/** Shows all samples in the language that was chosen last, on this visit or an earlier one. */
export function shareLanguage(): void {
  const last = stored('language');
  if (last !== null) choose(last);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    if (!LANGUAGES.includes(target.value)) return;
    // The samples above may become longer or shorter: the one that was clicked stays where it is.
    const { top } = target.getBoundingClientRect();
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
    store('language', target.value);
  });
}

function choose(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input')) {
    if (input.value === language) input.checked = true;
  }
}
