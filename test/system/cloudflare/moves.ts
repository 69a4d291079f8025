import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { databaseOfKey } from '../../../src/auth/api-key.ts';
import { expectShape } from '../../node/json-shapes.ts';
import { record } from '../../node/processes.ts';
import { atTerminal } from '../../node/terminal.ts';
import type { Operator } from './operator.ts';
import { statusOf } from './tour.ts';

// Moves of brands between the databases of an environment: a part of the story of an operator who has several.

const ENVIRONMENT = 'production';
const API = `brand-integration-api-${ENVIRONMENT}`;
const MOVER = `${API}-mover`;
const MOVE = 'npm run admin -- brand move BRAND_ID --to 1 --remote --env production';
const STATUS = 'npm run admin -- brand move BRAND_ID --status --remote --env production';
const ABORT = 'npm run admin -- brand move BRAND_ID --abort --remote --env production';

const configuration = z.object({
  d1_databases: z.array(z.object({ binding: z.string(), database_id: z.string() })),
});

interface Brand {
  readonly brandId: string;
  readonly apiKey: string;
}

/** How many rows a brand has that is to move, and after how many the target is stuck. */
const [ROWS, STUCK_AFTER] = [7000, 5000];

/** Adds the tests. Their brands are in database 0. */
export function describeMoves(begun: () => Operator): void {
  const json = async (command: string): Promise<Record<string, unknown>> => {
    const line = `npm run -s admin -- ${command} --json --remote --env production`;
    return record(JSON.parse(await begun().run(line)));
  };

  const run = async (number: number, sql: string): Promise<unknown> => {
    const { databases } = begun().account;
    const name = number === 0 ? API : `${API}-${number}`;
    const [result] = await databases.run(databases.find(name), sql);
    return result?.results;
  };

  /** Creates a brand of several pages. */
  const newBrand = async (): Promise<Brand> => {
    const { brandId, apiKey } = await json('brand create Moving --database 0');
    const row = `'${String(brandId)}', 'products', value, printf('01890000-0000-7000-8000-%012d', value)`;
    await run(
      0,
      `insert into tombstones (brand_id, collection, change_number, id, deleted_at)
       with recursive numbers (value) as (select 1 union all select value + 1 from numbers where value < ${ROWS})
       select ${row}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from numbers`,
    );
    begun().values.set('BRAND_ID', String(brandId));
    return { brandId: String(brandId), apiKey: String(apiKey) };
  };

  const serves = (apiKey: string): Promise<number> =>
    statusOf(begun().account.runtime.urlOf(API), apiKey);

  /** Begins a move that cannot be completed, presses Ctrl-C, and lets everything at Cloudflare end. */
  const beginAndKill = async (): Promise<void> => {
    const operator = begun();
    await run(
      1,
      `create trigger stuck before insert on tombstones when new.change_number > ${STUCK_AFTER} begin select raise(abort, 'stuck'); end`,
    );
    const { code, screen } = await atTerminal(operator.take(MOVE), operator.project, {
      question: `${STUCK_AFTER} of ${ROWS} rows`,
      answer: '\u0003',
    });
    expect(screen).toContain(
      'If the move has begun, it goes on: run the command again to watch it',
    );
    expect(code).toBe(130);
    await operator.account.runtime.kill();
    await run(1, 'drop trigger stuck');
  };

  it('has a second Worker, whose configuration is that of the first', async () => {
    const { account, project } = begun();
    const { schedules, isOnWorkersDev, versions } = account.workers.find(MOVER);
    expect([schedules, isOnWorkersDev]).toEqual([['* * * * *'], false]);
    const [api] = account.workers.find(API).versions.slice(-1);
    const isDatabase = ({ type }: { type: string }): boolean => type === 'd1';
    const bound = versions.at(-1)?.upload.bindings.filter(isDatabase);
    expect(bound).toHaveLength(3);
    expect(bound).toEqual(api?.upload.bindings.filter(isDatabase));
    const written = join(project.folder, `.wrangler/mover/${ENVIRONMENT}.json`);
    const { d1_databases } = configuration.parse(JSON.parse(await readFile(written, 'utf8')));
    expect(d1_databases.map(({ database_id }) => database_id)).toEqual(
      bound?.map((each) => ('id' in each ? each.id : '')),
    );
  });

  it('goes on with a move after Ctrl-C, and after everything at Cloudflare has ended', async () => {
    const operator = begun();
    const { brandId, apiKey } = await newBrand();
    await beginAndKill();
    const at = { brandId, from: 0, to: 1, rows: STUCK_AFTER, state: 'copying' };
    expect(await json(`brand move ${brandId} --status`)).toMatchObject(at);
    expect(await serves(apiKey)).toBe(200);

    await operator.type(MOVE);
    const status = await json(`brand move ${brandId} --status`);
    expectShape('brand move', status);
    expect(status).toMatchObject({ ...at, rows: ROWS, state: 'settled', failedCommits: 0 });
    expect(await serves(apiKey)).toBe(200);
    const issued = await json(`key issue ${brandId}`);
    expect(databaseOfKey(String(issued['apiKey']))).toBe(1);
    expect(await operator.type(STATUS)).toContain('settled');
    const { code, stderr } = await operator.attempt(MOVE);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('The brand is in database 1 already.'),
    ]);
    const refused = await operator.attempt(ABORT);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('The way back is another move: --to 0.'),
    ]);
  });

  it('gives a move up, and deletes the copy', async () => {
    const { brandId } = await newBrand();
    await beginAndKill();
    expect(await begun().type(ABORT)).toMatch(/ over .* The operator has given it up\. /);
    const left = `select count(*) as count from tombstones where brand_id = '${brandId}'`;
    expect([await run(0, left), await run(1, left)]).toEqual([[{ count: ROWS }], [{ count: 0 }]]);
  });

  it('unfreezes brands every minute', async () => {
    const { account } = begun();
    const brands = `brand_id in (select brand_id from moves where role = 'in')`;
    const past = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-61 seconds')`;
    await run(1, `update api_keys set frozen_at = ${past} where ${brands}`);
    const frozen = 'select count(*) as count from api_keys where frozen_at is not null';
    expect(await run(1, frozen)).not.toEqual([{ count: 0 }]);
    expect(await account.runtime.runSchedule(MOVER, '* * * * *')).toBe('ok');
    expect(await run(1, frozen)).toEqual([{ count: 0 }]);
  });
}
