import { expect, it } from 'vitest';
import { concurrentMap } from '../../common/concurrent-map.ts';

const NUMBERS = Array.from({ length: 20 }, (_, index) => index);

it('The results are in the order of the values, whichever is done first', async () => {
  let running = 0;
  let most = 0;
  const results = await concurrentMap(NUMBERS, 4, async (value) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, (7 * value) % 5));
    running--;
    return 2 * value;
  });
  expect(results).toEqual(NUMBERS.map((value) => 2 * value));
  expect(most).toBe(4);
});

it('Nothing is begun once one has failed, and what was begun is waited for', async () => {
  const ends: (() => void)[] = [];
  let isDone = false;
  const mapping = concurrentMap(NUMBERS, 4, (value) =>
    value === 0
      ? Promise.reject(new Error('No answer.'))
      : new Promise<void>((resolve) => ends.push(resolve)),
  ).finally(() => (isDone = true));
  const failed = expect(mapping).rejects.toThrow('No answer.');
  await new Promise(setImmediate);
  expect([ends.length, isDone]).toEqual([3, false]);
  for (const end of ends) end();
  await failed;
  expect(ends).toHaveLength(3);
});

it('What was begun learns that another one has failed', async () => {
  const mapping = concurrentMap(NUMBERS, 2, (value, failed) =>
    value === 0
      ? Promise.reject(new Error('No answer.'))
      : new Promise<void>((_, reject) => {
          failed.addEventListener('abort', () => {
            reject(new Error('Given up.'));
          });
        }),
  );
  await expect(mapping).rejects.toThrow('No answer.');
});
