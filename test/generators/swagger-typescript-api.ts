import { generateApi } from 'swagger-typescript-api';
import * as z from 'zod';

const declaredResponses = z.array(z.looseObject({ isSuccess: z.boolean(), type: z.string() }));

/** Writes a client with swagger-typescript-api; see `Generate` for the parameters. */
export async function generate(path: string, document: string): Promise<void> {
  await generateApi({
    input: document,
    output: path,
    fileName: 'api.ts',
    silent: true,
    hooks: {
      onCreateRoute: (route) => {
        const responses = declaredResponses.parse(route.responseBodyInfo?.responses);
        const types = responses.filter(({ isSuccess }) => isSuccess).map(({ type }) => type);
        return { ...route, response: { ...route.response, type: types.join(' | ') } };
      },
    },
  });
}
