import * as z from 'zod/mini';
import { lazy } from '../lazy.ts';
import { expected } from './expected.ts';

/** Fields with their rules. */
export type Shape = Readonly<Record<string, z.ZodMiniType>>;

/** A field that may be left out, and is this then. */
export function optional<T extends z.ZodMiniType>(
  field: T,
  value: z.core.util.NoUndefined<z.output<T>>,
): z.ZodMiniDefault<T> {
  return z._default(field, value);
}

/** A field that may be `null`, and is where it is left out. */
export function nullable<T extends z.ZodMiniType>(
  field: T,
): z.ZodMiniDefault<z.ZodMiniNullable<T>> {
  return z._default(z.nullable(field), null);
}

/** A field that may be `null`. */
export function orNull<T extends z.ZodMiniType>(field: T): z.ZodMiniNullable<T> {
  return z.nullable(field);
}

/** A field that may be left out, and follows from others then. */
export function derived<T extends z.ZodMiniType>(field: T): z.ZodMiniOptional<T> {
  return z.optional(field);
}

// Fields that the service alone assigns. In a body they are ignored, so that what a GET returned can be PUT back.
const readOnly = lazy(() => {
  const ignored = z.optional(z.unknown().register(z.globalRegistry, { readOnly: true }));
  return { id: ignored, createdAt: ignored, updatedAt: ignored };
});

/** A JSON object of exactly these fields; an unknown one is refused by name. */
export function object<S extends Shape>(shape: S): z.ZodMiniObject<S, z.core.$strict> {
  return z.strictObject(shape, { error: expected('a JSON object') });
}

/** The schema of a resource's body. */
export type Resource<S extends Shape> = z.ZodMiniObject<
  ReturnType<typeof readOnly> & S,
  z.core.$strict
>;

/** As `object`, with the read-only fields let in and left unread. */
export function resource<S extends Shape>(shape: S): Resource<S> {
  return object({ ...readOnly(), ...shape });
}

/**
 * The same fields for a PATCH (RFC 7396): each may be absent, and an absent one has no default.
 * A nullable field takes `null`, which clears it; no other does.
 */
export function partial(
  shape: Shape,
): z.ZodMiniObject<Record<string, z.ZodMiniOptional>, z.core.$strict> {
  return resource(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [name, z.optional(withoutDefault(field))]),
    ),
  );
}

/** The rule of a field that is there: without the default, and without leave to be absent. */
export function withoutDefault(field: z.core.$ZodType): z.core.$ZodType {
  return field instanceof z.ZodMiniDefault || field instanceof z.ZodMiniOptional
    ? withoutDefault(field.def.innerType)
    : field;
}

/** The rule of a field's values other than `null`. */
export function withoutNull(field: z.core.$ZodType): z.core.$ZodType {
  const present = withoutDefault(field);
  return present instanceof z.ZodMiniNullable ? present.def.innerType : present;
}
