import { readFile, writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import { memoryStorage, safeBuild } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate as orval } from 'orval';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';
import { generateApi } from 'swagger-typescript-api';
import * as z from 'zod';

/** Makes a client of an OpenAPI document. */
export interface Generator {
  readonly name: string;
  /** What it needs beside the document: options, and what its user has to know. */
  readonly needs: string;
  /**
   * @param path the folder to write to
   * @param document the file with the document
   * @param baseUrl of the service
   */
  readonly generate: (path: string, document: string, baseUrl: string) => Promise<void>;
}

/**
 * The generators of clients in TypeScript, and what each needs to work with this document. How a program uses each is in
 * `test/data/rounds`.
 */
export const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    needs: 'openapi-typescript with its default options, and openapi-fetch to send the requests.',
    generate: openapiFetch,
  },
  {
    name: 'hey-api',
    needs: '`module.extension` for Node, whose imports name the file. The key goes into `auth`.',
    generate: heyApi,
  },
  {
    name: 'orval',
    needs:
      '`client: "fetch"`, and `baseUrl`: the document has a relative URL. The key goes with every call. The status tells the types of a response apart.',
    generate: orvalFetch,
  },
  {
    name: 'swagger-typescript-api',
    needs:
      'A hook: of several responses of success it knows the first only, and a POST has two. It ignores header parameters: pass them as `headers`.',
    generate: swaggerTypescriptApi,
  },
  {
    name: 'kubb',
    needs:
      '`client: "fetch"` with `bundle`, since the types of its own client do not compile; `dataReturnType: "full"` for the status; `extension` for Node. It does not throw on errors.',
    generate: kubb,
  },
];

/**
 * Classes in Python that need nothing but its standard library. npm has no generator of whole clients in Python that
 * does without packages of Python.
 */
export const pythonModels: Generator = {
  name: 'quicktype',
  needs:
    'The schemas as one JSON Schema, since it reads no OpenAPI; without `date-time`, since it would read times with another package. It cannot send null: a PATCH that clears a field is a dictionary.',
  generate: quicktypePython,
};

async function openapiFetch(path: string, document: string): Promise<void> {
  const types = await openapiTypescript(await readFile(document, 'utf8'));
  await writeFile(`${path}/schema.ts`, astToString(types));
}

async function heyApi(path: string, document: string): Promise<void> {
  await createClient({
    input: document,
    output: { path, clean: false, module: { extension: '.js' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
    logs: { level: 'silent', file: false },
  });
}

async function orvalFetch(path: string, document: string, baseUrl: string): Promise<void> {
  await orval({
    input: document,
    output: { target: `${path}/api.ts`, client: 'fetch', baseUrl },
  });
}

async function swaggerTypescriptApi(path: string, document: string): Promise<void> {
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

const declaredResponses = z.array(z.looseObject({ isSuccess: z.boolean(), type: z.string() }));

async function kubb(path: string, document: string): Promise<void> {
  const { error } = await safeBuild({
    config: {
      root: path,
      input: { path: document },
      output: {
        path: '.',
        clean: false,
        extension: { '.ts': '.js' },
        // Its usual one writes everything a second time, into the current folder.
        storage: memoryStorage(),
      },
      plugins: [
        pluginOas(),
        pluginTs(),
        // oxlint-disable-next-line typescript/no-deprecated -- its note says to set it, until it is always so
        pluginClient({ client: 'fetch', bundle: true, dataReturnType: 'full' }),
      ],
    },
  });
  if (error) throw error;
}

async function quicktypePython(path: string, document: string): Promise<void> {
  const schemas = componentSchemas.parse(JSON.parse(await readFile(document, 'utf8')));
  const text = JSON.stringify(schemas.components.schemas)
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll('"format":"date-time",', '');
  const definitions = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  const properties = Object.fromEntries(
    Object.keys(definitions).map((name) => [name, { $ref: `#/definitions/${name}` }]),
  );
  const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
  const schema = JSON.stringify({ type: 'object', properties, definitions });
  await input.addSource({ name: 'Everything', schema });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: 'python',
    rendererOptions: { 'python-version': '3.7' },
  });
  await writeFile(`${path}/models.py`, lines.join('\n'));
}

const componentSchemas = z.object({
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
