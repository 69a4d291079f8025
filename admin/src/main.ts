import '../../common/terminal/closed-pipe.js';
import { openDatabase } from './database/connect.ts';
import { runAdmin } from './run.ts';

// The runtime of the local database logs its failures there, with stacks. The tool says in a sentence what they mean.
for (const level of ['log', 'info', 'warn', 'error'] as const) {
  console[level] = () => undefined;
}

// That runtime would keep this process from ending. It ends with it.
void runAdmin(process.argv.slice(2), openDatabase).then((code) => process.exit(code));
