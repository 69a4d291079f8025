import type { DescribedService } from './described.ts';
import * as examples from './examples.ts';
import { CHANGE_ERRORS, errors, etag, notModified, requestBody, response } from './operations.ts';
import { parameterRefs } from './parameters.ts';
import { json } from './content.ts';
import type { Schema } from './schema.ts';
import { ref } from './schema.ts';

/** Returns the path of the profile. */
export function profilePaths({ brand, connection }: DescribedService): Record<string, Schema> {
  const tags = ['Profile'];
  const example = examples.profile(brand, connection);
  const input = { brand: examples.writable(brand), connection: examples.writable(connection) };
  const ok = response('The profile.', json(ref('schemas', 'Profile'), example), etag);
  const patch = { connection: { syncEnabled: true } };
  return {
    '/profile': {
      get: {
        operationId: 'getProfile',
        summary: 'Read the profile',
        description: 'Reads the brand and the state of its store connection.',
        tags,
        parameters: parameterRefs('IfNoneMatch'),
        responses: { 200: ok, 304: notModified, ...errors({ 400: 'BadRequest' }) },
      },
      put: {
        operationId: 'replaceProfile',
        summary: 'Replace the profile',
        description:
          'Replaces all writable fields in both halves; omitted fields are reset to their defaults. Read-only fields are ignored.',
        tags,
        parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
        requestBody: requestBody(ref('schemas', 'ProfileInput'), input),
        responses: { 200: ok, ...errors({ 400: 'InvalidProfile', ...CHANGE_ERRORS }) },
      },
      patch: {
        operationId: 'updateProfile',
        summary: 'Change fields of the profile',
        description: 'Changes exactly the fields in the body, in either half.',
        tags,
        parameters: parameterRefs('IfMatch', 'IfNoneMatch'),
        requestBody: requestBody(ref('schemas', 'ProfilePatch'), patch),
        responses: { 200: ok, ...errors({ 400: 'InvalidProfile', ...CHANGE_ERRORS }) },
      },
    },
  };
}
