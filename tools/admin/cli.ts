import { refuseOptionsKeptByNpm } from '../npm-options.ts';
import { openDatabase } from './database.ts';
import { runAdmin } from './run.ts';

refuseOptionsKeptByNpm('admin', ['remote', 'env']);
process.exitCode = await runAdmin(process.argv.slice(2), openDatabase);
