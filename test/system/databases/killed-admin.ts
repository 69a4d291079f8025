import { openDatabase } from '../../../tools/admin/database.ts';
import type { Open } from '../../../tools/admin/databases.ts';
import { inline } from '../../../tools/admin/execute.ts';
import { runAdmin } from '../../../tools/admin/run.ts';
import { interceptExecute } from '../../support/intercept-execute.ts';

// The admin tool, which ends as if killed once it has made so many calls that change something: killed-admin.ts NUMBER WORDS

const [last, ...words] = process.argv.slice(2);
let writes = 0;
const open: Open = (target) =>
  interceptExecute(openDatabase(target), async (call, statements) => {
    const results = await call();
    const isWrite = statements.some((text) => !/^\s*(select|with)\b/i.test(inline(text)));
    if (isWrite && ++writes === Number(last)) process.exit(137);
    return results;
  });

process.exit(await runAdmin(words, open));
