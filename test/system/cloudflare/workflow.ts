import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ROOT } from './project.ts';

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

/** A workflow of GitHub. */
export type Workflow = z.infer<typeof workflow>;

/** A command of a workflow, with the variables that it is given there. */
export interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Reads a workflow, such as `deploy.yml`. */
export function readWorkflow(name: string): Workflow {
  return workflow.parse(parse(readFileSync(join(ROOT, '.github/workflows', name), 'utf8')));
}

/**
 * The commands of a job in order.
 * @param expressions what GitHub puts in the place of `${{ … }}`, by the text between the braces
 */
export function stepsOf(
  job: Workflow['jobs'][string] | undefined,
  expressions: Readonly<Record<string, string>>,
): Step[] {
  return (job?.steps ?? []).flatMap(({ run, env }) =>
    run === undefined ? [] : [{ run, env: filled({ ...job?.env, ...env }, expressions) }],
  );
}

function filled(
  variables: Readonly<Record<string, string>>,
  expressions: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
        const replacement = expressions[expression];
        if (replacement === undefined) throw new Error(`The test has no value for ${expression}.`);
        return replacement;
      }),
    ]),
  );
}
