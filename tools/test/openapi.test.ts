import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { generate } from '../build/openapi.ts';

const FILE = 'public/api/brand/v1/openapi.json';

test('The document and the client types in the repository are those that the code generates', async () => {
  for (const [file, text] of Object.entries(await generate())) {
    expect(
      await readFile(file, 'utf8'),
      'run "npm run openapi", or "npm run format" if only spaces differ, and commit what it writes',
    ).toBe(text);
  }
});

test('The document passes all rules that Redocly recommends, including strict ones', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'operation-description': 'error',
      'operation-singular-tag': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
    },
  });
  const source = await readFile(FILE, 'utf8');
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).join('\n')).toBe('');
});
