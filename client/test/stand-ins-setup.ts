import type { TestProject } from 'vitest/node';
import { STAND_INS, things } from './command/stand-ins.ts';

/** Starts a store of each platform for the tests in the Workers runtime, which can ask a server and not be one. */
export default async function setup(project: TestProject): Promise<() => void> {
  const ends: (() => void)[] = [];
  const environments: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, start] of Object.entries(STAND_INS)) {
    const standIn = await start((end) => ends.push(end));
    standIn.sell(things(150));
    environments[name] = standIn.env;
  }
  project.provide('storeEnvironments', environments);
  return () => {
    for (const end of ends) end();
  };
}
