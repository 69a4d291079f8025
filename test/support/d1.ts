/**
 * A function between the service and D1. It decides whether, when and how often the call is made. It gets the native
 * object, such as the binding or a statement, and the method.
 */
export type Intercept = (
  call: () => Promise<unknown>,
  on: object,
  method: PropertyKey,
) => Promise<unknown>;

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
export function interceptD1(db: D1Database, intercept: Intercept): D1Database {
  return wrap(db, intercept);
}

function wrap<T extends object>(target: T, intercept: Intercept): T {
  return new Proxy(target, {
    get(_, name): unknown {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const call = (): unknown => Reflect.apply(member, target, args.map(unwrapAll));
        if (CALLS.has(name)) return intercept(async () => await call(), target, name);
        const result = call();
        return typeof result === 'object' && result !== null
          ? remember(wrap(result, intercept), result)
          : result;
      };
    },
  });
}

/** The native objects behind the wrapped ones: D1's `batch` accepts no others. */
const natives = new WeakMap<object, object>();

function remember<T extends object>(wrapped: T, native: object): T {
  natives.set(wrapped, native);
  return wrapped;
}

function unwrapAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unwrapAll);
  return typeof value === 'object' && value !== null ? (natives.get(value) ?? value) : value;
}
