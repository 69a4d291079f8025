import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { ProgressBar } from '../../common/terminal/progress-bar.ts';

/** What a bar has written to a stream. */
function written(act: (bar: ProgressBar) => void, terminal: object): string {
  const stream = Object.assign(new PassThrough(), terminal);
  act(new ProgressBar('rows', stream));
  return String(stream.read() ?? '');
}

it('A bar shows how many are done, and ends its line', () => {
  const said = written(
    (bar) => {
      bar.show(0, 4);
      for (let done = 1; done <= 4; done++) bar.show(done, 4);
      bar.stop();
      bar.stop();
    },
    { isTTY: true, columns: 80 },
  );
  const [empty, full] = ['░'.repeat(40), '█'.repeat(40)];
  expect(said).toBe(`\r${empty} 0 of 4 rows\u001b[K\r${full} 4 of 4 rows\u001b[K\n`);
});

it('A bar fits into its terminal, and takes more than all', () => {
  const act = (bar: ProgressBar): void => {
    bar.show(5, 4);
    bar.stop();
  };
  expect(written(act, { isTTY: true, columns: 20 })).toContain(`\r${'█'.repeat(19)}\u001b[K`);
});

it('Without a terminal, nothing is shown', () => {
  const act = (bar: ProgressBar): void => {
    bar.show(1, 2);
    bar.stop();
  };
  expect(written(act, {})).toBe('');
});
