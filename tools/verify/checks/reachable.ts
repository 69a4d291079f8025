import type { Check } from '../check.ts';
import { BASE } from '../contract.ts';

/** Checks that something answers at the address. If nothing does, all other checks would fail for this one reason. */
export const reachable: Check = {
  name: 'address',
  async run({ service }) {
    await service.site('GET', `${BASE}/openapi.json`);
  },
};
