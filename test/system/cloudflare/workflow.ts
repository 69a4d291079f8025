import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { ROOT } from './project.ts';

const workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      env: z.record(z.string(), z.string()).default({}),
      steps: z.array(
        z.object({
          uses: z.string().optional(),
          run: z.string().optional(),
          env: z.record(z.string(), z.string()).default({}),
        }),
      ),
    }),
  ),
});

/** A command of a workflow, with the variables that it is given there. */
export interface Step {
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The commands of a workflow in order.
 * @param expressions what GitHub puts in the place of `${{ … }}`, by the text between the braces
 */
export function stepsOf(file: string, expressions: Readonly<Record<string, string>>): Step[] {
  const { jobs } = workflow.parse(parse(readFileSync(join(ROOT, file), 'utf8')));
  return Object.values(jobs).flatMap(({ env, steps }) =>
    steps.flatMap((step) =>
      step.run === undefined
        ? []
        : [{ run: step.run, env: filled({ ...env, ...step.env }, expressions) }],
    ),
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
