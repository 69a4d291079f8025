import { expect, it } from 'vitest';
import { advance, beginMove } from '../../../mover/index.ts';
import { expectShape } from '../../node/json-shapes.ts';
import { record, records } from '../../node/processes.ts';
import { atTerminal } from '../../node/terminal.ts';
import type { Operator } from './operator.ts';
import { statusOf } from './tour.ts';

const WORKER = 'brand-integration-api-production';
const REMOTE = '--remote --env production';

/**
 * Tries the restore of one database of three by Time Travel, with a brand that has moved out of it since then; and then of the
 * database to which it moved.
 */
export function testRestore(operatorOf: () => Operator): void {
  const json = async (command: string): Promise<Record<string, unknown>> =>
    record(JSON.parse(await operatorOf().run(`npm run -s admin -- ${command} --json ${REMOTE}`)));

  const move = async (brandId: string, source: number, target: number): Promise<void> => {
    const { databases, runtime } = operatorOf().account;
    const open = (number: number): Promise<D1Database> =>
      runtime.database(databases.find(`${WORKER}-${number}`).uuid);
    const [from, to] = [await open(source), await open(target)];
    const begun = await beginMove(from, { brandId, source, target, actor: 'Ann' });
    if (begun === undefined) throw new Error('The move has not begun.');
    // A run that failed is followed by another one, as what drives moves does it.
    for (let failures = 0; failures < 5;) {
      const next = await advance(from, to, begun).catch(() => undefined);
      if (next === undefined) failures += 1;
      else if (next.next !== 'again') return;
    }
    throw new Error('The move does not end.');
  };

  let [brandId, apiKey, revoked, revokedId] = ['', '', '', ''];
  const statuses = async (): Promise<number[]> => {
    const url = operatorOf().account.runtime.urlOf(WORKER);
    return [await statusOf(url, apiKey), await statusOf(url, revoked)];
  };

  it('restores one of them, and resets the tokens of its brands', async () => {
    const operator = operatorOf();
    const made = await json('brand create Travelling --database 1');
    [brandId, apiKey] = [String(made['brandId']), String(made['apiKey'])];
    const issued = await json(`key issue ${brandId}`);
    [revoked, revokedId] = [String(issued['apiKey']), String(issued['keyId'])];
    const { total } = await json('brand list');
    await operator.type('npx wrangler d1 time-travel info DB_1 --env production');
    operator.values.set('2026-11-20T09:30:00Z', new Date().toISOString());
    await json('brand create Later --database 1');
    await move(brandId, 1, 2);
    await json(`key revoke ${revokedId}`);
    const moves = await operator.type(
      `npm run admin -- audit --action brand.move.done --since 7d ${REMOTE}`,
    );
    expect(moves).toContain(brandId);
    await operator.type(
      'npx wrangler d1 time-travel restore DB_1 --env production --timestamp 2026-11-20T09:30:00Z',
    );
    // The brand is counted twice.
    expect((await json('brand list'))['total']).toBe(Number(total) + 1);
    const { databases } = await json('database list');
    const brands = Number(records(databases)[1]?.['brands']);
    const reset = await atTerminal(
      operator.take(`npm run admin -- tokens reset --all --database 1 ${REMOTE}`),
      operator.project,
      {
        question: `all brands (${brands}) in the deployed database 1 of the environment`,
        answer: String(brands),
      },
    );
    expect(reset.code).toBe(0);
  });

  it('finds the brand that has moved meanwhile at home twice, and repairs that', async () => {
    const operator = operatorOf();
    // A revoked key lives again in the database that was restored.
    expect(await statuses()).toEqual([200, 200]);
    const refused = await operator.project.type(
      `npm run -s admin -- key issue ${brandId} ${REMOTE}`,
    );
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('is at home in the databases 1 and 2'),
    ]);
    const found = await operator.attempt(`npm run admin -- database check ${REMOTE}`);
    expect([found.code, found.stdout, found.stderr]).toEqual([
      1,
      expect.stringContaining('twice'),
      expect.stringMatching(/Database 2 keeps it[\s\S]*error: 1 brand is not in order/),
    ]);
    const repaired = await atTerminal(
      operator.take(`npm run admin -- database check --repair ${REMOTE}`),
      operator.project,
      { question: 'This repairs 1 of 1 brands', answer: 'yes' },
    );
    expect([repaired.code, repaired.screen]).toEqual([0, expect.stringContaining('twice')]);
    expect(await json('database check')).toEqual({ faults: [] });
    expect(await statuses()).toEqual([200, 401]);
  });

  it('gives a brand back to the database that it has left, if its new one is restored', async () => {
    const operator = operatorOf();
    const { databases } = operator.account;
    const moment = await databases.moment(databases.find(`${WORKER}-1`));
    await move(brandId, 2, 1);
    const issued = await json(`key issue ${brandId}`);
    await databases.restore(databases.find(`${WORKER}-1`), moment.bookmark);
    // Each database says that the other one has the brand, so nobody knows whether a key is revoked.
    expect(await statuses()).toEqual([503, 503]);
    const document = record(
      JSON.parse(
        (
          await operator.project.type(
            `npm run -s admin -- database check --repair --yes --json ${REMOTE}`,
          )
        ).stdout,
      ),
    );
    expectShape('database check', document);
    expect(records(document['faults'])).toMatchObject([
      { brandId, fault: 'nowhere', isRepaired: true },
    ]);
    expect(await statuses()).toEqual([200, 401]);
    const url = operator.account.runtime.urlOf(WORKER);
    // What was issued after the move is lost.
    expect(await statusOf(url, String(issued['apiKey']))).toBe(401);
    const { entries } = await json(`audit --brand ${brandId} --action brand.repair`);
    expect(records(entries).map(({ details }) => record(details)['act'])).toEqual([
      'close',
      'open',
    ]);
  });
}
