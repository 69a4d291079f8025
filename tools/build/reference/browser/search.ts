import type { SearchEntry } from './data.ts';
import { element } from './element.ts';
import { searchResults } from './search-ranking.ts';

/** Opens the search with its button, Ctrl-K or `/`. */
export function addSearch(): void {
  let open: (() => void) | undefined;
  const show = (): void => {
    open ??= searchDialog();
    open();
  };
  document.querySelector('.search')?.addEventListener('click', show);
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isShortcut =
      key.toLowerCase() === 'k'
        ? (ctrlKey || metaKey) && !altKey
        : key === '/' && !ctrlKey && !metaKey && !isTyping(event.target);
    if (!isShortcut) return;
    event.preventDefault();
    show();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=radio]), textarea, select');
}

/** Makes the dialog, and returns what opens it. */
function searchDialog(): () => void {
  const input = element('input', {
    type: 'search',
    placeholder: 'Operations, fields, errors …',
    'aria-label': 'Search',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const list = element('ul', { id: 'search-results', role: 'listbox', 'aria-label': 'Results' });
  const count = element('p', { role: 'status', class: 'hint' });
  const dialog = element(
    'dialog',
    { class: 'search-dialog', 'aria-label': 'Search' },
    input,
    list,
    count,
  );
  document.body.append(dialog);

  let results: readonly SearchEntry[] = [];
  let current = 0;

  const mark = (index: number): void => {
    current = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index));
    }
    const option = list.children[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', option.id);
  };
  const update = (): void => {
    results = searchResults(SEARCH_ENTRIES, input.value, textOf);
    list.replaceChildren(...results.map(option));
    list.hidden = results.length === 0;
    count.textContent = results.length === 0 ? 'Nothing found.' : '↑ ↓ to choose, Enter to open';
    mark(0);
  };
  const choose = (index: number): void => {
    const entry = results[index];
    if (entry === undefined) return;
    dialog.close();
    // To set the address that is there already would scroll to nothing.
    if (location.hash === `#${entry.id}`) document.getElementById(entry.id)?.scrollIntoView();
    else location.hash = entry.id;
  };

  input.addEventListener('input', update);
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      mark((current + step + results.length) % results.length);
    } else if (event.key === 'Enter') choose(current);
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest('li') : null;
    if (option !== null) choose([...list.children].indexOf(option));
  });
  // A click beside the dialog is one on its backdrop, which belongs to it.
  dialog.addEventListener('click', ({ target }) => {
    if (target === dialog) dialog.close();
  });
  return () => {
    if (dialog.open) return;
    update();
    dialog.showModal();
    input.select();
  };
}

function option({ kind, title, where }: SearchEntry, index: number): HTMLElement {
  return element(
    'li',
    { id: `search-result-${index}`, role: 'option' },
    element('span', { class: 'kind' }, kind),
    element('span', { class: 'title' }, title),
    element('span', { class: 'where' }, where),
  );
}

const texts = new Map<string, string>();

/** What the page says of an entry: nothing is indexed twice. A heading belongs to all of its part of the page. */
function textOf({ id }: SearchEntry): string {
  let text = texts.get(id);
  if (text === undefined) {
    const place = document.getElementById(id);
    text = (place?.matches('h2, h3, h4') ? place.parentElement : place)?.textContent ?? '';
    texts.set(id, text);
  }
  return text;
}
