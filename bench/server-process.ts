import { serve } from './servers.ts';

// A server in a process of its own, to be killed: `node bench/server-process.ts <folder>` serves the service on the
// database in the folder, and prints where it listens and the process of workerd as one line of JSON.

const [folder = ''] = process.argv.slice(2);
const contestant = { name: 'service', module: 'bench/workers/service.ts' };
const servers = await serve([contestant], { distance: 0, folder });
process.stdout.write(
  `${JSON.stringify({ port: servers.served[0]?.port, workerd: servers.pid })}\n`,
);

// It does not outlive who started it.
process.stdin.on('end', () => process.exit()).resume();
