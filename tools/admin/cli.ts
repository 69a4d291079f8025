import { openDatabase } from './database.ts';
import { runAdmin } from './run.ts';

process.exitCode = await runAdmin(process.argv.slice(2), openDatabase);
