// Generated from the OpenAPI document by "npm run openapi".

export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The brand that the API key belongs to. */
        Brand: {
            /**
             * @description The name of the brand that customers see. A string of 1 to 255 characters without control characters.
             * @example Northwind Nutrition
             */
            brandName: string;
            /**
             * @description The least that an order must come to, in the minor unit of its currency. 0 means that there is no minimum. An integer from 0 to 9,999,999,999.
             * @example 2500
             */
            cartMinimumCents: number;
            /**
             * @description The person whom the service contacts about the brand. A string of 1 to 255 characters without control characters. It may be null.
             * @example Ada Berg
             */
            contactName: string | null;
            /**
             * Format: date-time
             * @description When it was created, in UTC with milliseconds.
             */
            createdAt: string;
            /**
             * @description The lifetime value: what an average customer spends with the brand over the years, in the minor unit of the currency. The brand estimates it. An integer from 0 to 9,999,999,999.
             * @example 18400
             */
            customerLtvCents: number;
            /**
             * @description The text about the brand that customers read. A string of 0 to 5,000 characters without control characters other than line ends and tabs.
             * @example Supplements for people who train outdoors.
             */
            description: string;
            /**
             * @description The gross margin of the brand over all of its products. It is negative if the brand sells at a loss. A number from -1,000 to 100 with at most two decimals. It may be null.
             * @example 62.5
             */
            grossMarginPercent: number | null;
            /**
             * @description The address of the brand's logo. An http or https URL of at most 2,048 characters. It may be null.
             * @example https://northwind.example/logo.png
             */
            logoUrl: string | null;
            /**
             * Format: email
             * @description The address to which customers write for help. An e-mail address of at most 254 characters. It may be null.
             * @example support@northwind.example
             */
            supportEmail: string | null;
            /**
             * Format: date-time
             * @description When it last changed, in UTC with milliseconds.
             */
            updatedAt: string;
            /**
             * @description The address of the brand's own website. An http or https URL of at most 2,048 characters. It may be null.
             * @example https://northwind.example
             */
            website: string | null;
        };
        /** @description The state of the brand's connection to its store platform. */
        Connection: {
            /**
             * Format: date-time
             * @description When the integration last finished a sync of the coupon codes. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:15:00.000Z
             */
            lastDiscountsSyncAt: string | null;
            /**
             * Format: date-time
             * @description When the integration last finished a sync of the products. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastProductsSyncAt: string | null;
            /**
             * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null.
             * @example null
             */
            lastSyncError: string | null;
            /**
             * @description Whether the service is connected to the store platform. The integration sets it. One of CONNECTED, PENDING, ERROR, DISCONNECTED.
             * @example CONNECTED
             * @enum {string}
             */
            status: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
            /**
             * Format: hostname
             * @description The domain of the connected store. A host name of at most 253 characters, such as shop.example.com. It may be null.
             * @example northwind.example
             */
            storeDomain: string | null;
            /**
             * @description Whether products and coupon codes are to be kept in sync with the store platform. True or false.
             * @example true
             */
            syncEnabled: boolean;
        };
        /** @description The brand's discounts: codes that customers enter when they pay. */
        CouponCode: {
            /**
             * @description Whether the code can be used at present. The brand sets it. True or false.
             * @example true
             */
            active: boolean;
            /**
             * @description What the code is for, such as a discount for athletes. An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @example ATHLETE_DISCOUNT
             */
            category: string;
            /**
             * @description What customers enter. No two codes of a brand are equal, whatever their case. A code of 1 to 64 printable ASCII characters without spaces.
             * @example SAVE10
             */
            code: string;
            /**
             * @description How often the code has been used. The integration copies it from the store platform, so it may exceed `maxUses`. An integer from 0 to 2,147,483,647.
             * @example 12
             */
            currentUses: number;
            /**
             * @description A note about the code. A string of 0 to 1,000 characters without control characters other than line ends and tabs.
             * @example Ten percent off for athletes.
             */
            description: string;
            /**
             * @description The discount on the price that the code gives. A number above 0, up to 100, with at most two decimals.
             * @example 10
             */
            discountPercent: number;
            /**
             * Format: uuid
             * @description A lower-case UUID, assigned by the service.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the code was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt: string | null;
            /**
             * @description How often the code may be used in all. It is null if there is no limit. An integer from 1 to 2,147,483,647. It may be null.
             * @example 500
             */
            maxUses: number | null;
            /**
             * @description The id of the linked discount on the store platform. It is null if the code is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/DiscountCodeNode/3000
             */
            storeDiscountId: string | null;
            /**
             * @description Whether the code agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
        };
        /** @description A complete coupon code. Omitted fields have their defaults. */
        CouponCodeInput: {
            /**
             * @description Whether the code can be used at present. The brand sets it. True or false. Default: `true`.
             * @example true
             */
            active?: boolean;
            /**
             * @description What the code is for, such as a discount for athletes. An upper-case name of 1 to 64 letters, digits and underscores, a letter first. Default: `"OTHER"`.
             * @example ATHLETE_DISCOUNT
             */
            category?: string;
            /**
             * @description What customers enter. No two codes of a brand are equal, whatever their case. A code of 1 to 64 printable ASCII characters without spaces.
             * @example SAVE10
             */
            code: string;
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description How often the code has been used. The integration copies it from the store platform, so it may exceed `maxUses`. An integer from 0 to 2,147,483,647. Default: `0`.
             * @example 12
             */
            currentUses?: number;
            /**
             * @description A note about the code. A string of 0 to 1,000 characters without control characters other than line ends and tabs. Default: `""`.
             * @example Ten percent off for athletes.
             */
            description?: string;
            /**
             * @description The discount on the price that the code gives. A number above 0, up to 100, with at most two decimals.
             * @example 10
             */
            discountPercent: number;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /**
             * Format: date-time
             * @description When the code was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null. Default: The time of the write with a `storeDiscountId`, null without one.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt?: string | null;
            /**
             * @description How often the code may be used in all. It is null if there is no limit. An integer from 1 to 2,147,483,647. It may be null. Default: `null`.
             * @example 500
             */
            maxUses?: number | null;
            /**
             * @description The id of the linked discount on the store platform. It is null if the code is not linked. A string of 1 to 255 characters without control characters. It may be null. Default: `null`.
             * @example gid://shopify/DiscountCodeNode/3000
             */
            storeDiscountId?: string | null;
            /**
             * @description Whether the code agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED. Default: SYNCED with a `storeDiscountId`, NOT_LINKED without one.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description The fields to change (RFC 7396). Omitted fields stay unchanged. */
        CouponCodePatch: {
            /**
             * @description Whether the code can be used at present. The brand sets it. True or false.
             * @example true
             */
            active?: boolean;
            /**
             * @description What the code is for, such as a discount for athletes. An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @example ATHLETE_DISCOUNT
             */
            category?: string;
            /**
             * @description What customers enter. No two codes of a brand are equal, whatever their case. A code of 1 to 64 printable ASCII characters without spaces.
             * @example SAVE10
             */
            code?: string;
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description How often the code has been used. The integration copies it from the store platform, so it may exceed `maxUses`. An integer from 0 to 2,147,483,647.
             * @example 12
             */
            currentUses?: number;
            /**
             * @description A note about the code. A string of 0 to 1,000 characters without control characters other than line ends and tabs.
             * @example Ten percent off for athletes.
             */
            description?: string;
            /**
             * @description The discount on the price that the code gives. A number above 0, up to 100, with at most two decimals.
             * @example 10
             */
            discountPercent?: number;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /**
             * Format: date-time
             * @description When the code was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt?: string | null;
            /**
             * @description How often the code may be used in all. It is null if there is no limit. An integer from 1 to 2,147,483,647. It may be null.
             * @example 500
             */
            maxUses?: number | null;
            /**
             * @description The id of the linked discount on the store platform. It is null if the code is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/DiscountCodeNode/3000
             */
            storeDiscountId?: string | null;
            /**
             * @description Whether the code agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description An item that deletes the coupon code that it matches. It has the field that `match` names and `deleted`. */
        CouponCodePushDeletion: {
            /**
             * @description What customers enter. No two codes of a brand are equal, whatever their case. A code of 1 to 64 printable ASCII characters without spaces.
             * @example SAVE10
             */
            code?: string;
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description Makes the item a deletion.
             * @constant
             */
            deleted: true;
            /** @description With `match=id`, the id of the resource, a lower-case UUID. With another `match`, it is ignored, so that the response of a GET can be sent back. */
            id?: unknown;
            /**
             * @description The id of the linked discount on the store platform. It is null if the code is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/DiscountCodeNode/3000
             */
            storeDiscountId?: string | null;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /**
         * @description An ISO 4217 currency code such as USD.
         * @enum {string}
         */
        CurrencyCode: string;
        /** @description What a brand sells. */
        Product: {
            /**
             * Format: date-time
             * @description When it was created, in UTC with milliseconds.
             */
            createdAt: string;
            /**
             * @description The currency of the price. An ISO 4217 currency code such as USD.
             * @example USD
             */
            currencyCode: components["schemas"]["CurrencyCode"];
            /**
             * @description The text about the product that customers read. A string of 0 to 65,535 characters without control characters other than line ends and tabs.
             * @example Whey protein with natural vanilla, 450 g.
             */
            description: string;
            /**
             * @description The discount on the price, in percent. A number from 0 to 100 with at most two decimals.
             * @example 15
             */
            discountPercent: number;
            /**
             * @description Whether the service presents the product in a prominent place. True or false.
             * @example false
             */
            featured: boolean;
            /**
             * @description The part of a URL that names the product. The service does not require it to be unique. 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \ ? # % < >.
             * @example whey-protein-vanilla
             */
            handle: string;
            /**
             * Format: uuid
             * @description A lower-case UUID, assigned by the service.
             */
            id: string;
            /**
             * @description The address of the main image. The service stores addresses, not images. An http or https URL of at most 2,048 characters. It may be null.
             * @example https://northwind.example/images/1.jpg
             */
            imageUrl: string | null;
            /**
             * @description The addresses of all images, in the order in which they are shown. A change of them does not change `imageUrl`: send both. A list of at most 250 URLs.
             * @example [
             *       "https://northwind.example/images/1.jpg"
             *     ]
             */
            imageUrls: string[];
            /**
             * Format: date-time
             * @description When the product was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt: string | null;
            /**
             * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null.
             * @example null
             */
            lastSyncError: string | null;
            /**
             * @description The share of the price that remains to the brand, in percent. It is negative for a product sold at a loss. A number from -1,000 to 100 with at most two decimals. It may be null.
             * @example 41.25
             */
            marginPercent: number | null;
            /**
             * @description The category in which the service lists the product. An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @example SUPPLEMENTS
             */
            marketplaceCategory: string;
            /**
             * @description The regular price in the minor unit of the currency, before any discount. An integer from 0 to 9,999,999,999.
             * @example 3999
             */
            priceCents: number;
            /**
             * @description The inventory held in the service: how many items it can sell. Whoever writes the product sets it; the service never changes it by itself. An integer from 0 to 2,147,483,647.
             * @example 40
             */
            serviceInventoryQuantity: number;
            /**
             * @description Whether the service shows the product to customers, and if not, why. It does not depend on `storeStatus`. One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @example LIVE
             * @enum {string}
             */
            serviceListingStatus: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            /**
             * @description The stock keeping unit: the brand's own number for what it sells. Several products may have the same. A string of 1 to 255 characters without control characters. It may be null.
             * @example NW-001
             */
            sku: string | null;
            /**
             * @description Where the product came from: the store platform, or another system in upper case. An upper-case name of 1 to 32 letters, digits and underscores, a letter first.
             * @example SHOPIFY
             */
            source: string;
            /**
             * Format: date-time
             * @description When the product was last changed at its source. Compare it with the source to find out whether a sync is needed. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-30T16:05:12.000Z
             */
            sourceUpdatedAt: string | null;
            /**
             * @description How many items the store platform has in stock. The integration copies it from there; it is negative if the store has sold more than it had. An integer from -2,147,483,647 to 2,147,483,647.
             * @example 120
             */
            storeInventoryQuantity: number;
            /**
             * @description The id of the linked product on the store platform. It is null if the product is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/Product/1000
             */
            storeProductId: string | null;
            /**
             * @description The status of the product on the store platform. The integration copies it from there. One of ACTIVE, DRAFT, ARCHIVED, UNLISTED. It may be null.
             * @example ACTIVE
             * @enum {string|null}
             */
            storeStatus: "ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED" | null;
            /**
             * @description The id of the linked variant of that product on the store platform. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/ProductVariant/2000
             */
            storeVariantId: string | null;
            /**
             * @description Whether the product agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /**
             * @description The name that customers see. A string of 1 to 255 characters without control characters.
             * @example Whey Protein, Vanilla
             */
            title: string;
            /**
             * Format: date-time
             * @description When it last changed, in UTC with milliseconds.
             */
            updatedAt: string;
        };
        /** @description A complete product. Omitted fields have their defaults. */
        ProductInput: {
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description The currency of the price. An ISO 4217 currency code such as USD. Default: `"USD"`.
             * @example USD
             */
            currencyCode?: components["schemas"]["CurrencyCode"];
            /**
             * @description The text about the product that customers read. A string of 0 to 65,535 characters without control characters other than line ends and tabs. Default: `""`.
             * @example Whey protein with natural vanilla, 450 g.
             */
            description?: string;
            /**
             * @description The discount on the price, in percent. A number from 0 to 100 with at most two decimals. Default: `0`.
             * @example 15
             */
            discountPercent?: number;
            /**
             * @description Whether the service presents the product in a prominent place. True or false. Default: `false`.
             * @example false
             */
            featured?: boolean;
            /**
             * @description The part of a URL that names the product. The service does not require it to be unique. 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \ ? # % < >. Default: The slug of the title; the id if no letter or digit of the title is left in it.
             * @example whey-protein-vanilla
             */
            handle?: string;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /**
             * @description The address of the main image. The service stores addresses, not images. An http or https URL of at most 2,048 characters. It may be null. Default: The first of `imageUrls`, or null if there is none.
             * @example https://northwind.example/images/1.jpg
             */
            imageUrl?: string | null;
            /**
             * @description The addresses of all images, in the order in which they are shown. A change of them does not change `imageUrl`: send both. A list of at most 250 URLs. Default: A list of `imageUrl` alone, or an empty list if there is none.
             * @example [
             *       "https://northwind.example/images/1.jpg"
             *     ]
             */
            imageUrls?: string[];
            /**
             * Format: date-time
             * @description When the product was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null. Default: The time of the write with a `storeProductId`, null without one.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt?: string | null;
            /**
             * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null. Default: `null`.
             * @example null
             */
            lastSyncError?: string | null;
            /**
             * @description The share of the price that remains to the brand, in percent. It is negative for a product sold at a loss. A number from -1,000 to 100 with at most two decimals. It may be null. Default: `null`.
             * @example 41.25
             */
            marginPercent?: number | null;
            /**
             * @description The category in which the service lists the product. An upper-case name of 1 to 64 letters, digits and underscores, a letter first. Default: `"OTHER"`.
             * @example SUPPLEMENTS
             */
            marketplaceCategory?: string;
            /**
             * @description The regular price in the minor unit of the currency, before any discount. An integer from 0 to 9,999,999,999.
             * @example 3999
             */
            priceCents: number;
            /**
             * @description The inventory held in the service: how many items it can sell. Whoever writes the product sets it; the service never changes it by itself. An integer from 0 to 2,147,483,647. Default: `0`.
             * @example 40
             */
            serviceInventoryQuantity?: number;
            /**
             * @description Whether the service shows the product to customers, and if not, why. It does not depend on `storeStatus`. One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED. Default: `"DRAFT"`.
             * @example LIVE
             * @enum {string}
             */
            serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            /**
             * @description The stock keeping unit: the brand's own number for what it sells. Several products may have the same. A string of 1 to 255 characters without control characters. It may be null. Default: `null`.
             * @example NW-001
             */
            sku?: string | null;
            /**
             * @description Where the product came from: the store platform, or another system in upper case. An upper-case name of 1 to 32 letters, digits and underscores, a letter first. Default: The platform that a `storeProductId` of the form `gid://NAME/…` names, in upper case; STORE for another `storeProductId`, API without one.
             * @example SHOPIFY
             */
            source?: string;
            /**
             * Format: date-time
             * @description When the product was last changed at its source. Compare it with the source to find out whether a sync is needed. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null. Default: `null`.
             * @example 2026-01-30T16:05:12.000Z
             */
            sourceUpdatedAt?: string | null;
            /**
             * @description How many items the store platform has in stock. The integration copies it from there; it is negative if the store has sold more than it had. An integer from -2,147,483,647 to 2,147,483,647. Default: `0`.
             * @example 120
             */
            storeInventoryQuantity?: number;
            /**
             * @description The id of the linked product on the store platform. It is null if the product is not linked. A string of 1 to 255 characters without control characters. It may be null. Default: `null`.
             * @example gid://shopify/Product/1000
             */
            storeProductId?: string | null;
            /**
             * @description The status of the product on the store platform. The integration copies it from there. One of ACTIVE, DRAFT, ARCHIVED, UNLISTED. It may be null. Default: `null`.
             * @example ACTIVE
             * @enum {string|null}
             */
            storeStatus?: "ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED" | null;
            /**
             * @description The id of the linked variant of that product on the store platform. A string of 1 to 255 characters without control characters. It may be null. Default: `null`.
             * @example gid://shopify/ProductVariant/2000
             */
            storeVariantId?: string | null;
            /**
             * @description Whether the product agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED. Default: SYNCED with a `storeProductId`, NOT_LINKED without one.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /**
             * @description The name that customers see. A string of 1 to 255 characters without control characters.
             * @example Whey Protein, Vanilla
             */
            title: string;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description The fields to change (RFC 7396). Omitted fields stay unchanged. */
        ProductPatch: {
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description The currency of the price. An ISO 4217 currency code such as USD.
             * @example USD
             */
            currencyCode?: components["schemas"]["CurrencyCode"];
            /**
             * @description The text about the product that customers read. A string of 0 to 65,535 characters without control characters other than line ends and tabs.
             * @example Whey protein with natural vanilla, 450 g.
             */
            description?: string;
            /**
             * @description The discount on the price, in percent. A number from 0 to 100 with at most two decimals.
             * @example 15
             */
            discountPercent?: number;
            /**
             * @description Whether the service presents the product in a prominent place. True or false.
             * @example false
             */
            featured?: boolean;
            /**
             * @description The part of a URL that names the product. The service does not require it to be unique. 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \ ? # % < >.
             * @example whey-protein-vanilla
             */
            handle?: string;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /**
             * @description The address of the main image. The service stores addresses, not images. An http or https URL of at most 2,048 characters. It may be null.
             * @example https://northwind.example/images/1.jpg
             */
            imageUrl?: string | null;
            /**
             * @description The addresses of all images, in the order in which they are shown. A change of them does not change `imageUrl`: send both. A list of at most 250 URLs.
             * @example [
             *       "https://northwind.example/images/1.jpg"
             *     ]
             */
            imageUrls?: string[];
            /**
             * Format: date-time
             * @description When the product was last compared with the store platform. The integration sets it. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-31T09:30:00.000Z
             */
            lastSyncedAt?: string | null;
            /**
             * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null.
             * @example null
             */
            lastSyncError?: string | null;
            /**
             * @description The share of the price that remains to the brand, in percent. It is negative for a product sold at a loss. A number from -1,000 to 100 with at most two decimals. It may be null.
             * @example 41.25
             */
            marginPercent?: number | null;
            /**
             * @description The category in which the service lists the product. An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @example SUPPLEMENTS
             */
            marketplaceCategory?: string;
            /**
             * @description The regular price in the minor unit of the currency, before any discount. An integer from 0 to 9,999,999,999.
             * @example 3999
             */
            priceCents?: number;
            /**
             * @description The inventory held in the service: how many items it can sell. Whoever writes the product sets it; the service never changes it by itself. An integer from 0 to 2,147,483,647.
             * @example 40
             */
            serviceInventoryQuantity?: number;
            /**
             * @description Whether the service shows the product to customers, and if not, why. It does not depend on `storeStatus`. One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @example LIVE
             * @enum {string}
             */
            serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            /**
             * @description The stock keeping unit: the brand's own number for what it sells. Several products may have the same. A string of 1 to 255 characters without control characters. It may be null.
             * @example NW-001
             */
            sku?: string | null;
            /**
             * @description Where the product came from: the store platform, or another system in upper case. An upper-case name of 1 to 32 letters, digits and underscores, a letter first.
             * @example SHOPIFY
             */
            source?: string;
            /**
             * Format: date-time
             * @description When the product was last changed at its source. Compare it with the source to find out whether a sync is needed. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-30T16:05:12.000Z
             */
            sourceUpdatedAt?: string | null;
            /**
             * @description How many items the store platform has in stock. The integration copies it from there; it is negative if the store has sold more than it had. An integer from -2,147,483,647 to 2,147,483,647.
             * @example 120
             */
            storeInventoryQuantity?: number;
            /**
             * @description The id of the linked product on the store platform. It is null if the product is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/Product/1000
             */
            storeProductId?: string | null;
            /**
             * @description The status of the product on the store platform. The integration copies it from there. One of ACTIVE, DRAFT, ARCHIVED, UNLISTED. It may be null.
             * @example ACTIVE
             * @enum {string|null}
             */
            storeStatus?: "ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED" | null;
            /**
             * @description The id of the linked variant of that product on the store platform. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/ProductVariant/2000
             */
            storeVariantId?: string | null;
            /**
             * @description Whether the product agrees with the store platform. The integration sets it. One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @example SYNCED
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /**
             * @description The name that customers see. A string of 1 to 255 characters without control characters.
             * @example Whey Protein, Vanilla
             */
            title?: string;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description An item that deletes the product that it matches. It has the field that `match` names and `deleted`, and may have `sourceUpdatedAt`. */
        ProductPushDeletion: {
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /**
             * @description Makes the item a deletion.
             * @constant
             */
            deleted: true;
            /**
             * @description The part of a URL that names the product. The service does not require it to be unique. 1 to 255 lower-case characters without white space, control characters, quotation marks or any of / \ ? # % < >.
             * @example whey-protein-vanilla
             */
            handle?: string;
            /** @description With `match=id`, the id of the resource, a lower-case UUID. With another `match`, it is ignored, so that the response of a GET can be sent back. */
            id?: unknown;
            /**
             * @description The stock keeping unit: the brand's own number for what it sells. Several products may have the same. A string of 1 to 255 characters without control characters. It may be null.
             * @example NW-001
             */
            sku?: string | null;
            /**
             * Format: date-time
             * @description When the product was last changed at its source. Compare it with the source to find out whether a sync is needed. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
             * @example 2026-01-30T16:05:12.000Z
             */
            sourceUpdatedAt?: string | null;
            /**
             * @description The id of the linked product on the store platform. It is null if the product is not linked. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/Product/1000
             */
            storeProductId?: string | null;
            /**
             * @description The id of the linked variant of that product on the store platform. A string of 1 to 255 characters without control characters. It may be null.
             * @example gid://shopify/ProductVariant/2000
             */
            storeVariantId?: string | null;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description The brand and its store connection. */
        Profile: {
            brand: components["schemas"]["Brand"];
            connection: components["schemas"]["Connection"];
        };
        /** @description The complete profile. Omitted fields are reset to their defaults. */
        ProfileInput: {
            /** @description The brand that the API key belongs to. */
            brand: {
                /**
                 * @description The name of the brand that customers see. A string of 1 to 255 characters without control characters.
                 * @example Northwind Nutrition
                 */
                brandName: string;
                /**
                 * @description The least that an order must come to, in the minor unit of its currency. 0 means that there is no minimum. An integer from 0 to 9,999,999,999. Default: `0`.
                 * @example 2500
                 */
                cartMinimumCents?: number;
                /**
                 * @description The person whom the service contacts about the brand. A string of 1 to 255 characters without control characters. It may be null. Default: `null`.
                 * @example Ada Berg
                 */
                contactName?: string | null;
                /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly createdAt?: unknown;
                /**
                 * @description The lifetime value: what an average customer spends with the brand over the years, in the minor unit of the currency. The brand estimates it. An integer from 0 to 9,999,999,999. Default: `0`.
                 * @example 18400
                 */
                customerLtvCents?: number;
                /**
                 * @description The text about the brand that customers read. A string of 0 to 5,000 characters without control characters other than line ends and tabs. Default: `""`.
                 * @example Supplements for people who train outdoors.
                 */
                description?: string;
                /**
                 * @description The gross margin of the brand over all of its products. It is negative if the brand sells at a loss. A number from -1,000 to 100 with at most two decimals. It may be null. Default: `null`.
                 * @example 62.5
                 */
                grossMarginPercent?: number | null;
                /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly id?: unknown;
                /**
                 * @description The address of the brand's logo. An http or https URL of at most 2,048 characters. It may be null. Default: `null`.
                 * @example https://northwind.example/logo.png
                 */
                logoUrl?: string | null;
                /**
                 * Format: email
                 * @description The address to which customers write for help. An e-mail address of at most 254 characters. It may be null. Default: `null`.
                 * @example support@northwind.example
                 */
                supportEmail?: string | null;
                /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly updatedAt?: unknown;
                /**
                 * @description The address of the brand's own website. An http or https URL of at most 2,048 characters. It may be null. Default: `null`.
                 * @example https://northwind.example
                 */
                website?: string | null;
            };
            /** @description The state of the brand's connection to its store platform. */
            connection: {
                /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly createdAt?: unknown;
                /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly id?: unknown;
                /**
                 * Format: date-time
                 * @description When the integration last finished a sync of the coupon codes. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null. Default: `null`.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                lastDiscountsSyncAt?: string | null;
                /**
                 * Format: date-time
                 * @description When the integration last finished a sync of the products. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null. Default: `null`.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastProductsSyncAt?: string | null;
                /**
                 * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null. Default: `null`.
                 * @example null
                 */
                lastSyncError?: string | null;
                /**
                 * @description Whether the service is connected to the store platform. The integration sets it. One of CONNECTED, PENDING, ERROR, DISCONNECTED. Default: `"DISCONNECTED"`.
                 * @example CONNECTED
                 * @enum {string}
                 */
                status?: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
                /**
                 * Format: hostname
                 * @description The domain of the connected store. A host name of at most 253 characters, such as shop.example.com. It may be null. Default: `null`.
                 * @example northwind.example
                 */
                storeDomain?: string | null;
                /**
                 * @description Whether products and coupon codes are to be kept in sync with the store platform. True or false. Default: `false`.
                 * @example true
                 */
                syncEnabled?: boolean;
                /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly updatedAt?: unknown;
            };
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
        /** @description The fields to change, in either half or both (RFC 7396). */
        ProfilePatch: {
            /** @description The brand that the API key belongs to. */
            brand?: {
                /**
                 * @description The name of the brand that customers see. A string of 1 to 255 characters without control characters.
                 * @example Northwind Nutrition
                 */
                brandName?: string;
                /**
                 * @description The least that an order must come to, in the minor unit of its currency. 0 means that there is no minimum. An integer from 0 to 9,999,999,999.
                 * @example 2500
                 */
                cartMinimumCents?: number;
                /**
                 * @description The person whom the service contacts about the brand. A string of 1 to 255 characters without control characters. It may be null.
                 * @example Ada Berg
                 */
                contactName?: string | null;
                /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly createdAt?: unknown;
                /**
                 * @description The lifetime value: what an average customer spends with the brand over the years, in the minor unit of the currency. The brand estimates it. An integer from 0 to 9,999,999,999.
                 * @example 18400
                 */
                customerLtvCents?: number;
                /**
                 * @description The text about the brand that customers read. A string of 0 to 5,000 characters without control characters other than line ends and tabs.
                 * @example Supplements for people who train outdoors.
                 */
                description?: string;
                /**
                 * @description The gross margin of the brand over all of its products. It is negative if the brand sells at a loss. A number from -1,000 to 100 with at most two decimals. It may be null.
                 * @example 62.5
                 */
                grossMarginPercent?: number | null;
                /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly id?: unknown;
                /**
                 * @description The address of the brand's logo. An http or https URL of at most 2,048 characters. It may be null.
                 * @example https://northwind.example/logo.png
                 */
                logoUrl?: string | null;
                /**
                 * Format: email
                 * @description The address to which customers write for help. An e-mail address of at most 254 characters. It may be null.
                 * @example support@northwind.example
                 */
                supportEmail?: string | null;
                /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly updatedAt?: unknown;
                /**
                 * @description The address of the brand's own website. An http or https URL of at most 2,048 characters. It may be null.
                 * @example https://northwind.example
                 */
                website?: string | null;
            };
            /** @description The state of the brand's connection to its store platform. */
            connection?: {
                /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly createdAt?: unknown;
                /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly id?: unknown;
                /**
                 * Format: date-time
                 * @description When the integration last finished a sync of the coupon codes. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
                 * @example 2026-01-31T09:15:00.000Z
                 */
                lastDiscountsSyncAt?: string | null;
                /**
                 * Format: date-time
                 * @description When the integration last finished a sync of the products. An ISO 8601 time with an offset, such as 2026-01-31T09:30:00.000Z. It may be null.
                 * @example 2026-01-31T09:30:00.000Z
                 */
                lastProductsSyncAt?: string | null;
                /**
                 * @description Why the last sync failed. It is null if the last sync succeeded. A string of 1 to 2,000 characters without control characters other than line ends and tabs. It may be null.
                 * @example null
                 */
                lastSyncError?: string | null;
                /**
                 * @description Whether the service is connected to the store platform. The integration sets it. One of CONNECTED, PENDING, ERROR, DISCONNECTED.
                 * @example CONNECTED
                 * @enum {string}
                 */
                status?: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
                /**
                 * Format: hostname
                 * @description The domain of the connected store. A host name of at most 253 characters, such as shop.example.com. It may be null.
                 * @example northwind.example
                 */
                storeDomain?: string | null;
                /**
                 * @description Whether products and coupon codes are to be kept in sync with the store platform. True or false.
                 * @example true
                 */
                syncEnabled?: boolean;
                /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
                readonly updatedAt?: unknown;
            };
            /** @description When it was created, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly createdAt?: unknown;
            /** @description A lower-case UUID, assigned by the service. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly id?: unknown;
            /** @description When it last changed, in UTC with milliseconds. It is ignored in a request, so that the response of a GET can be sent back. */
            readonly updatedAt?: unknown;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCouponCodes: {
        parameters: {
            query?: {
                /**
                 * @description Only coupon codes whose `active` is exactly this.
                 * @example true
                 */
                active?: boolean;
                /**
                 * @description Only coupon codes whose `code` is exactly this.
                 * @example SAVE10
                 */
                code?: string;
                /**
                 * @description The start of the page: an opaque value from the Link header of the previous page. It requires `limit`.
                 * @example 01941f297c0070008000000000000001e8ed73e0
                 */
                cursor?: string;
                /**
                 * @description The maximum number of items per page. Without it, the list is complete; with `since`, the default is 250.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Returns what changed after this token was issued: 0 to start, then the `since` of the last response. It can be combined only with `limit`.
                 * @example 0
                 */
                since?: string;
                /**
                 * @description Only coupon codes whose `storeDiscountId` is exactly this.
                 * @example gid://shopify/DiscountCodeNode/3000
                 */
                storeDiscountId?: string;
                /**
                 * @description Only coupon codes whose `syncStatus` is exactly this.
                 * @example SYNCED
                 */
                syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
                /**
                 * @description Only coupon codes that were created or changed at this time or later.
                 * @example 2026-01-31T00:00:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createCouponCode: {
        parameters: {
            query?: {
                /**
                 * @description Reports what the push would do, and writes nothing. It requires `match`.
                 * @example true
                 */
                dryRun?: boolean;
                /**
                 * @description Makes the request a push: the field by which each item is matched with a coupon code. Every item must have it, and it must not be null.
                 * @example code
                 */
                match?: "id" | "code" | "storeDiscountId";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getCouponCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listProducts: {
        parameters: {
            query?: {
                /**
                 * @description The start of the page: an opaque value from the Link header of the previous page. It requires `limit`.
                 * @example 01941f297c0070008000000000000001440519ce
                 */
                cursor?: string;
                /**
                 * @description Only products whose `handle` is exactly this.
                 * @example whey-protein-vanilla
                 */
                handle?: string;
                /**
                 * @description The maximum number of items per page. Without it, the list is complete; with `since`, the default is 250.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Only products whose `serviceListingStatus` is exactly this.
                 * @example LIVE
                 */
                serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
                /**
                 * @description Returns what changed after this token was issued: 0 to start, then the `since` of the last response. It can be combined only with `limit`.
                 * @example 0
                 */
                since?: string;
                /**
                 * @description Only products whose `sku` is exactly this.
                 * @example NW-001
                 */
                sku?: string;
                /**
                 * @description Only products whose `storeProductId` is exactly this.
                 * @example gid://shopify/Product/1000
                 */
                storeProductId?: string;
                /**
                 * @description Only products whose `storeStatus` is exactly this.
                 * @example ACTIVE
                 */
                storeStatus?: "ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED";
                /**
                 * @description Only products whose `storeVariantId` is exactly this.
                 * @example gid://shopify/ProductVariant/2000
                 */
                storeVariantId?: string;
                /**
                 * @description Only products whose `syncStatus` is exactly this.
                 * @example SYNCED
                 */
                syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
                /**
                 * @description Only products that were created or changed at this time or later.
                 * @example 2026-01-31T00:00:00.000Z
                 */
                updatedSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    createProduct: {
        parameters: {
            query?: {
                /**
                 * @description Reports what the push would do, and writes nothing. It requires `match`.
                 * @example true
                 */
                dryRun?: boolean;
                /**
                 * @description An item whose `sourceUpdatedAt` is earlier than that of the product that it matches does nothing, and its status is `stale`. An item without a time, or for a product without one, is applied. It requires `match`.
                 * @example true
                 */
                ifNewer?: boolean;
                /**
                 * @description Makes the request a push: the field by which each item is matched with a product. Every item must have it, and it must not be null.
                 * @example storeProductId
                 */
                match?: "id" | "storeProductId" | "storeVariantId" | "sku" | "handle";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
}
