import { element } from './element.ts';

/** How many results are shown. */
const MOST = 20;

/** Something that the search finds: a heading, or what a list defines. */
interface Place {
  readonly id: string;
  readonly title: string;
  /** What it belongs to. */
  readonly within: string;
  readonly text: string;
}

/** Adds the search to the header. It is focused with `/`; Enter opens the first result. */
export function addSearch(): void {
  const input = element('input', {
    type: 'search',
    placeholder: 'Search (press /)',
    'aria-label': 'Search',
    autocomplete: 'off',
  });
  const results = element('ul', { 'aria-label': 'Results' });
  const status = element('p', { role: 'status' });
  document
    .querySelector('header')
    ?.append(element('search', {}, input, element('div', {}, status, results)));

  let places: readonly Place[] | undefined;
  const update = (): void => {
    const words = input.value.toLowerCase().split(/\s/).filter(Boolean);
    const found = words.length === 0 ? [] : ranked((places ??= placesOnPage()), words);
    status.textContent = words.length > 0 && found.length === 0 ? 'Nothing found.' : '';
    results.replaceChildren(...found.slice(0, MOST).map(resultOf));
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

function resultOf({ id, title, within }: Place): HTMLElement {
  return element('li', {}, element('a', { href: `#${id}` }, title, element('span', {}, within)));
}

function placesOnPage(): Place[] {
  return [...document.querySelectorAll('main :is(h2, h3, div)[id]')].map((place) => {
    const isDefined = place.matches('div');
    const title = (isDefined ? place.querySelector('dt a') : place)?.textContent ?? '';
    const heading = place.closest('article, section')?.querySelector('h2, h3')?.textContent ?? '';
    return {
      id: place.id,
      title,
      within: heading === title ? '' : heading,
      text: isDefined ? place.textContent : textBelow(place),
    };
  });
}

/** The text between a heading and the next one, or a list of definitions, which are found by themselves. */
function textBelow(heading: Element): string {
  const texts: string[] = [];
  let next = heading.nextElementSibling;
  for (
    ;
    next !== null && !next.matches('h2, h3, h4, dl, article');
    next = next.nextElementSibling
  ) {
    texts.push(next.textContent);
  }
  return texts.join(' ');
}

/** The places in which each word is found, those first whose titles fit best. */
function ranked(places: readonly Place[], words: readonly string[]): Place[] {
  return places
    .map((place) => ({ place, rank: Math.max(...words.map((word) => rankOf(place, word))) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank)
    .map(({ place }) => place);
}

/** How far a word is from being the title; infinite if it is not there. */
function rankOf({ title, within, text }: Place, word: string): number {
  if (title.toLowerCase() === word) return 0;
  const parts = [title, within, text].map((part) => part.toLowerCase());
  const index = parts.findIndex((part) => part.includes(word));
  return index === -1 ? Infinity : index + 1;
}
