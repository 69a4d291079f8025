import type { TryOperation, TryParameter } from './data.ts';
import { element } from './element.ts';
import { shownAnswer, shownOutcome } from './try-answer.ts';
import { send } from './try-request.ts';

/** A longer body scrolls. */
const MOST_ROWS = 16;

const NO_RESPONSE =
  'No response came. The network may be down, or a value has characters that a header cannot have.';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * The form of an operation, with its last response below.
 * @param id of the operation
 * @param key the field with the key, which all forms share
 */
export function tryForm(id: string, operation: TryOperation, key: HTMLInputElement): HTMLElement {
  const { method, path, parameters, bodies } = operation;
  const controls = new Map(parameters.map((parameter) => [parameter, controlOf(parameter)]));
  const fieldsOf = (all: readonly TryParameter[]): Element[] =>
    all.flatMap((parameter) => {
      const control = controls.get(parameter);
      return control === undefined
        ? []
        : [field(`try-${id}-${parameter.name}`, parameter, control)];
    });
  const required = parameters.filter(({ isRequired }) => isRequired);
  const optional = parameters.filter(({ isRequired }) => !isRequired);
  const body = bodies.length > 0 ? bodyEditor(id, bodies) : undefined;
  const button = element('button', { class: 'send', type: 'submit' }, sendLabel(method));
  const outcome = element('p', { class: 'outcome', role: 'status' });
  const answer = element('div');
  const received = element('div', {}, outcome, answer);
  const unfolding = element(
    'details',
    { class: 'unfold' },
    element('summary', {}, 'Optional parameters and headers'),
    ...fieldsOf(optional),
  );
  unfolding.open = required.length === 0 && body === undefined;
  const form = element(
    'form',
    { autocomplete: 'off', 'data-method': method.toLowerCase() },
    element(
      'p',
      { class: 'address' },
      element('span', { class: `method ${method.toLowerCase()}` }, method),
      element('code', {}, path),
    ),
    ...warning(method),
    ...fieldsOf(required),
    ...(body?.parts ?? []),
    unfolding,
    button,
    received,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = [...controls].map(([{ name }, { value }]) => [name, value.trim()] as const);
    const entered = { key: key.value.trim(), parameters: new Map(values), body: body?.text() };
    button.disabled = true;
    outcome.replaceChildren('Waiting for the response …');
    answer.replaceChildren();
    void send(operation, entered)
      .then(
        (received) => {
          outcome.replaceChildren(...shownOutcome(received));
          answer.replaceChildren(...shownAnswer(received));
        },
        () => {
          // The browser's own words may hold a header, and so the key.
          outcome.textContent = NO_RESPONSE;
        },
      )
      .finally(() => {
        button.disabled = false;
        received.scrollIntoView({ block: 'nearest' });
      });
  });
  return form;
}

function warning(method: string): Element[] {
  if (method === 'GET') return [];
  const final = method === 'DELETE' ? ' A deletion is final.' : '';
  return [
    element(
      'p',
      { class: 'warning' },
      element('strong', {}, 'This changes real data.'),
      ` The request goes to ${location.host}, and changes what the brand of your key has there.${final}`,
    ),
  ];
}

function sendLabel(method: string): string {
  if (method === 'GET') return 'Send';
  return method === 'DELETE' ? 'Send, and delete' : 'Send, and change data';
}

function controlOf({ name, values, isRequired, example }: TryParameter): Control {
  if (values.length > 0) {
    const options = ['', ...values].map((value) => element('option', { value }, value || '–'));
    return element('select', {}, ...options);
  }
  const input = element('input', {
    type: 'text',
    placeholder: example,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  input.required = isRequired;
  // A complete list may be more than a reader wants to see.
  if (name === 'limit') input.value = '10';
  return input;
}

function field(id: string, { name, type, isRequired }: TryParameter, control: Control): Element {
  control.id = id;
  return element(
    'div',
    { class: 'field' },
    element(
      'label',
      { for: id },
      element('code', {}, name),
      ' ',
      element('span', { class: 'type' }, isRequired ? `${type}, required` : type),
    ),
    control,
  );
}

/** The field of a body, and a choice of examples to begin with if there are several. */
function bodyEditor(
  id: string,
  bodies: TryOperation['bodies'],
): { readonly parts: readonly Element[]; readonly text: () => string } {
  const [first] = bodies;
  const editor = element('textarea', {
    id: `try-${id}-body`,
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  const fill = (index: number): void => {
    editor.value = JSON.stringify((bodies[index] ?? first)?.value, null, 2);
    editor.rows = Math.min(editor.value.split('\n').length + 1, MOST_ROWS);
  };
  fill(0);
  const parts: Element[] = [];
  if (bodies.length > 1) {
    const options = bodies.map(({ title }, index) =>
      element('option', { value: String(index) }, title),
    );
    const choice = element('select', { id: `try-${id}-example` }, ...options);
    choice.addEventListener('change', () => {
      fill(Number(choice.value));
    });
    parts.push(
      element('div', { class: 'field' }, element('label', { for: choice.id }, 'Example'), choice),
    );
  }
  const label = element(
    'label',
    { for: editor.id },
    'Body ',
    element('span', { class: 'type' }, 'JSON'),
  );
  parts.push(element('div', { class: 'field' }, label, editor));
  return { parts, text: () => editor.value };
}
