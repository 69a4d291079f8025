import { median, quantile } from 'simple-statistics';
import { issueKey } from '../../tools/admin/keys.ts';
import { makeBrand, product } from '../data.ts';
import type { Answer, Call, Step } from '../http.ts';
import { get, loop, patch, post, PRODUCTS, remove } from '../http.ts';
import { liveHeap, memory } from '../process.ts';
import type { Outcome } from '../report.ts';
import { log } from '../report.ts';
import { serve } from '../servers.ts';

// Many connections with the rate limits of wrangler.toml. Most create, change and delete products, each with its own
// key, and stay below its limit. The others share one key and reach its limit.

const BRANDS = 8;
const PRODUCTS_OF_BRAND = 200;
/**
 * The maximum growth of the service's heap in bytes per request (a table is filling), and of workerd's memory as a
 * fraction.
 */
const [MAX_HEAP_GROWTH, MAX_GROWTH] = [64, 0.1];

/** A product that a connection creates, changes and deletes. */
interface Life {
  readonly number: number;
  readonly apiKey: string;
  path: string;
  etag: string;
}

/** An operation, the statuses that it may have, and its request. */
type Operation = readonly [name: string, expected: readonly number[], call: (life: Life) => Call];

const create = ({ number }: Life): Call =>
  post(PRODUCTS, product(number), { 'Idempotency-Key': `life-${number}` });
const change = ({ path, number }: Life, etag: string): Call =>
  patch(path, { title: `Life ${number}`, priceCents: number }, { 'If-Match': etag });
const rename = ({ number }: Life): Call =>
  patch('/api/brand/v1/profile', { brand: { contactName: `Life ${number}` } });

const LIFE: readonly Operation[] = [
  ['create', [201], create],
  ['create again', [201], create],
  ['get one', [200], ({ path }) => get(path)],
  ['get if changed', [304], ({ path, etag }) => get(path, { 'If-None-Match': etag })],
  ['page of 50', [200], () => get(`${PRODUCTS}?limit=50`)],
  ['patch if unchanged', [200], (life) => change(life, life.etag)],
  ['patch too late', [412], (life) => change(life, '"before"')],
  ['patch invalid', [400], ({ path }) => patch(path, { priceCents: -1 })],
  ['patch profile', [200], rename],
  ['complete list', [200], () => get(PRODUCTS)],
  ['delete', [200], ({ path }) => remove(path)],
  ['get deleted', [404], ({ path }) => get(path)],
];
const SHARED: Operation = ['page, shared key', [200, 429], () => get(`${PRODUCTS}?limit=50`)];

/** Loads the service for two halves of the time. Memory that grows in the second half would keep growing. */
export async function load(quick: boolean): Promise<Outcome> {
  const [seconds, connections] = quick ? [6, 16] : [120, 64];
  const [duration, sharing] = [seconds / 2, connections / 4];
  const contestant = { name: 'service', module: 'src/index.ts' };
  await using servers = await serve([contestant], { inspector: true });
  const service = await servers.served('service');
  const { apiKey: shared } = await makeBrand(service, PRODUCTS_OF_BRAND);
  const keys: string[] = [];
  while (keys.length < connections - sharing) {
    const { brandId, apiKey } = await makeBrand(service, PRODUCTS_OF_BRAND);
    keys.push(apiKey);
    for (let more = BRANDS; more < connections - sharing; more += BRANDS) {
      keys.push((await issueKey(service.execute, brandId, {})).apiKey);
    }
  }
  /** The durations of requests in milliseconds, by operation and status. */
  const took = new Map<string, number[]>();
  const wrong: string[] = [];
  const note: Note = ([name, expected], { status, text, milliseconds }) => {
    const key = `${name}: ${status}`;
    took.set(key, took.get(key) ?? []);
    took.get(key)?.push(milliseconds);
    if (!expected.includes(status)) wrong.push(`${key} ${text.slice(0, 300)}`);
  };
  const half = async (): Promise<{ requests: number; heap: number; resident: number }> => {
    const own = { duration, connections: connections - sharing };
    await Promise.all([
      loop(service.port, own, stepsOf(LIFE, keys, note)),
      loop(service.port, { duration, connections: sharing }, stepsOf([SHARED], [shared], note)),
    ]);
    const heap = await liveHeap(await servers.inspector('service'));
    const requests = [...took.values()].flat().length;
    return { requests, heap, resident: await memory(servers.pid) };
  };
  const before = await half();
  log('half-time');
  const after = await half();

  const { requests } = after;
  const total = { requests, 'requests/s': Math.round(requests / seconds), errors: wrong.length };
  const growth = ((after.heap - before.heap) * 2 ** 20) / (requests - before.requests);
  // A quick run is too short for memory figures.
  if (!quick) {
    if (!took.has('page, shared key: 429')) wrong.push('No request reached the limit.');
    if (growth > MAX_HEAP_GROWTH) wrong.push(`The heap grew by ${growth} bytes a request.`);
    if (after.resident > before.resident * (1 + MAX_GROWTH)) wrong.push('workerd grew too much.');
  }
  const operations = Array.from(took, ([name, times]) => ({
    ...{ 'operation: status': name, requests: times.length },
    ...{ 'p50 ms': median(times), 'p99 ms': quantile(times, 0.99) },
  }));
  const memories = [
    { MiB: 'heap of the service', 'at half-time': before.heap, 'at the end': after.heap },
    { MiB: 'all of workerd', 'at half-time': before.resident, 'at the end': after.resident },
  ];
  const tables = [
    { title: `${connections} connections for ${seconds} seconds`, rows: [total] },
    { title: 'By operation', rows: operations },
    { title: 'Memory after garbage collection', rows: memories },
  ];
  return { tables, wrong: wrong.slice(-10) };
}

type Note = (operation: Operation, answer: Answer) => void;
let lives = 0;

/** The operations of one product life cycle, with another key for each. */
function stepsOf(operations: readonly Operation[], keys: string[], note: Note): Step[] {
  const byRound = new WeakMap<object, Life>();
  const lifeOf = (round: object): Life => {
    const number = ++lives;
    const fresh = { number, apiKey: keys[number % keys.length] ?? '', path: PRODUCTS, etag: '' };
    const life = byRound.get(round) ?? fresh;
    byRound.set(round, life);
    return life;
  };
  return operations.map((operation) => ({
    call: (round) => [lifeOf(round).apiKey, operation[2](lifeOf(round))],
    answered: (answer, round) => {
      note(operation, answer);
      const life = lifeOf(round);
      life.etag = answer.etag || life.etag;
      const id = /"product":\{"id":"([^"]+)"/.exec(answer.text)?.[1];
      if (id !== undefined) life.path = `${PRODUCTS}/${id}`;
    },
  }));
}
