/** A JSON value in the colours of the samples, objects and lists on lines of their own. */
export function colouredJson(value: unknown): DocumentFragment {
  const made = document.createDocumentFragment();
  write(value, '', made);
  return made;
}

function write(value: unknown, indent: string, to: DocumentFragment): void {
  if (typeof value !== 'object' || value === null) {
    const kind =
      typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'literal';
    to.append(coloured(JSON.stringify(value), kind));
    return;
  }
  const isList = Array.isArray(value);
  const items = Object.entries(value);
  const [open = '', close = ''] = isList ? '[]' : '{}';
  if (items.length === 0) {
    to.append(open + close);
    return;
  }
  const inner = `${indent}  `;
  to.append(open);
  for (const [index, [key, item]] of items.entries()) {
    to.append(`${index === 0 ? '' : ','}\n${inner}`);
    if (!isList) to.append(coloured(JSON.stringify(key), 'attr'), ': ');
    write(item, inner, to);
  }
  to.append(`\n${indent}${close}`);
}

function coloured(text: string, kind: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `hljs-${kind}`;
  span.textContent = text;
  return span;
}
