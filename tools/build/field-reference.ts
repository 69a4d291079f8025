import { format } from 'prettier';
import type { Described, DescribedField, DescribedService } from './openapi/described.ts';

const INTRODUCTION = `# Fields

Generated from the comments and rules in \`src/resources\` by \`npm run openapi\`. Do not edit it by hand.

Strings are trimmed and normalized to Unicode NFC before they are validated. **R** marks a field that POST and PUT require.
The defaults apply to POST and PUT; a PATCH changes only the fields that it names. \`id\`, \`createdAt\` and \`updatedAt\` are
assigned by the service and ignored in a body.
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
    '| Field | Meaning | Rule | Default | Example |',
    '| --- | --- | --- | --- | --- |',
    ...fields.map(row),
    '',
  ].join('\n');
}

function row(field: DescribedField): string {
  const { name, text, rule, isNullable, example } = field;
  const cells = [
    `\`${name}\``,
    text,
    isNullable ? `${rule} Or null.` : rule,
    defaultOf(field),
    code(example),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function defaultOf({ isRequired, derivedDefault, constantDefault }: DescribedField): string {
  if (isRequired) return '**R**';
  return derivedDefault ?? code(constantDefault);
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}
