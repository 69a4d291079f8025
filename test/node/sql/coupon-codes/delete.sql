insert into
  `tombstones` (brand_id, collection, change_number, id, request, deleted_at)
select
  `coupon_codes`.`brand_id`,
  'coupon-codes',
  1 + max(
    coalesce(
      (
        select
          change_number
        from
          `coupon_codes` as one
        where
          one.brand_id = `coupon_codes`.`brand_id`
        order by
          change_number desc
        limit
          1
      ),
      0
    ),
    coalesce(
      (
        select
          change_number
        from
          `tombstones`
        where
          brand_id = `coupon_codes`.`brand_id`
          and collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      0
    )
  ),
  `coupon_codes`.`id`,
  ?1,
  strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
from
  `coupon_codes`
where
  `coupon_codes`.`brand_id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?2
      and `api_keys`.`revoked_at` is null
      and (
        `api_keys`.`expires_at` is null
        or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      )
      and `api_keys`.`suspended_at` is null
      and `api_keys`.`moved_to` is null
      and `api_keys`.`scope` = 'write'
      and `api_keys`.`frozen_at` is null
  )
  and `coupon_codes`.`id` = ?3
  and (
    ?4 is null
    or `coupon_codes`.`revision` in (
      select
        value
      from
        json_each(?4)
    )
  )
  and not (
    ?5 is null
    or `coupon_codes`.`revision` in (
      select
        value
      from
        json_each(?5)
    )
  );

delete from `coupon_codes`
where
  `coupon_codes`.`brand_id` = (
    select
      `api_keys`.`brand_id`
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?1
      and `api_keys`.`moved_to` is null
  )
  and `coupon_codes`.`id` = ?2
  and instr(
    (
      select
        request
      from
        `tombstones`
      where
        brand_id = `coupon_codes`.`brand_id`
        and collection = 'coupon-codes'
      order by
        change_number desc
      limit
        1
    ),
    ?3
  );

select
  key.*,
  (
    instr(
      (
        select
          request
        from
          `tombstones`
        where
          brand_id = key.brand_id
          and collection = 'coupon-codes'
        order by
          change_number desc
        limit
          1
      ),
      ?1
    )
    or exists (
      select
        1
      from
        (
          select
            id,
            request
          from
            `tombstones`
          where
            brand_id = key.brand_id
            and collection = 'coupon-codes'
            and ?2
          order by
            change_number desc
          limit
            10000
        )
      where
        instr(request, ?1)
    )
  ) as has_written,
  `coupon_codes`.`revision`
from
  (
    select
      iif(`api_keys`.`moved_to` is null, `api_keys`.`brand_id`, null) as brand_id,
      `api_keys`.`scope`,
      `api_keys`.`suspended_at`,
      `api_keys`.`frozen_at`,
      `api_keys`.`moved_to`,
      `api_keys`.`revoked_at` is null
      and (
        `api_keys`.`expires_at` is null
        or `api_keys`.`expires_at` > strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
      ) as is_live
    from
      `api_keys`
    where
      `api_keys`.`hash` = ?3
  ) as key
  left join `coupon_codes` on `coupon_codes`.`brand_id` = key.brand_id
  and `coupon_codes`.`id` = ?4
where
  key.is_live
  or key.moved_to is not null
  or has_written;
