import * as z from 'zod/mini';
import { expected, jsonSchemas } from './expected.ts';

/** Fields with their rules: what a value may be, if there is one. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

export type Outputs<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> };

/** The schema of a JSON object whose members no type knows. */
type ObjectSchema = z.ZodMiniObject<Shape, z.core.$strict>;

// The fields that only the service assigns. A body may contain them, so that the response of a GET can be sent in a
// PUT; they are ignored, and not kept.
const ignored = z.optional(
  z.pipe(
    z.unknown().register(jsonSchemas, { readOnly: true }),
    z.transform(() => undefined),
  ),
);
const readOnly = { id: ignored, createdAt: ignored, updatedAt: ignored };

/**
 * A JSON object with exactly these fields. Unknown fields are rejected by name.
 * @param unknown what the error says of one
 */
export function object(shape: Shape, unknown = 'unknown field'): ObjectSchema {
  const noObject = expected('a JSON object');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknown : noObject(issue)),
  });
}

/** Like `object`, but accepts and ignores the read-only fields. */
export function resource(shape: Shape, unknown?: string): ObjectSchema {
  return object({ ...readOnly, ...shape }, unknown);
}

/**
 * The body of a POST or PUT: a resource, of which only some fields are required.
 * @param optional the names of the others
 */
export function wholeBody(shape: Shape, optional: readonly string[]): ObjectSchema {
  const fields = Object.entries(shape).map(
    ([name, field]) => [name, optional.includes(name) ? z.optional(field) : field] as const,
  );
  return resource(Object.fromEntries(fields));
}

/** The body of a PATCH (RFC 7396): any of the fields. `null` clears a nullable one. */
export function patchBody(shape: Shape): ObjectSchema {
  return z.partial(resource(shape));
}

/** The rule of a field's values other than `null`. */
export function withoutNull(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodMiniNullable ? field.def.innerType : field;
}
