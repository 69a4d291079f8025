import { element } from './element.ts';
import { tryForm } from './try-form.ts';

/** Lets the reader send requests: the button of an operation opens its form beside the text. */
export function addTry(): void {
  let open: ((id: string, button: HTMLElement) => void) | undefined;
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-try]') : null;
    if (button === null) return;
    open ??= tryPanel();
    open(button.dataset['try'] ?? '', button);
  });
}

/** Makes the panel, and returns what opens it with an operation. */
function tryPanel(): (id: string, button: HTMLElement) => void {
  const title = element('h2', { id: 'try-title' });
  const close = element(
    'button',
    { type: 'button', class: 'action', 'aria-label': 'Close' },
    'Close',
  );
  const key = keyField();
  const place = element('div', { class: 'try-body' });
  const panel = element(
    'dialog',
    { class: 'try', 'aria-labelledby': title.id },
    element('div', { class: 'try-head' }, title, close),
    place,
  );
  document.body.append(panel);

  const forms = new Map<string, HTMLElement>();
  let opener: HTMLElement | undefined;
  close.addEventListener('click', () => {
    panel.close();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') panel.close();
  });
  panel.addEventListener('close', () => opener?.focus());
  return (id, button) => {
    const operation = TRY_OPERATIONS[id];
    if (operation === undefined) return;
    const form = forms.get(id) ?? tryForm(id, operation, key.input);
    forms.set(id, form);
    title.textContent = operation.summary;
    // All forms share the field, so that a key is entered once.
    form.prepend(key.field);
    place.replaceChildren(form);
    opener = button;
    if (panel.open) return;
    // On a wide screen the text beside it can be read meanwhile.
    if (matchMedia('(min-width: 1000px)').matches) panel.show();
    else panel.showModal();
    if (key.input.value === '') key.input.focus();
  };
}

/** The field of the key. It is the only place that has it: nothing stores it, and the browser is not to offer it. */
function keyField(): { readonly field: Element; readonly input: HTMLInputElement } {
  // A field of type password would make browsers offer to keep the key.
  const input = element('input', {
    id: 'try-key',
    type: 'text',
    class: 'secret',
    placeholder: 'bik_…',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    required: '',
    'aria-describedby': 'try-key-hint',
  });
  // The page may be kept for the way back.
  addEventListener('pagehide', () => {
    input.value = '';
  });
  const label = element('label', { for: input.id }, 'API key');
  const hint = element(
    'p',
    { class: 'hint', id: 'try-key-hint' },
    `It is sent to ${location.origin} only, and forgotten when you leave or reload the page.`,
  );
  return { field: element('div', { class: 'field' }, label, input, hint), input };
}
