import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { ApiFailure, success } from './envelope.ts';
import type { Runtime } from './runtime.ts';
import type { Workers } from './workers.ts';

const put = z.strictObject({ script_name: z.string(), class_name: z.string() });
const created = z.strictObject({ instance_id: z.string(), params: z.unknown() });
const changed = z.strictObject({ status: z.literal('restart') });

/** A Workflow of the account, and the Worker that has its class. */
type Workflow = z.infer<typeof put> & { readonly id: string };

/**
 * The endpoints of Workflows, below an account. miniflare's engine runs the instances. Unlike Cloudflare's, it does not wake
 * up those that were at work when it was killed.
 */
export function workflowRoutes(workers: Workers, runtime: Runtime): Hono {
  const workflows = new Map<string, Workflow>();
  const routes = new Hono();

  const find = (name: string): Workflow => {
    const workflow = workflows.get(name);
    if (workflow === undefined) throw new ApiFailure(404, 10200, 'workflow.not_found');
    return workflow;
  };

  /** Returns the instances of a Workflow, by the binding that its own Worker has. */
  const instancesOf = (name: string): ReturnType<Runtime['workflow']> => {
    const { script_name: script } = find(name);
    const bindings = workers.find(script).versions.at(-1)?.upload.bindings ?? [];
    const bound = bindings.find((each) => each.type === 'workflow' && each.workflow_name === name);
    if (bound === undefined) throw new ApiFailure(501, 10000, `${script} does not bind ${name}.`);
    return runtime.workflow(script, bound.name);
  };

  const shown = (name: string): object => ({ ...find(name), name });

  routes.get('/:name', (c) => c.json(success(shown(c.req.param('name')))));

  routes.put('/:name', async (c) => {
    const name = c.req.param('name');
    const workflow = put.parse(await c.req.json());
    workers.find(workflow.script_name);
    workflows.set(name, { id: workflows.get(name)?.id ?? randomUUID(), ...workflow });
    return c.json(success(shown(name)));
  });

  routes.post('/:name/instances', async (c) => {
    const name = c.req.param('name');
    const { id: workflow } = find(name);
    const { instance_id: id, params } = created.parse(await c.req.json());
    await (await instancesOf(name)).create({ id, params });
    const answer = { id, status: 'queued', version_id: randomUUID(), workflow_id: workflow };
    return c.json(success(answer));
  });

  routes.get('/:name/instances/:instance', async (c) => {
    const instance = await (await instancesOf(c.req.param('name'))).get(c.req.param('instance'));
    return c.json(success({ ...(await instance.status()), steps: [], step_count: 0 }));
  });

  routes.patch('/:name/instances/:instance/status', async (c) => {
    changed.parse(await c.req.json());
    const instance = await (await instancesOf(c.req.param('name'))).get(c.req.param('instance'));
    await instance.restart();
    return c.json(success({ status: 'queued', timestamp: new Date().toISOString() }));
  });

  return routes;
}
