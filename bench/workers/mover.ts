import * as z from 'zod';
import type { Database } from '../../mover/index.ts';
import { advance, beginMove, redirect } from '../../mover/index.ts';
import { bindingOf, numbersIn } from '../../src/db/databases.ts';
import type { Databases } from '../../src/env.ts';

// Moves brands between the databases of the service, one step with each request, as the steps of a Workflow do.

const planned = z.object({
  ...{ brandId: z.string(), source: z.number(), target: z.number(), actor: z.string() },
});
const begun = z.object({ ...planned.shape, id: z.string(), generation: z.number() });

const mover: Required<Pick<ExportedHandler<Databases>, 'fetch'>> = {
  async fetch(request, env) {
    const at = (number: number): Database => {
      const database = env[bindingOf(number)];
      if (database === undefined) throw new Error(`There is no database ${number}.`);
      return database;
    };
    const body = await request.json();
    if (new URL(request.url).pathname === '/begin') {
      const plan = planned.parse(body);
      return Response.json(await beginMove(at(plan.source), plan));
    }
    const move = begun.parse(body);
    const step = await advance(at(move.source), at(move.target), move);
    if (step.isSettled) {
      const others = numbersIn(Object.keys(env)).filter(
        (number) => number !== move.source && number !== move.target,
      );
      for (const number of others) await redirect(at(number), move);
    }
    return Response.json(step);
  },
};

export default mover;
