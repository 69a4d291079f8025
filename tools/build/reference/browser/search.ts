/** Something that the search finds: a heading, or what a list defines. */
interface Place {
  readonly id: string;
  readonly title: string;
  /** What a result shows: the title, and of a status what it means. */
  readonly shown: string;
  /** What it belongs to. */
  readonly within: string;
  readonly text: string;
}

/** Adds the search to the header. It is focused with `/`; Enter opens the first result. */
export function addSearch(): void {
  const input = element('input', {
    type: 'search',
    // A phone has no such key.
    placeholder: matchMedia('(hover: hover)').matches ? 'Search (press /)' : 'Search',
    'aria-label': 'Search',
    autocomplete: 'off',
  });
  const results = element('ul', { 'aria-label': 'Results' });
  const status = element('p', { role: 'status' });
  const search = element('search', {}, input, element('div', {}, status, results));
  document.querySelector('header')?.append(search);

  const places = placesOnPage();
  const update = (): void => {
    const words = input.value.toLowerCase().split(/\s/).filter(Boolean);
    const found = words.length === 0 ? [] : placesWith(words, places);
    status.textContent = words.length > 0 && found.length === 0 ? 'Nothing found.' : '';
    results.replaceChildren(
      ...found.slice(0, 20).map(({ id, shown, within }) => {
        const link = element('a', { href: `#${id}` }, shown, element('span', {}, within));
        return element('li', {}, link);
      }),
    );
  };
  input.addEventListener('input', update);
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') results.querySelector('a')?.click();
  });
  results.addEventListener('click', () => {
    input.value = '';
    update();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    input.focus();
  });
}

/** Creates an element. Its content is text, never HTML. */
function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

function placesOnPage(): Place[] {
  return [...document.querySelectorAll('main :is(h2, h3, div)[id]')].map((place) => {
    const isDefined = place.matches('div');
    const title = (isDefined ? place.querySelector('dt a') : place)?.textContent ?? '';
    const heading = place.closest('article, section')?.querySelector('h2, h3')?.textContent ?? '';
    const within = heading === title ? '' : heading;
    const text = `${title} ${within} ${isDefined ? place.textContent : textBelow(place)}`;
    const shown = isStatus(title) ? `${title}: ${firstSentence(place.querySelector('dd'))}` : title;
    return { id: place.id, title, shown, within, text: text.toLowerCase() };
  });
}

/** Whether a title is the status of a response, which alone says nothing. */
function isStatus(title: string): boolean {
  return /^\d{3}$/.test(title);
}

/** The first sentence of an element, without its full stop. */
function firstSentence(element: Element | null): string {
  return (element?.textContent.trim().split(/\.(?:\s|$)/)[0] ?? '').trim();
}

/** The text between a heading and the next one, or a list of definitions, which are found by themselves. */
function textBelow(heading: Element): string {
  const texts: string[] = [];
  let next = heading.nextElementSibling;
  while (next !== null && !next.matches('h2, h3, h4, dl, article')) {
    texts.push(next.textContent);
    next = next.nextElementSibling;
  }
  return texts.join(' ');
}

/** The places with all words, those first whose titles fit best. */
function placesWith(words: readonly string[], places: readonly Place[]): Place[] {
  return places
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((place) => ({ place, fit: fitOf(place.title.toLowerCase(), words) }))
    .sort((one, other) => other.fit - one.fit)
    .map(({ place }) => place);
}

/** How many of the words a title has. The part of the title that they are decides among equals. */
function fitOf(title: string, words: readonly string[]): number {
  const found = words.filter((word) => title.includes(word));
  return found.length + found.join('').length / (title.length + 1);
}
