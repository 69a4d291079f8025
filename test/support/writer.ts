import * as z from 'zod';
import { UNKNOWN } from './attack.ts';
import type { Answer, TestBrand } from './brand.ts';
import { collectionAt, collections } from './collections.ts';
import { distinct } from './collections/collection.ts';
import type { Request, Step } from './requests.ts';
import { requestOf } from './requests.ts';
import type { Disturbance } from './traffic.ts';
import { disturbed } from './traffic.ts';

const UNDISTURBED: Disturbance = { delay: 0, fault: undefined };

const named = z.looseObject({ id: z.string().nullable() });
/** What an answer to a POST shows: one, or a list. */
const SHOWN = z.union([z.array(named), named.transform((one) => [one])]);

/** The note of a resource that a writer has created. */
export const NOTE = /^w\d+-\d+-\d+$/;

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
  async take(step: Step, disturbance: Disturbance): Promise<void> {
    this.#steps++;
    const of = collectionAt(step.path);
    const ids = [...this.#ledger.known(of.path)];
    const request = requestOf(
      of,
      step,
      (target) => ids[target % ids.length] ?? UNKNOWN,
      (body) => (step.action === 'create' ? this.#created(step) : body),
    );
    const send = async (how: Disturbance): Promise<Answer> => {
      const answer = await this.#send(request, how);
      if (answer.status < 300 && request.method === 'POST') this.#learn(of.path, answer);
      return answer;
    };
    if (request.method === 'POST' && step.isKeyed) {
      request.headers['Idempotency-Key'] = this.#unique;
      this.#compare(step, await send(disturbance), await send(UNDISTURBED));
      return;
    }
    const { status } = await send(disturbance);
    if (step.action === 'DELETE' && status === 200) {
      if (this.#ledger.deleted.has(request.id)) throw new Error(`${request.id} was deleted twice.`);
      this.#ledger.deleted.add(request.id);
    }
    if (request.id !== '' && status === 404) this.#ledger.known(of.path).delete(request.id);
  }

  get #unique(): string {
    return `${this.#name}-${this.#steps}`;
  }

  /** One resource or several. Nothing else sets these notes: whatever has one came of this request. */
  #created({ path, target }: Step): unknown {
    const of = collectionAt(path);
    const made = Array.from({ length: 1 + (target % 3) }, (_, index) => {
      const unique = `${this.#unique}-${index}`;
      return { ...distinct(of, unique), [of.note]: unique };
    });
    return made.length === 1 ? made[0] : { [of.many]: made };
  }

  /** A replay has the answer of the first. It shows the resources of a push as they are now. */
  #compare({ action, push }: Step, first: Answer, again: Answer): void {
    if (first.status >= 300) return;
    const [one, other] = [first, again].map(({ body, text }) =>
      action === 'push' ? JSON.stringify(body['results']) : text,
    );
    const isReplay = again.headers.get('Idempotent-Replayed') === 'true';
    if (push.isDryRun && action === 'push') return;
    if (one !== other || !isReplay) throw new Error(`${first.text}, and again ${again.text}`);
  }

  async #send(request: Request, disturbance: Disturbance): Promise<Answer> {
    const { method, target, body, headers } = request;
    const db = disturbed(disturbance);
    const answer = await this.#brand.send(method, target, body, { headers, db });
    const line = `${this.#unique}: ${JSON.stringify([request, disturbance])}: ${answer.status} ${answer.text}`;
    this.#ledger.note(line);
    const allowed = [200, 201, 400, 404, 409, ...(disturbance.fault ? [500, 503] : [])];
    if (!allowed.includes(answer.status)) throw new Error(line);
    return answer;
  }

  /** Remembers the ids that an answer to a POST shows. */
  #learn(path: string, { body }: Answer): void {
    const known = this.#ledger.known(path);
    for (const { id } of Object.values(body).flatMap((shown) => SHOWN.parse(shown))) {
      if (id !== null && !this.#ledger.deleted.has(id)) known.add(id);
    }
  }
}
