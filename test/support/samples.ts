import { brandFields, connectionFields } from './fields/profile.ts';
import { defaultsOf, valuesOf } from './fields/row.ts';

/** The minimal body of a PUT of the profile. */
export const bareProfile = { brand: { brandName: 'Bare' }, connection: {} };

/** A profile with a value in every writable field that is not its default. */
export const fullProfile = { brand: valuesOf(brandFields), connection: valuesOf(connectionFields) };

export const profileDefaults = {
  brand: defaultsOf(brandFields),
  connection: defaultsOf(connectionFields),
};
