import type { Check, CheckContext } from '../check.ts';
import { generateApiKey } from '../../../src/auth/api-key.ts';
import { described, member } from '../answer.ts';
import type { RequestOptions } from '../service.ts';

/** Checks which keys are accepted, and the error texts of rejected ones. */
export const access: Check = {
  name: 'keys',
  async run({ service, fail }) {
    const stranger = generateApiKey();
    const refusals: readonly [text: string, path: string, options: RequestOptions][] = [
      ['Missing API key.', '/profile', { key: null }],
      ['Missing API key.', `/profile?api_key=${stranger}`, { key: null }],
      ['Invalid API key.', '/profile', { key: 'bik_nonsense' }],
      ['Invalid API key.', '/profile', { key: stranger }],
      ['Conflicting API keys.', '/profile', { headers: { 'x-service-api-key': stranger } }],
    ];
    for (const [text, path, options] of refusals) {
      const answer = await service.expect(401, 'GET', path, options);
      const error = member(answer.body, 'error');
      if (error !== text) fail(`${described(answer)}: “${String(error)}”, expected “${text}”`);
      if (answer.headers.get('WWW-Authenticate') !== 'Bearer') {
        fail(`${described(answer)}: WWW-Authenticate is not Bearer`);
      }
    }
    await service.expect(200, 'GET', '/profile');
    await service.expect(200, 'GET', '/profile', {
      key: null,
      headers: { 'x-service-api-key': service.apiKey },
    });
  },
};

/** Checks the scope of the key with a write that changes nothing. */
export function scope(expected: 'read' | 'write'): Check {
  return {
    name: 'scope of the key',
    async run(context: CheckContext) {
      const answer = await context.service.api('PATCH', '/profile', { body: {} });
      const error = member(answer.body, 'error');
      const found = error === 'This API key is read-only.' ? 'read' : 'write';
      if (found === 'write' && answer.status !== 200) {
        throw new Error(`${described(answer)}, expected 200. ${String(error)}`);
      }
      context.note(found);
      if (found !== expected) {
        const advice = found === 'read' ? ' Give --read-only to check what it can read.' : '';
        context.fail(`The key has the scope ${found}, expected ${expected}.${advice}`);
      }
    },
  };
}
