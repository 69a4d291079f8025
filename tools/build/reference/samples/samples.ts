import type { Code } from '../code.ts';
import type { Operation } from '../document.ts';
import { curlSample } from './curl.ts';
import { pythonSample } from './python.ts';
import { requestsOf } from './requests.ts';
import { typescriptSample } from './typescript.ts';

/** A request in every language. */
export interface Sample {
  readonly title: string;
  readonly codes: readonly Code[];
}

/** The samples of all operations, by the id of the operation. */
export async function samplesOf(
  operations: readonly Operation[],
): Promise<ReadonlyMap<string, readonly Sample[]>> {
  return new Map(
    await Promise.all(
      operations.map(async (operation) => [operation.id, await samples(operation)] as const),
    ),
  );
}

function samples(operation: Operation): Promise<Sample[]> {
  return Promise.all(
    requestsOf(operation).map(async (request) => ({
      title: request.title,
      codes: [
        { language: 'sh', text: curlSample(request) },
        { language: 'ts', text: await typescriptSample(request) },
        { language: 'python', text: pythonSample(request) },
      ],
    })),
  );
}
