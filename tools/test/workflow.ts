import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ROOT } from '../../common/wrangler/wrangler.ts';

const texts = z.record(z.string(), z.string());
// Loose, so that tests see everything that GitHub does.
const workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: texts,
  jobs: z.record(
    z.string(),
    z.looseObject({
      uses: z.string().optional(),
      needs: z.string().optional(),
      environment: z.string().optional(),
      permissions: texts.default({}),
      env: texts.default({}),
      steps: z
        .array(
          z.looseObject({
            uses: z.string().optional(),
            run: z.string().optional(),
            with: z.record(z.string(), z.unknown()).default({}),
            env: texts.default({}),
          }),
        )
        .default([]),
    }),
  ),
});

export type Workflow = z.infer<typeof workflow>;

/** Reads a workflow, such as `deploy.yml`. */
export function readWorkflow(name: string): Workflow {
  return workflow.parse(parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8')));
}
