import { isDeepStrictEqual } from 'node:util';
import type { Product, ProductPatch } from '../../client/src/index.ts';
import type { ImportedProduct } from './shopify-export.ts';

/** What of a product the export says otherwise, as a PATCH; undefined where nothing differs. */
export function differences(product: Product, imported: ImportedProduct): ProductPatch | undefined {
  const changed = Object.entries(imported).filter(
    ([field, value]) => !isDeepStrictEqual(Reflect.get(product, field), value),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
