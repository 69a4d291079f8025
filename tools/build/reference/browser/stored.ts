// Reading and writing throw if the reader does not allow a page to store anything.

/** What the reader chose on an earlier visit; null if there is nothing. */
export function stored(name: 'language' | 'scheme'): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a choice for later visits, or forgets it if it is null. */
export function store(name: 'language' | 'scheme', choice: string | null): void {
  try {
    if (choice === null) localStorage.removeItem(name);
    else localStorage.setItem(name, choice);
  } catch {
    // The choice is good for this visit.
  }
}
