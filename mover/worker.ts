import type { Bindings } from './bindings.ts';
import { databaseOf, numbersOf } from './bindings.ts';
import { unfreeze } from './freeze.ts';

// The mover's Worker. It serves no requests: `brand move` of the admin tool starts its Workflow.
export { BrandMove } from './workflow.ts';

export default {
  /** Runs every minute: ends the freezes that have lasted a minute, in every database, whatever happened to the mover. */
  async scheduled(_controller, env) {
    const failures: Error[] = [];
    await Promise.all(
      numbersOf(env).map(async (number) => {
        await unfreeze(databaseOf(env, number)).catch((error: unknown) => {
          // The others go on.
          failures.push(new Error(`Database ${number}: ${String(error)}`));
        });
      }),
    );
    // The runtime logs the message.
    if (failures.length > 0) throw new AggregateError(failures, failures.join('; '));
  },
} satisfies ExportedHandler<Bindings>;
