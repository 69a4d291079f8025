import type { Chance } from './chance.ts';
import type { MovingBrand } from './moving-brand.ts';

/** A part of what happens to the brand. It knows what must be true in the end. */
export abstract class Part {
  protected readonly brand: MovingBrand;
  protected readonly chance: Chance;

  constructor(brand: MovingBrand, chance: Chance) {
    this.brand = brand;
    this.chance = chance;
  }

  /** Expects what must be true when nobody acts any more. */
  abstract expectEnd(): Promise<void>;
}
