import { format } from 'prettier';
import type { Described, DescribedField, DescribedService } from './openapi/described.ts';

const INTRODUCTION = `# Fields

Generated from \`src/resources\` by \`npm run openapi\`. **R** marks a field that POST and PUT require. The defaults apply to
POST and PUT. The [reference](reference.md#values) has the rules for all values, and the page at \`/docs\` of a running service
has examples.
`;

/** All writable fields as tables in Markdown. */
export async function fieldReference(service: DescribedService): Promise<string> {
  const { brand, connection, collections } = service;
  const sections = [
    ...collections.map((described) => section(described.collection.noun, described)),
    section('Brand', brand),
    section('Connection', connection),
  ];
  return format([INTRODUCTION, ...sections].join('\n'), {
    parser: 'markdown',
    printWidth: 100,
  });
}

function section(heading: string, { text, fields }: Described): string {
  return [
    `## ${heading}`,
    '',
    text,
    '',
    '| Field | Meaning | Rule | Default |',
    '| --- | --- | --- | --- |',
    ...fields.map(row),
    '',
  ].join('\n');
}

function row(field: DescribedField): string {
  const { name, text, rule, isNullable } = field;
  const cells = [`\`${name}\``, text, isNullable ? `${rule} Or null.` : rule, defaultOf(field)];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function defaultOf({ isRequired, derivedDefault, constantDefault }: DescribedField): string {
  if (isRequired) return '**R**';
  return derivedDefault ?? code(constantDefault);
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
