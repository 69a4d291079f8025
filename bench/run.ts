import { Command } from 'commander';
import Table from 'cli-table3';
import { keep } from './results.ts';
import { sideBySide } from './side-by-side.ts';

// npm run bench: every part in turn, or the one that is named.

const log = (text: string): void => {
  process.stderr.write(`${text}\n`);
};

const program = new Command('bench').description('measures what the service costs');

program
  .command('side-by-side')
  .description('this service beside a bare Worker, the usual design and chanfana')
  .option('--rounds <number>', 'in each of which everything has its turn', Number, 15)
  .action(async ({ rounds }: { rounds: number }) => {
    const lines = await sideBySide(rounds, log);
    await keep('side-by-side', lines);
    const table = new Table({
      head: [
        'operation',
        'contestant',
        'req/s',
        'p50 ms',
        'p99 ms',
        'CPU µs',
        '× bare',
        'far p50',
        '− bare',
        'calls/statements/rows read/written',
      ],
      style: { head: [], border: [] },
    });
    for (const { d1, ...line } of lines) {
      table.push([
        ...[line.operation, line.contestant, line.requestsPerSecond.toFixed(0)],
        ...[
          line.p50.toFixed(1),
          line.p99.toFixed(1),
          line.cpu.toFixed(0),
          line.cpuToBare.toFixed(2),
        ],
        ...[line.distantP50.toFixed(1), line.distantP50MinusBare.toFixed(1)],
        Object.values(d1).join(' / '),
      ]);
    }
    process.stdout.write(`${table.toString()}\n`);
  });

await program.parseAsync();
