/** The minimal body of a PUT of the profile. */
export const bareProfile = { brand: { brandName: 'Bare' }, connection: {} };

/** A profile with a distinct value in every writable field. */
export const fullProfile = {
  brand: {
    brandName: 'Example Brand',
    cartMinimumCents: 5000,
    contactName: 'Alex Doe',
    customerLtvCents: 120_000,
    description: 'One line\nand another',
    grossMarginPercent: 62.5,
    logoUrl: 'https://cdn.example.com/logo.png',
    supportEmail: 'support@example.com',
    website: 'https://example.com',
  },
  connection: {
    lastDiscountsSyncAt: '2026-01-31T09:30:00.001Z',
    lastProductsSyncAt: '2026-01-31T09:31:00.999Z',
    lastSyncError: 'Token expired',
    status: 'ERROR',
    storeDomain: 'shop.example.com',
    syncEnabled: true,
  },
};

export const profileDefaults = {
  brand: {
    cartMinimumCents: 0,
    contactName: null,
    customerLtvCents: 0,
    description: '',
    grossMarginPercent: null,
    logoUrl: null,
    supportEmail: null,
    website: null,
  },
  connection: {
    lastDiscountsSyncAt: null,
    lastProductsSyncAt: null,
    lastSyncError: null,
    status: 'DISCONNECTED',
    storeDomain: null,
    syncEnabled: false,
  },
};
