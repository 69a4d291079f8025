import { addCopyButton } from './copy.ts';
import { element } from './element.ts';
import { colouredJson } from './json.ts';
import type { Answer } from './try-request.ts';

/** More characters than these are not shown: they would take the browser seconds. */
const MOST_SHOWN = 200_000;

/** The status of a response, how long it took, and its size. */
export function shownOutcome({ status, milliseconds, text }: Answer): readonly (Node | string)[] {
  const kind = status < 400 ? 'ok' : 'failed';
  const size = new Blob([text]).size.toLocaleString('en');
  return [
    element('strong', { class: `status ${kind}` }, String(status)),
    ` in ${milliseconds} ms, ${size} bytes`,
  ];
}

/** The headers of a response, to unfold, and its body. */
export function shownAnswer({ headers, text }: Answer): readonly Element[] {
  return [
    element(
      'details',
      { class: 'unfold' },
      element('summary', {}, `${headers.length} headers`),
      element(
        'dl',
        { class: 'received' },
        ...headers.map(([name, value]) =>
          element('div', {}, element('dt', {}, name), element('dd', {}, value)),
        ),
      ),
    ),
    ...(text === '' ? [] : [shownBody(text)]),
  ];
}

function shownBody(text: string): Element {
  const code = element('code');
  const value = text.length > MOST_SHOWN ? undefined : parsed(text);
  if (value === undefined) code.append(text.slice(0, MOST_SHOWN));
  else code.append(colouredJson(value));
  const pre = element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Response' }, code);
  const isCut = text.length > MOST_SHOWN;
  const caption = isCut ? `The first ${MOST_SHOWN.toLocaleString('en')} characters` : 'Response';
  const figure = element(
    'figure',
    { class: 'tabs' },
    element('figcaption', {}, caption),
    element('div', { class: 'panel' }, pre),
  );
  addCopyButton(pre);
  return figure;
}

/** A text as a JSON value; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
