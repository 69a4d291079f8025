import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';

const configSchema = z.object({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  keep_names: z.boolean(),
  ratelimits: z.array(
    z.object({
      name: z.string(),
      namespace_id: z.string(),
      simple: z.object({ limit: z.number(), period: z.literal([10, 60]) }),
    }),
  ),
});

/** What `wrangler.toml` says of the deployed Worker. */
export const config = configSchema.parse(
  unstable_readConfig({ config: join(import.meta.dirname, '../wrangler.toml') }),
);
