import { BrandMove as Mover } from '../../mover/worker.ts';

// The Worker of the tests: the service, and the Workflow of the mover over the databases of the tests.
export { default } from '../../src/index.ts';

export class BrandMove extends Mover {
  constructor(ctx: ExecutionContext, env: Cloudflare.Env) {
    const { DB, OTHER_1: DB_1, OTHER_2: DB_2, OTHER_3: DB_3, MOVES } = env;
    super(ctx, { DB, DB_1, DB_2, DB_3, MOVES });
  }
}
