import * as z from 'zod';
import { expected } from './expected.ts';

// Fields that the service alone assigns. In a body they are ignored, so that what a GET returned can be PUT back.
const ignored = z.unknown().optional().meta({ readOnly: true });
const readOnly = { id: ignored, createdAt: ignored, updatedAt: ignored };

/** A JSON object of exactly these fields; an unknown one is refused by name. */
export function object<S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape, { error: expected('a JSON object') });
}

/** The schema of a resource's body. */
export type Resource<S extends z.ZodRawShape> = z.ZodObject<typeof readOnly & S, z.core.$strict>;

/** As `object`, with the read-only fields let in and left unread. */
export function resource<S extends z.ZodRawShape>(shape: S): Resource<S> {
  return object({ ...readOnly, ...shape });
}

/**
 * The same fields for a PATCH (RFC 7396): each may be absent, and an absent one has no default.
 * A nullable field takes `null`, which clears it; no other does.
 */
export function partial(
  shape: z.ZodRawShape,
): z.ZodObject<Record<string, z.ZodOptional>, z.core.$strict> {
  return resource(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
      ]),
    ),
  );
}
