import type { Member } from './bodies.ts';
import { formsOf, formText, membersOf } from './bodies.ts';
import type { Section } from './contents.ts';
import type { Document, Schema } from './document.ts';
import { ORIGIN } from './highlight.ts';
import type { Answer, Operation } from './operations.ts';
import { errorTextsOf, examplesOf } from './operations.ts';
import type { Field } from './resources.ts';
import { typeLabel } from './resources.ts';
import type { Sample } from './samples/samples.ts';
import { valuesOf, withoutValues } from './values.ts';

/** Where the operations are served as Markdown. */
export const MARKDOWN_FOLDER = '/docs/operations';

/** An operation as Markdown: what the page says of it, for a chat, an issue or a program that reads texts. */
export function operationMarkdown(
  document: Document,
  { resources }: Section,
  operation: Operation,
  samples: readonly Sample[],
): string {
  const { method, path, summary, description, parameters, body, successes, errors } = operation;
  const names = resources.map(({ name }) => name);
  // Some forms of a body change what exists, and need less.
  const required =
    body && formsOf(document, body.schema).length > 1 ? 'required to create' : 'required';
  const blocks = [
    `# ${summary}`,
    `\`${method.toUpperCase()} ${ORIGIN}${path}\``,
    description,
    '## Parameters',
    parameters
      .map(({ name, in: place, required = false, schema, description: text }) =>
        item(
          name,
          [place, typeLabel(document, schema), ...(required ? ['required'] : [])],
          [text, withoutValues(schema.description ?? '')].join(' '),
          valuesOf(schema),
        ),
      )
      .join('\n'),
    ...(body === undefined
      ? []
      : [
          '## Body',
          ...bodyForms(document, body.schema),
          ...resources.flatMap(({ name, fields }) => [
            `Fields of the ${name}:`,
            fields
              .filter(({ presence }) => presence !== 'read-only')
              .map((field) => fieldItem(field, method, required))
              .join('\n'),
          ]),
          ...examplesOf(body).flatMap(({ summary: title = 'Example', value }) => [
            `${title}:`,
            fence('json', JSON.stringify(value, null, 2)),
          ]),
        ]),
    '## Returns',
    ...successes.flatMap((answer) => answerBlocks(document, answer, names)),
    '## Errors',
    errors
      .map((error) =>
        [
          `- **${error.status}**: ${error.description}`,
          ...errorTextsOf(error).map((text) => `  - \`${text}\``),
        ].join('\n'),
      )
      .join('\n'),
    '## Samples',
    ...samples.flatMap(({ title, codes }) => [
      `### ${title}`,
      ...codes.map(({ language, text }) => fence(language, text)),
    ]),
  ];
  const text = blocks.filter((block) => block.trim() !== '').join('\n\n');
  return `${text.replaceAll('](#', `](${ORIGIN}/docs#`)}\n`;
}

/** The forms that a body may have: a list, if there are several. */
function bodyForms(document: Document, schema: Schema): string[] {
  const forms = formsOf(document, schema);
  const texts = forms.map((form) => formText(document, form, forms));
  return forms.length > 1 ? ['One of:', texts.map((text) => `- ${text}`).join('\n')] : texts;
}

function answerBlocks(
  document: Document,
  { status, description, content }: Answer,
  resources: readonly string[],
): string[] {
  if (content === undefined) return [`**${status}**: ${description}`];
  const { schema } = content['application/json'];
  const members = formsOf(document, schema).flatMap((form) =>
    memberItems(membersOf(document, [form], resources)),
  );
  return [
    `**${status}**: ${description}`,
    [...new Set(members)].join('\n'),
    ...examplesOf(content['application/json']).flatMap(({ summary = 'Example', value }) => [
      `${summary}:`,
      fence('json', JSON.stringify(value, null, 2)),
    ]),
  ];
}

function memberItems(members: readonly Member[], indent = ''): string[] {
  return members.flatMap(({ name, type, description, values, members: below }) => [
    indent + item(name, [type], description, values),
    ...memberItems(below, `${indent}  `),
  ]);
}

/**
 * A field of a body. A PATCH needs none, and gives none a default.
 * @param required what is said of a field that a creation needs
 */
function fieldItem(field: Field, method: Operation['method'], required: string): string {
  const { name, type, presence, description, values } = field;
  if (method !== 'patch') {
    const note = presence === 'required' ? required : presence;
    return item(name, [type, note], description, values);
  }
  const [text = ''] = description.split(' Default: ');
  return item(name, [type], text, values);
}

function item(
  name: string,
  notes: readonly string[],
  description: string,
  values: readonly string[],
): string {
  const choice =
    values.length > 0 ? ` One of ${values.map((one) => `\`${one}\``).join(', ')}.` : '';
  return `- \`${name}\` (${notes.join(', ')}): ${description.trim()}${choice}`.replace(/: *$/, '');
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
