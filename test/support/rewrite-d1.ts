/** Wraps a binding so that each statement of its sessions has another text. */
export function rewriteD1(db: D1Database, rewrite: (text: string) => string): D1Database {
  return replacing(db, 'withSession', (bookmark?: string) => {
    const session = db.withSession(bookmark);
    return replacing(session, 'prepare', (text: string) => session.prepare(rewrite(text)));
  });
}

/** Returns the same object with another method. */
function replacing<T extends object>(
  target: T,
  name: keyof T,
  method: (argument: string) => unknown,
): T {
  return new Proxy(target, {
    get(_, asked): unknown {
      if (asked === name) return method;
      const member: unknown = Reflect.get(target, asked);
      return typeof member === 'function'
        ? (...args: unknown[]): unknown => Reflect.apply(member, target, args)
        : member;
    },
  });
}
