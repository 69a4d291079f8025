/** What the service is measured beside. */
export const OTHERS = [
  { name: 'bare', module: 'bench/workers/bare.ts' },
  { name: 'usual', module: 'bench/workers/usual.ts' },
  { name: 'chanfana', module: 'bench/workers/chanfana.ts' },
] as const;
