// What `sync` loads when it is used: one file in a bundle.
export { executeSync } from './execute.ts';
export { planSync } from './plan.ts';
