import { sql } from 'drizzle-orm';
import type { Execute } from '../../tools/admin/execute.ts';

// A brand with a value in every column of every table.

const TIME = '2026-01-31T09:30:00.000Z';

/** A text that is hard to carry. */
const HOSTILE = `it's; COMMIT; BEGIN TRANSACTION; "x" \\ { [ ], \u2028 Größe 🧴\n\t</script>`;

/** Values that are as long as the API allows. No statement takes them, so SQLite makes them. */
const LONGEST = sql`replace(printf('%.65535c', 'x'), 'x', '🧴')`;
const IMAGES = sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
  select json_group_array('https://shop.example/' || replace(printf('%.2000c', 'x'), 'x', 'é') || n) from numbers)`;

const id = (n: number): string => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Fills a brand that `brand create` made, so that no column of its rows is always null. */
export async function fillBrand(execute: Execute, brandId: string): Promise<void> {
  await execute(
    sql`update brands set contact_name = 'Ada', description = ${HOSTILE}, website = 'https://a.example', logo_url = 'https://a.example/l.png',
      support_email = 'a@a.example', cart_minimum_cents = 9999999999, customer_ltv_cents = 1, gross_margin_percent = -12.34,
      connection_status = 'ERROR', store_domain = 'a.example', sync_enabled = 1, last_products_sync_at = ${TIME},
      last_discounts_sync_at = ${TIME}, last_sync_error = ${HOSTILE} where id = ${brandId}`,
    sql`insert into products values (${brandId}, ${id(1)}, ${id(2)}, ${TIME}, ${TIME}, 7, ${'Rope'}, ${HOSTILE}, 'rope', 'A-1', 1250, 'USD', 12.5, 41.25, 1,
      'https://a.example/1.jpg', ${IMAGES}, 'OTHER', 2147483647, 'LIVE', -5, 'gid://shopify/Product/1', 'v1', 'ACTIVE', 'SHOPIFY', 'SYNCED', ${TIME}, ${HOSTILE}, ${TIME})`,
    sql`insert into products (brand_id, id, revision, created_at, updated_at, change_number, title, description, handle, price_cents,
        currency_code, discount_percent, featured, image_urls, marketplace_category, service_inventory_quantity, service_listing_status,
        store_inventory_quantity, source, sync_status)
      select brand_id, ${id(3)}, revision, created_at, updated_at, 8, 'Long', ${LONGEST}, handle, 0,
        'EUR', 15, 0, '[]', 'A', 0, 'DRAFT', 0, 'API', 'NOT_LINKED' from products where brand_id = ${brandId}`,
    sql`insert into coupon_codes values (${brandId}, ${id(4)}, ${id(2)}, ${TIME}, ${TIME}, 3, 'Save10', 1, 'OTHER', 2, 3, 'note', 10.25, 'd1', 'SYNCED', ${TIME})`,
    sql`insert into tombstones values (${brandId}, 'products', 9, ${id(5)}, ${TIME}), (${brandId}, 'products', 1790000000000000, ${id(5)}, ${TIME})`,
    sql`insert into idempotency_records values (${brandId}, 'order-1', ${'ab'.repeat(32)}, ${id(6)}, ${TIME}, ${'["x", 1.50]'})`,
  );
}
