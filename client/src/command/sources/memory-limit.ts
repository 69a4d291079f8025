import { getHeapStatistics } from 'node:v8';
import { A_GIGABYTE } from '../../stores/memory.ts';
import type { Surroundings } from '../surroundings.ts';

/** Returns how much memory what a store sends may take, in bytes: a gigabyte, or half of Node's limit if somebody has raised it. */
export function memoryLimit({ env }: Pick<Surroundings, 'env'>): number {
  const options = [env['NODE_OPTIONS'], ...process.execArgv].join(' ');
  if (!/--max[-_]old[-_]space[-_]size/.test(options)) return A_GIGABYTE;
  return Math.max(A_GIGABYTE, getHeapStatistics().heap_size_limit / 2);
}
