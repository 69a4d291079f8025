import { env } from 'cloudflare:workers';
import * as z from 'zod';
import type { Answer, TestBrand } from './brand.ts';
import { collectionAt, collections } from './collections.ts';
import { distinct } from './collections/collection.ts';
import { failing, slow } from './faults.ts';
import type { Disturbance, Write } from './traffic.ts';

const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000';

const named = z.looseObject({ id: z.string().nullable() });
/** What an answer to a POST shows: one, or a list. */
const SHOWN = z.union([z.array(named), named.transform((one) => [one])]);

/** What the writers of a brand know, together. */
export class Ledger {
  readonly #known = new Map(collections.map(({ path }) => [path, new Set<string>()]));
  /** The ids whose deletion was confirmed. */
  readonly deleted = new Set<string>();
  readonly #journal: string[] = [];

  /** The ids of a collection that answers have shown and that were not seen to be gone. */
  known(path: string): Set<string> {
    const ids = this.#known.get(path);
    if (ids === undefined) throw new Error(`There is no collection ${path}.`);
    return ids;
  }

  /** Notes a request and its answer. */
  note(line: string): void {
    this.#journal.push(line);
  }

  /** The requests and answers that name one of these texts. */
  about(texts: readonly string[]): string {
    return this.#journal.filter((line) => texts.some((text) => line.includes(text))).join('\n');
  }
}

/** The database as a request finds it. */
export function disturbed({ delay, fault }: Disturbance): D1Database {
  const { db } = slow(env.DB, delay);
  return fault ? failing(db, fault).db : db;
}

/** A client that writes, and knows what every answer may be. */
export class Writer {
  readonly #brand: TestBrand;
  readonly #ledger: Ledger;
  readonly #name: string;
  #steps = 0;

  constructor(brand: TestBrand, ledger: Ledger, name: string) {
    this.#brand = brand;
    this.#ledger = ledger;
    this.#name = name;
  }

  /** @throws Error for an answer that may not be */
  async take(write: Write): Promise<void> {
    this.#steps++;
    const { operation } = write;
    if (operation === 'create' || operation === 'create many' || operation === 'push') {
      await this.#post(write);
    } else {
      await this.#change(write, operation);
    }
  }

  get #unique(): string {
    return `${this.#name}-${this.#steps}`;
  }

  async #post({ path, operation, items, targets, match, prefer, ...write }: Write): Promise<void> {
    const of = collectionAt(path);
    const made = items.map((item, index) => {
      const unique = `${this.#unique}-${index}`;
      // Nothing else sets this note: whatever has it came of this item.
      if (operation !== 'push') return { ...distinct(of, unique), ...item, [of.note]: unique };
      const isComplete = index % 2 === 0;
      const value = match === 'id' ? this.#target(path, targets[index]) : item[match];
      const found = { [match]: value ?? `${match.toLowerCase()}-${unique}` };
      return { ...(isComplete && distinct(of, unique)), ...item, ...found };
    });
    const body = operation === 'create' ? made[0] : { [of.many]: made };
    const target = operation === 'push' ? `${path}?match=${match}` : path;
    const headers = {
      ...(operation === 'push' && prefer.length > 0 && { Prefer: prefer.join() }),
      ...(write.isKeyed && { 'Idempotency-Key': this.#unique }),
    };
    const allowed = [operation === 'push' ? 200 : 201, 400, 409];
    const post = async (disturbance: Disturbance): Promise<Answer> => {
      const answer = await this.#send('POST', target, body, headers, disturbance, allowed);
      if (answer.status < 300) this.#learn(path, answer);
      return answer;
    };
    const answer = await post(write.disturbance);
    if (!write.isKeyed) return;
    const again = await post({ delay: 0, fault: undefined });
    if (answer.status >= 300) return;
    // A replay shows the resources of a push as they are now.
    const [first, second] = [answer, again].map(({ body, text }) =>
      operation === 'push' ? JSON.stringify(body['results']) : text,
    );
    if (first !== second || again.headers.get('Idempotent-Replayed') !== 'true') {
      throw new Error(`POST ${target} answered ${answer.text}, and again ${again.text}`);
    }
  }

  async #change(
    { path, items, targets, isGuarded, disturbance }: Write,
    method: 'PUT' | 'PATCH' | 'DELETE',
  ): Promise<void> {
    const id = this.#target(path, targets[0]);
    const target = `${path}/${id}`;
    const tag = isGuarded ? (await this.#brand.send('GET', target)).headers.get('ETag') : null;
    const headers = tag === null ? {} : { 'If-Match': tag };
    const body = {
      ...(method === 'PUT' && distinct(collectionAt(path), this.#unique)),
      ...items[0],
    };
    const sent = method === 'DELETE' ? undefined : body;
    const allowed = [200, 404, 409, 412];
    const { status } = await this.#send(method, target, sent, headers, disturbance, allowed);
    if (method === 'DELETE' && status === 200) {
      if (this.#ledger.deleted.has(id)) throw new Error(`${target} was deleted twice.`);
      this.#ledger.deleted.add(id);
    }
    if (status === 404) this.#ledger.known(path).delete(id);
  }

  async #send(
    method: string,
    target: string,
    body: unknown,
    headers: Record<string, string>,
    disturbance: Disturbance,
    allowed: readonly number[],
  ): Promise<Answer> {
    const db = disturbed(disturbance);
    const answer = await this.#brand.send(method, target, body, { headers, db });
    const request = `${this.#unique}: ${method} ${target} ${JSON.stringify(headers)} ${JSON.stringify(body)}`;
    this.#ledger.note(
      `${request} with ${JSON.stringify(disturbance)}: ${answer.status} ${answer.text}`,
    );
    const expected = disturbance.fault ? [...allowed, 500, 503] : allowed;
    if (!expected.includes(answer.status)) {
      throw new Error(`${request}: ${answer.status} ${answer.text}`);
    }
    return answer;
  }

  /** Remembers the ids that an answer to a POST shows. */
  #learn(path: string, { body }: Answer): void {
    const known = this.#ledger.known(path);
    for (const { id } of Object.values(body).flatMap((shown) => SHOWN.parse(shown))) {
      if (id !== null && !this.#ledger.deleted.has(id)) known.add(id);
    }
  }

  #target(path: string, draw = 0): string {
    const ids = [...this.#ledger.known(path)];
    return ids[draw % ids.length] ?? UNKNOWN_ID;
  }
}
