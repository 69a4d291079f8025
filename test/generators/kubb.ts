import { memoryStorage, safeBuild } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

/** Writes a client with Kubb; see `Generate` for the parameters. Throws what Kubb reports. */
export async function generate(path: string, document: string): Promise<void> {
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
