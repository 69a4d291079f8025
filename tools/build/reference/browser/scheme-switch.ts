import { store } from './stored.ts';

const system = matchMedia('(prefers-color-scheme: dark)');

/** Lets the reader switch between light and dark colours. What the system asks for is not stored: it may change. */
export function addSchemeSwitch(): void {
  const button = document.querySelector('.scheme');
  const { dataset } = document.documentElement;
  const ofSystem = (): string => (system.matches ? 'dark' : 'light');
  const other = (): string => ((dataset['scheme'] ?? ofSystem()) === 'dark' ? 'light' : 'dark');
  const name = (): void => button?.setAttribute('aria-label', `Switch to ${other()} colours`);
  button?.addEventListener('click', () => {
    const chosen = other();
    if (chosen === ofSystem()) delete dataset['scheme'];
    else dataset['scheme'] = chosen;
    store('scheme', dataset['scheme'] ?? null);
    name();
  });
  system.addEventListener('change', name);
  name();
}
