import type { JsonObject } from '../../stores/json-values.ts';
import { printableJson } from '../../../../common/terminal/printable.ts';
import { storedKey } from '../../stored-text.ts';
import { sourceOf } from '../sources/choose-source.ts';
import type { SourceFlags } from '../sources/source-flags.ts';
import { checkContent, checkSource } from '../sources/source-flags.ts';
import { say, sayError } from '../messages.ts';
import type { CommandContext } from '../context.ts';
import { EXIT } from '../../../../common/failure.ts';
import { writeAll } from '../terminal/output.ts';
import { COLLECTIONS } from '../../fields.ts';
import { reportedLine } from '../../stores/findings.ts';
import type { Content } from '../../stores/source.ts';

/**
 * Prints the items that `sync` would take of a file or a store, and on standard error what it would skip. Of a source that
 * may have been cut off, it prints no item.
 */
export async function read(
  context: CommandContext,
  path: string | undefined,
  options: SourceFlags,
): Promise<number> {
  checkSource(path, options, context.stores);
  const content = await sourceOf(path, options, context).read();
  checkContent(content, options);
  const { skipped, notes, doubts } = content;
  if (!mayBeCut(content)) await writeAll(context.stdout, textsOf(content));
  const said = [
    ...skipped.map(
      (one) => `${one.kind === 'problem' ? 'skipped' : one.kind}: ${reportedLine(one)}`,
    ),
    ...notes,
    ...doubts.map(({ sentence }) => sentence),
  ];
  for (const sentence of said) say(context, sentence);
  const failure = failureOf(content, options);
  if (failure !== undefined) sayError(context, failure);
  const isDone =
    failure === undefined &&
    doubts.length === 0 &&
    skipped.every(({ kind }) => kind === 'unsupported');
  return isDone ? EXIT.done : EXIT.failed;
}

function mayBeCut({ doubts }: Content): boolean {
  return doubts.some((doubt) => doubt.mayBeCut);
}

/** Says why no item is printed. */
function failureOf(content: Content, { collection, from }: SourceFlags): string | undefined {
  const { items, skipped } = content;
  if (mayBeCut(content)) return 'The file may have been cut off, so nothing was printed.';
  if (items.length > 0) return undefined;
  const what = skipped.length === 0 ? '' : ' that can be taken';
  return `The ${from === undefined ? 'file' : 'store'} has no ${COLLECTIONS[collection].nouns}${what}.`;
}

/**
 * Yields the items as JSON. A sync of the output must leave the same resources alone as a sync of the source: so what is skipped is
 * an item with its key alone, with its `storeVariantId` alone, or without a key.
 */
function* textsOf(content: Content): Generator<string, void> {
  // The end of a line comes with the next one: who reads an output that breaks off knows that something is missing.
  let before = '';
  for (const item of [...keyless(content), ...content.items, ...bareItems(content)]) {
    yield `${before}${printableJson(item)}`;
    before = '\n';
  }
  yield before;
}

/** Returns what stays, and has no item, as items that have nothing else than what identifies them. */
function bareItems({ items, stays, match = '' }: Content): JsonObject[] {
  const nameOf = (field: string, value: unknown): string =>
    `${field} ${storedKey(String(value), field)}`;
  const printed = new Set(items.map((item) => nameOf(match, item[match])));
  return stays.flatMap((one) => {
    if (!('field' in one)) return [];
    const { field, value } = one;
    const name = nameOf(field, value);
    if (printed.has(name)) return [];
    printed.add(name);
    return [{ [field]: value }];
  });
}

/**
 * Returns an empty item for each part of which nobody can tell what it means, or for all other doubts together. What the
 * service cannot hold needs none: nothing in the service can be it. They come first: in a CSV that a filter makes of them, an empty
 * row at the end would be none.
 */
function keyless({ skipped, doubts }: Content): JsonObject[] {
  const parts = skipped.filter(({ key, kind }) => key === null && kind === 'problem');
  return Array.from({ length: Math.max(parts.length, doubts.length > 0 ? 1 : 0) }, () => ({}));
}
