import * as z from 'zod/mini';
import { expected, jsonSchemas } from './expected.ts';

/** Fields with their rules. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

// zod's own functions, under the names of what they mean for a POST.
export {
  /** An optional field with a constant default. */
  _default as withDefault,
  /** An optional field whose default depends on other fields. */
  optional as derived,
  /** A required field that may be `null`. */
  nullable as orNull,
} from 'zod/mini';

/** An optional field that may be `null`, which is its default. */
export function nullByDefault<T extends z.ZodMiniType>(
  field: T,
): z.ZodMiniDefault<z.ZodMiniNullable<T>> {
  return z._default(z.nullable(field), null);
}

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
export function object<S extends Shape>(
  shape: S,
  unknown = 'unknown field',
): z.ZodMiniObject<S, z.core.$strict> {
  const noObject = expected('a JSON object');
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknown : noObject(issue)),
  });
}

/** The schema of a resource's body. */
export type Resource<S extends Shape> = z.ZodMiniObject<typeof readOnly & S, z.core.$strict>;

/** Like `object`, but accepts and ignores the read-only fields. */
export function resource<S extends Shape>(shape: S, unknown?: string): Resource<S> {
  return object({ ...readOnly, ...shape }, unknown);
}

/** The same fields for a PATCH (RFC 7396): all are optional, without defaults. `null` clears a nullable field. */
export function partial(shape: Shape): Resource<Shape> {
  return withoutDefaults(shape, () => false);
}

/**
 * The same fields for a PUT: those that a POST needs are required, and the others are optional, without defaults.
 * @param reset the fields that have their defaults
 */
export function replacement<S extends Shape>(
  shape: S,
  reset: readonly string[],
): z.ZodMiniType<Partial<z.output<Resource<S>>>> {
  const schema: unknown = withoutDefaults(
    shape,
    (name, field) => isRequired(field) || reset.includes(name),
  );
  // oxlint-disable-next-line typescript/consistent-type-assertions -- each member has its name and rule
  return schema as z.ZodMiniType<Partial<z.output<Resource<S>>>>;
}

/** @param isWhole whether a field stays as it is */
function withoutDefaults(
  shape: Shape,
  isWhole: (name: string, field: z.ZodMiniType) => boolean,
): Resource<Shape> {
  return resource(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        isWhole(name, field) ? field : z.optional(withoutDefault(field)),
      ]),
    ),
  );
}

/** Returns the rule of a field that is present: without its default, and not optional. */
export function withoutDefault(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodMiniDefault || field instanceof z.ZodMiniOptional
    ? withoutDefault(field.def.innerType)
    : field;
}

/** Whether a POST needs the field: it is not optional, and has no default. */
export function isRequired(field: z.core.$ZodType): boolean {
  return withoutDefault(field) === field;
}

/** Returns the rule of a field's values other than `null`. */
export function withoutNull(field: z.core.$ZodType): z.core.$ZodType {
  const present = withoutDefault(field);
  return present instanceof z.ZodMiniNullable ? present.def.innerType : present;
}
