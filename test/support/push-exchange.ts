import * as z from 'zod';
import type { Answer } from './brand.ts';
import type { TestCollection } from './collections/collection.ts';
import type { PushExpectation } from './model.ts';
import { mismatch } from './model.ts';
import type { Verdict } from './model-push.ts';
import type { Push } from './requests.ts';

const results = z.array(
  z.strictObject({
    id: z.string().nullable(),
    status: z.enum(['created', 'updated', 'unchanged', 'deleted', 'stale', 'refused']),
    error: z.string().optional(),
  }),
);

/** The ids in the answer to a push, by item. */
export function resultIds({ body }: Answer): (string | null)[] {
  return results.parse(body['results']).map(({ id }) => id);
}

/** Why the answer to a push is not as it must be; undefined if it is. */
export function pushMismatch(
  { many }: TestCollection,
  { isMinimal, isLenient, isDryRun }: Push,
  { status, verdicts }: PushExpectation,
  answer: Answer,
): string | undefined {
  const { body, headers, text } = answer;
  if (answer.status !== status || status >= 400) return mismatch({ status }, answer, undefined);
  const applied = headers.get('Preference-Applied') ?? '';
  if (applied.includes('minimal') !== isMinimal || applied.includes('lenient') !== isLenient) {
    return `the preferences applied are ${applied}`;
  }
  const found = results.parse(body['results']);
  const wrong = verdicts.findIndex((verdict, index) => {
    const { id, status, error } = found[index] ?? {};
    const isIdRight =
      'id' in verdict
        ? id === verdict.id
        : (id !== null) === (verdict.status === 'created' && !isDryRun);
    return (
      status !== verdict.status || (error !== undefined) !== (status === 'refused') || !isIdRight
    );
  });
  if (wrong >= 0 || found.length !== verdicts.length) {
    return `item ${wrong} must be ${verdicts[wrong]?.status ?? 'none'}: ${text}`;
  }
  if (isMinimal || isDryRun) return many in body ? `the resources are there: ${text}` : undefined;
  return resourcesMismatch(many, verdicts, answer);
}

function resourcesMismatch(
  many: string,
  verdicts: readonly Verdict[],
  answer: Answer,
): string | undefined {
  const resources = z.array(z.looseObject({ id: z.string() })).parse(answer.body[many]);
  const ids = resultIds(answer);
  const shown = [...verdicts.entries()].flatMap(([index, verdict]) =>
    'fields' in verdict ? [{ index, verdict }] : [],
  );
  if (resources.length !== shown.length)
    return `${shown.length} resources expected: ${answer.text}`;
  for (const [place, { index, verdict }] of shown.entries()) {
    const id = ids[index] ?? '';
    const fields = verdict.status === 'created' ? verdict.fields(id) : verdict.fields;
    const resource = resources[place];
    if (resource?.id !== id) return `resource ${place} must be ${id}: ${answer.text}`;
    const problem = mismatch({ status: 200, shown: fields }, answer, resource);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
