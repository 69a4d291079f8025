import type { Metafile } from 'esbuild';

export function buildCommand(outfile: string): { readonly metafile: Metafile };
