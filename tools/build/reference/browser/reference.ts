import { addSearch } from './search.ts';

// The page is complete without this script. It adds what only a script can know or do.

for (const element of document.querySelectorAll('[data-origin]')) {
  element.textContent = location.origin;
}

document.getElementById('contents')?.addEventListener('click', ({ target, currentTarget }) => {
  if (!(target instanceof HTMLAnchorElement) || !(currentTarget instanceof HTMLElement)) return;
  if (currentTarget.matches(':popover-open')) currentTarget.hidePopover();
});

// Whoever opens a sample in a language gets all samples in it.
document.addEventListener('click', ({ target }) => {
  const chosen = target instanceof Element ? target.closest('summary')?.parentElement : undefined;
  const language = chosen?.dataset['language'];
  if (language === undefined || language === 'json') return;
  for (const other of document.querySelectorAll(`details[data-language=${language}]`)) {
    if (other !== chosen && other instanceof HTMLDetailsElement) other.open = true;
  }
});

// Only pages from a secure origin may write to the clipboard.
for (const code of isSecureContext ? document.querySelectorAll('pre') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent).then(
      () => (button.textContent = 'Copied'),
      () => (button.textContent = 'Not copied'),
    );
  });
  code.before(button);
}

addSearch();
