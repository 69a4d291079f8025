import process from 'node:process';
import { text } from 'node:stream/consumers';

// Loaded before wrangler, with `node --import`: takes the statements of `d1 execute` from standard input. As an argument
// they could have 128 KB, and everybody on the machine could read them.

process.argv.push('--command', await text(process.stdin));
