/**
 * A function between the service and D1. It decides whether, when and how often the call is made.
 * @param call makes the call, with other arguments if some are given
 * @param on the native object, such as the binding, a session or a statement
 * @param method the method of that object
 * @param args the arguments of the call
 */
export type Intercept = (
  call: (...args: unknown[]) => Promise<unknown>,
  on: object,
  method: PropertyKey,
  args: readonly unknown[],
) => Promise<unknown>;

/** Sees each use of a method that does not yet call D1, such as `withSession`, `prepare` and `bind`. */
export type Watch = (method: PropertyKey, args: readonly unknown[]) => void;

const CALLS: ReadonlySet<PropertyKey> = new Set([
  'all',
  'batch',
  'dump',
  'exec',
  'first',
  'raw',
  'run',
]);

/**
 * Wraps a binding so that every call to D1 passes through `intercept`, whether it is made on the binding, on a session
 * or on a statement. No part of the service is replaced.
 */
export function interceptD1(db: D1Database, intercept: Intercept, watch?: Watch): D1Database {
  return wrap(db, intercept, watch);
}

function wrap<T extends object>(target: T, intercept: Intercept, watch?: Watch): T {
  return new Proxy(target, {
    get(_, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const natives = args.map(unwrapAll);
        const call = (...given: unknown[]): unknown => Reflect.apply(member, target, given);
        if (CALLS.has(name)) {
          const made = async (...others: unknown[]): Promise<unknown> =>
            await call(...(others.length > 0 ? others : natives));
          return intercept(made, target, name, natives);
        }
        watch?.(name, natives);
        const result = call(...natives);
        return typeof result === 'object' && result !== null
          ? remember(wrap(result, intercept, watch), result)
          : result;
      };
    },
  });
}

/** The native objects behind the wrapped ones: D1's `batch` accepts no others. */
const nativeOf = new WeakMap<object, object>();

function remember<T extends object>(wrapped: T, native: object): T {
  nativeOf.set(wrapped, native);
  return wrapped;
}

function unwrapAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapAll);
  return typeof value === 'object' && value !== null ? (nativeOf.get(value) ?? value) : value;
}
