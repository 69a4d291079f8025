import * as fc from 'fast-check';
import { collectionAt } from './collections.ts';
import type { TestCollection } from './collections/collection.ts';
import type { ModelField, ModelFields } from './model-fields.ts';
import { fuzzedText } from './fields/fuzzed.ts';
import { requiredOf } from './model-fields.ts';

/** A request that fast-check generates. */
export interface Step {
  readonly who: 0 | 1;
  /** The path of a collection. A text, because fast-check prints it. */
  readonly path: string;
  readonly action: 'create' | 'find' | 'list' | 'PUT' | 'PATCH' | 'DELETE' | 'push' | 'follow';
  /** Stands for an id, or for a follower. */
  readonly target: number;
  readonly body: unknown;
  readonly push: Push;
  /** Whether a POST has an Idempotency-Key, and is sent again. */
  readonly isKeyed: boolean;
}

export interface Push {
  readonly match: string;
  readonly items: readonly PushItem[];
  readonly isLenient: boolean;
  readonly isMinimal: boolean;
  readonly isDryRun: boolean;
  readonly ifNewer: boolean;
}

export interface PushItem {
  readonly body: unknown;
  /** The value of the field by which it finds a resource; `id` stands for an id, undefined for what the body has. */
  readonly value: unknown;
  readonly target: number;
}

const wrong = fc.oneof(
  fc.constantFrom(null, true, '1', 1.5, -1, [], {}, 1e21, Number.MAX_SAFE_INTEGER),
  fc.jsonValue({ maxDepth: 2 }),
);

/** What is drawn of a field. */
function drawnOf(field: ModelField): fc.Arbitrary<unknown> {
  return field.mayBeNull ? fc.option(field.drawn) : field.drawn;
}

/** Good values of a field. */
function goodOf(field: ModelField): fc.Arbitrary<unknown> {
  const good = field.drawn.filter(field.isGood);
  return field.mayBeNull ? fc.option(good, { freq: 2 }) : good;
}

/** Something of each field. */
function each<T>(model: ModelFields, of: (field: ModelField) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(model).map(([name, field]) => [name, of(field)]));
}

/** A body with some of the fields, usually valid, sometimes with a wrong value, an unknown or a read-only field. */
function body(model: ModelFields): fc.Arbitrary<unknown> {
  const good = each(model, goodOf);
  const values = each(model, drawnOf);
  const fields = fc.record(values, { requiredKeys: [] });
  const needed = fc.record(
    Object.fromEntries(requiredOf(model).map((name) => [name, values[name] ?? fuzzedText])),
  );
  const odd = fc.dictionary(fc.constantFrom(...Object.keys(model), 'brandId', 'Title'), wrong, {
    maxKeys: 1,
  });
  const ignored = fc.record(
    { id: fc.jsonValue(), createdAt: fuzzedText, updatedAt: wrong },
    { requiredKeys: [] },
  );
  const whole = fc.record(good, { requiredKeys: requiredOf(model) });
  const both = (one: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.tuple(one, other).map((parts): unknown => Object.assign({}, ...parts));
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 4, arbitrary: fc.record(good, { requiredKeys: [] }) },
    { weight: 2, arbitrary: both(fields, needed) },
    { weight: 1, arbitrary: fields },
    { weight: 1, arbitrary: both(whole, odd) },
    { weight: 2, arbitrary: both(whole, ignored) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

/** A good item, as it changes or creates, and one that deletes. */
function goodBody({ model, sourceTime = '' }: TestCollection): fc.Arbitrary<unknown> {
  const values = each(model, goodOf);
  const deletion = { deleted: fc.constant(true), [sourceTime]: values[sourceTime] ?? fuzzedText };
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(values, { requiredKeys: requiredOf(model) }) },
    { weight: 3, arbitrary: fc.record(values, { requiredKeys: [] }) },
    // Nothing but the value: an item that changes nothing.
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 3,
      arbitrary:
        sourceTime in values
          ? fc.record(deletion, { requiredKeys: ['deleted'] })
          : fc.constant({ deleted: true }),
    },
  );
}

/** An item of a push: as a rule a good one, with a value of its field that resources have. */
function item(of: TestCollection, match: string): fc.Arbitrary<PushItem> {
  const field = of.model[match];
  const own = field === undefined ? fc.constant('id') : field.drawn.filter(field.isGood);
  const good = fc.record({ body: goodBody(of), value: own, target: fc.nat(20) });
  const any = fc.record({
    body: fc.oneof(
      { weight: 3, arbitrary: body(of.model) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(body(of.model), fc.oneof(wrong, fc.constant(true)))
          .map(([fields, deleted]): unknown => Object.assign({ deleted }, fields)),
      },
    ),
    value: fc.oneof(own, fc.constant(undefined), wrong),
    target: fc.nat(20),
  });
  return fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: any });
}

function push(of: TestCollection): fc.Arbitrary<Push> {
  return fc.constantFrom('id', ...Object.keys(of.values)).chain((match) =>
    fc.record({
      match: fc.constant(match),
      items: fc.oneof(
        { weight: 1, arbitrary: fc.array(item(of, match), { minLength: 1, maxLength: 4 }) },
        {
          weight: 8,
          arbitrary: fc.uniqueArray(item(of, match), {
            minLength: 1,
            maxLength: 4,
            // Two items with one value are refused.
            selector: ({ value, target }) =>
              value === 'id'
                ? target
                : JSON.stringify(value ?? target)
                    .replaceAll(' ', '')
                    .toLowerCase(),
          }),
        },
      ),
      isLenient: fc.boolean(),
      isMinimal: fc.boolean(),
      isDryRun: fc.nat(3).map((n) => n === 0),
      // Now and then also for a collection without such times.
      ifNewer: of.sourceTime === undefined ? fc.nat(15).map((n) => n === 0) : fc.boolean(),
    }),
  );
}

/**
 * Any request of either brand: valid, nearly valid, or nonsense.
 * @param all the collections that are asked
 */
export function stepOf(all: readonly TestCollection[]): fc.Arbitrary<Step> {
  return fc.constantFrom(...all.map(({ path }) => path)).chain((path) => {
    const of = collectionAt(path);
    return fc.record({
      who: fc.constantFrom<0 | 1>(0, 1),
      path: fc.constant(path),
      action: fc.constantFrom<Step['action']>(
        'create',
        'create',
        'find',
        'list',
        'PUT',
        'PATCH',
        'DELETE',
        'push',
        'push',
        'push',
        'follow',
      ),
      target: fc.nat(20),
      body: body(of.model),
      push: push(of),
      isKeyed: fc.nat(3).map((n) => n === 0),
    });
  });
}

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly id: string;
  readonly body: unknown;
  readonly items: readonly unknown[];
  readonly headers: Record<string, string>;
}

/**
 * Puts a request together.
 * @param idOf the id that a target stands for
 * @param mark changes what is sent
 */
export function requestOf(
  of: TestCollection,
  { action, target, body, push }: Step,
  idOf: (target: number) => string,
  mark: (body: unknown) => unknown,
): Request {
  const { path } = of;
  const plain = { id: '', items: [], headers: {} };
  if (action === 'push') return { ...plain, ...pushRequest(of, push, idOf, mark) };
  if (action === 'create') return { ...plain, method: 'POST', target: path, body: mark(body) };
  if (action === 'list') return { ...plain, method: 'GET', target: path, body: undefined };
  const id = idOf(target);
  const hasBody = action === 'PUT' || action === 'PATCH';
  return {
    ...plain,
    id,
    method: hasBody || action === 'DELETE' ? action : 'GET',
    target: `${path}/${id}`,
    body: hasBody ? mark(body) : undefined,
  };
}

function pushRequest(
  { path, many }: TestCollection,
  { match, items: drawn, isLenient, isMinimal, isDryRun, ifNewer }: Push,
  idOf: (target: number) => string,
  mark: (body: unknown) => unknown,
): Omit<Request, 'id'> {
  const items = drawn.map(({ body, value, target }) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    const found = match === 'id' && value === 'id' ? idOf(target) : value;
    return mark(isObject && found !== undefined ? { ...body, [match]: found } : body);
  });
  const preferences = [isLenient && 'handling=lenient', isMinimal && 'return=minimal'];
  const prefer = preferences.filter((preference) => preference !== false).join(', ');
  return {
    method: 'POST',
    target: `${path}?match=${match}${isDryRun ? '&dryRun=true' : ''}${ifNewer ? '&ifNewer=true' : ''}`,
    items,
    body: { [many]: items },
    headers: prefer === '' ? {} : { Prefer: prefer },
  };
}
