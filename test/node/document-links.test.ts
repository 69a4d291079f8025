import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collections } from '../../src/resources/registry.ts';
import { allDocuments, deadLinks, namedFiles } from './markdown.ts';

const documents = allDocuments();

/** Files that a recipe tells its reader to create, and files that only a deployment has. */
const NOT_YET = ['migrations/NNNN_product_barcodes.sql', 'src/collection/count.ts'];

describe('the documents', () => {
  it('are found', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/integrating.md', 'client/README.md']),
    );
  });

  it.each(documents)('%s has no link that leads to nothing', (file) => {
    expect(deadLinks(file)).toEqual([]);
  });

  // The changelog names what there was.
  it.each(documents.filter((file) => file !== 'CHANGELOG.md'))(
    '%s names only files that are there',
    (file) => {
      const missing = namedFiles(file).filter((name) => !existsSync(name));
      expect(missing.filter((name) => !NOT_YET.includes(name))).toEqual([]);
    },
  );
});

describe('the reference', () => {
  /** The names in code of the one line that begins so. */
  const namesIn = (start: string): string[] => {
    const lines = readFileSync('docs/reference.md', 'utf8').split('\n');
    const line = lines.find((text) => text.startsWith(start)) ?? '';
    return [...new Set([...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))].sort();
  };
  const named = (group: 'filters' | 'matches', ...others: readonly string[]): string[] => {
    const names = collections.flatMap((collection) => Object.keys(collection[group]));
    return [...new Set([...names, ...others])].sort();
  };

  it('lists the filters of all collections', () => {
    expect(namesIn('- Filters match exactly')).toEqual(named('filters', 'updatedSince'));
  });

  it('lists the fields by which a push finds resources', () => {
    expect(namesIn('- `match` is one of')).toEqual(named('matches', 'match', 'null'));
  });
});

describe('the README', () => {
  const text = readFileSync('README.md', 'utf8');

  it('has at most 150 lines and 8 KB', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
    expect(statSync('README.md').size).toBeLessThanOrEqual(8000);
  });
});
