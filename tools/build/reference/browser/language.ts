const KEY = 'language';
const LANGUAGES = ['sh', 'ts', 'python'];

/** Shows all samples in the language that was chosen last, on this visit or an earlier one. */
export function shareLanguage(): void {
  const stored = read();
  if (stored !== null) choose(stored);
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !LANGUAGES.includes(target.value)) return;
    // The samples above may become longer or shorter: the one that was clicked stays where it is.
    const { top } = target.getBoundingClientRect();
    choose(target.value);
    scrollBy({ top: target.getBoundingClientRect().top - top, behavior: 'instant' });
    write(target.value);
  });
}

function choose(language: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('.tabs input')) {
    if (input.value === language) input.checked = true;
  }
}

// Reading and writing throw if the reader does not allow a page to store anything.

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // The choice is good for this visit.
  }
}
