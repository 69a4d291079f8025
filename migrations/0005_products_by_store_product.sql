-- The one look-up that a store's webhooks repeat all day. The other filters scan the brand's own rows:
-- each further index would cost a written row with every product, a thousand times what it costs to read one.
create index products_by_store_product on products (brand_id, store_product_id) where store_product_id is not null;
