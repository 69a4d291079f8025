-- The index for the lookup that a store's webhooks repeat all day. The other filters scan the brand's rows: each extra
-- index adds one written row per product, which costs about 1,000 times a row read.
create index products_by_store_product on products (brand_id, store_product_id) where store_product_id is not null;
