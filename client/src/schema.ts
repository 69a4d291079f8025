// Made from the OpenAPI document by «npm run openapi».

export interface paths {
    "/coupon-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the coupon codes
         * @description Lists the brand's coupon codes, oldest first: all of them, or with `limit` page by page.
         *
         *     With `since` it lists what changed after a token was issued, deletions included: start with `since=0`, apply the answer, follow `Link` while it is there, and continue later from the last `since`.
         */
        get: operations["listCouponCodes"];
        put?: never;
        /**
         * Create a coupon code, or many; with match, push many
         * @description Creates one coupon code, or, with the shape that a list has, up to 500 in one transaction: all or none.
         *
         *     With `match` it pushes: an item that matches a coupon code changes the fields that it names, and an item that matches none is created. Nothing is written if an item is refused, unless the request has `Prefer: handling=lenient`.
         *
         *     With `dryRun=true` it answers what the push would do, and writes nothing.
         */
        post: operations["createCouponCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coupon-codes/{codeId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the coupon code, as the list and the answer to its creation show it. */
                codeId: string;
            };
            cookie?: never;
        };
        /**
         * Read a coupon code
         * @description Reads one coupon code.
         */
        get: operations["getCouponCode"];
        /**
         * Replace a coupon code
         * @description Replaces everything writable; what is left out goes back to its default. Read-only fields are ignored.
         */
        put: operations["replaceCouponCode"];
        post?: never;
        /**
         * Delete a coupon code
         * @description Deletes the coupon code for good; a second time it is not found.
         */
        delete: operations["deleteCouponCode"];
        options?: never;
        head?: never;
        /**
         * Change fields of a coupon code
         * @description Changes exactly the fields that the body names.
         */
        patch: operations["updateCouponCode"];
        trace?: never;
    };
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products
         * @description Lists the brand's products, oldest first: all of them, or with `limit` page by page.
         *
         *     With `since` it lists what changed after a token was issued, deletions included: start with `since=0`, apply the answer, follow `Link` while it is there, and continue later from the last `since`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product, or many; with match, push many
         * @description Creates one product, or, with the shape that a list has, up to 500 in one transaction: all or none.
         *
         *     With `match` it pushes: an item that matches a product changes the fields that it names, and an item that matches none is created. Nothing is written if an item is refused, unless the request has `Prefer: handling=lenient`.
         *
         *     With `dryRun=true` it answers what the push would do, and writes nothing.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{productId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the product, as the list and the answer to its creation show it. */
                productId: string;
            };
            cookie?: never;
        };
        /**
         * Read a product
         * @description Reads one product.
         */
        get: operations["getProduct"];
        /**
         * Replace a product
         * @description Replaces everything writable; what is left out goes back to its default. Read-only fields are ignored.
         */
        put: operations["replaceProduct"];
        post?: never;
        /**
         * Delete a product
         * @description Deletes the product for good; a second time it is not found.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change fields of a product
         * @description Changes exactly the fields that the body names.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the profile
         * @description Reads the brand and the state of its store connection.
         */
        get: operations["getProfile"];
        /**
         * Replace the profile
         * @description Replaces everything writable in both halves. Read-only fields are ignored.
         */
        put: operations["replaceProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change fields of the profile
         * @description Changes exactly the fields that the body names, in either half.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The brand that the API key belongs to. */
        Brand: {
            /** @description A string of 1 to 255 characters without control characters. */
            brandName: string;
            /** @description An integer from 0 to 9,999,999,999. */
            cartMinimumCents: number;
            contactName: string | null;
            /**
             * Format: date-time
             * @description When it was made, in UTC with milliseconds.
             */
            createdAt: string;
            /** @description An integer from 0 to 9,999,999,999. */
            customerLtvCents: number;
            /** @description A string of 0 to 5,000 characters without control characters other than line ends and tabs. */
            description: string;
            grossMarginPercent: number | null;
            logoUrl: string | null;
            supportEmail: string | null;
            /**
             * Format: date-time
             * @description When it was last really changed, in UTC with milliseconds.
             */
            updatedAt: string;
            website: string | null;
        };
        /** @description The connection to the store platform. */
        Connection: {
            lastDiscountsSyncAt: string | null;
            lastProductsSyncAt: string | null;
            lastSyncError: string | null;
            /**
             * @description One of CONNECTED, PENDING, ERROR, DISCONNECTED.
             * @enum {string}
             */
            status: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
            storeDomain: string | null;
            syncEnabled: boolean;
        };
        /** @description A coupon code of the brand. */
        CouponCode: {
            active: boolean;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            category: string;
            /** @description A code of 1 to 64 printable ASCII characters without spaces. */
            code: string;
            /** @description An integer from 0 to 2,147,483,647. */
            currentUses: number;
            /** @description A string of 0 to 1,000 characters without control characters other than line ends and tabs. */
            description: string;
            /** @description A number above 0, 100 at most with at most two decimals. */
            discountPercent: number;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id: string;
            lastSyncedAt: string | null;
            maxUses: number | null;
            storeDiscountId: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
        };
        /** @description What changed since a token was issued. */
        CouponCodeChanges: {
            /** @description The coupon codes that were created or changed, as they are now, in the order of their last change. */
            couponCodes: components["schemas"]["CouponCode"][];
            /** @description The ids of the coupon codes that were deleted. */
            deletedCouponCodeIds: string[];
            /**
             * @description The token to continue from. It is opaque.
             * @example 8f2d1c6e5b0a94d31z
             */
            since: string;
        };
        CouponCodeDeleted: {
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            deletedCouponCodeId: string;
            /** @constant */
            success: true;
        };
        /** @description What a push would do. */
        CouponCodeDryRunResponse: {
            /** @description The coupon codes that were not refused, in order. `Prefer: return=minimal` omits them. */
            couponCodes?: components["schemas"]["CouponCodePreview"][];
            /** @description One result for each item, in order. */
            results: components["schemas"]["PushResult"][];
        };
        CouponCodeEnvelope: {
            couponCode: components["schemas"]["CouponCode"];
        };
        /** @description A whole coupon code. What is left out has its default. */
        CouponCodeInput: {
            /** @default true */
            active?: boolean;
            /**
             * @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @default OTHER
             */
            category?: string;
            /** @description A code of 1 to 64 printable ASCII characters without spaces. */
            code: string;
            readonly createdAt?: unknown;
            /**
             * @description An integer from 0 to 2,147,483,647.
             * @default 0
             */
            currentUses?: number;
            /**
             * @description A string of 0 to 1,000 characters without control characters other than line ends and tabs.
             * @default
             */
            description?: string;
            /** @description A number above 0, 100 at most with at most two decimals. */
            discountPercent: number;
            readonly id?: unknown;
            lastSyncedAt?: string | null;
            /** @default null */
            maxUses?: number | null;
            /** @default null */
            storeDiscountId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            readonly updatedAt?: unknown;
        };
        CouponCodeList: {
            couponCodes: components["schemas"]["CouponCode"][];
        };
        /** @description Many at once: all are made, or none. */
        CouponCodeListInput: {
            couponCodes: components["schemas"]["CouponCodeInput"][];
        };
        /** @description The fields to change (RFC 7396). What is left out stays as it is. */
        CouponCodePatch: {
            active?: boolean;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            category?: string;
            /** @description A code of 1 to 64 printable ASCII characters without spaces. */
            code?: string;
            readonly createdAt?: unknown;
            /** @description An integer from 0 to 2,147,483,647. */
            currentUses?: number;
            /** @description A string of 0 to 1,000 characters without control characters other than line ends and tabs. */
            description?: string;
            /** @description A number above 0, 100 at most with at most two decimals. */
            discountPercent?: number;
            readonly id?: unknown;
            lastSyncedAt?: string | null;
            maxUses?: number | null;
            storeDiscountId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            readonly updatedAt?: unknown;
        };
        /** @description A coupon code as a push would leave it. Ids and times that are not settled yet are null. */
        CouponCodePreview: {
            active: boolean;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            category: string;
            /** @description A code of 1 to 64 printable ASCII characters without spaces. */
            code: string;
            /** @description An integer from 0 to 2,147,483,647. */
            currentUses: number;
            /** @description A string of 0 to 1,000 characters without control characters other than line ends and tabs. */
            description: string;
            /** @description A number above 0, 100 at most with at most two decimals. */
            discountPercent: number;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id: string | null;
            lastSyncedAt: string | null;
            maxUses: number | null;
            storeDiscountId: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
        };
        /** @description The coupon codes to create or change. */
        CouponCodePushInput: {
            couponCodes: components["schemas"]["CouponCodePushItem"][];
        };
        /** @description The fields of a coupon code to set, the one that `match` names among them. If no coupon code has that value, the fields that a POST needs are required. */
        CouponCodePushItem: {
            active?: boolean;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            category?: string;
            /** @description A code of 1 to 64 printable ASCII characters without spaces. */
            code?: string;
            readonly createdAt?: unknown;
            /** @description An integer from 0 to 2,147,483,647. */
            currentUses?: number;
            /** @description A string of 0 to 1,000 characters without control characters other than line ends and tabs. */
            description?: string;
            /** @description A number above 0, 100 at most with at most two decimals. */
            discountPercent?: number;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id?: string;
            lastSyncedAt?: string | null;
            maxUses?: number | null;
            storeDiscountId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            readonly updatedAt?: unknown;
        };
        /** @description What a push did. */
        CouponCodePushResponse: {
            /** @description The coupon codes that were not refused, in order. `Prefer: return=minimal` omits them. */
            couponCodes?: components["schemas"]["CouponCode"][];
            /** @description One result for each item, in order. */
            results: components["schemas"]["PushResult"][];
        };
        /** @description Every error has this form. */
        Error: {
            /** @description What is wrong, and what would be right. */
            error: string;
        };
        /** @description A product of the brand. */
        Product: {
            /**
             * Format: date-time
             * @description When it was made, in UTC with milliseconds.
             */
            createdAt: string;
            /** @description An ISO 4217 currency code such as USD. */
            currencyCode: string;
            /** @description A string of 0 to 65,535 characters without control characters other than line ends and tabs. */
            description: string;
            /** @description A number from 0 to 100 with at most two decimals. */
            discountPercent: number;
            featured: boolean;
            /** @description A slug of 1 to 255 lower-case letters, digits and single hyphens between them. */
            handle: string;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id: string;
            imageUrl: string | null;
            imageUrls: string[];
            lastSyncedAt: string | null;
            lastSyncError: string | null;
            marginPercent: number | null;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            marketplaceCategory: string;
            /** @description An integer from 0 to 9,999,999,999. */
            priceCents: number;
            /** @description An integer from 0 to 2,147,483,647. */
            serviceInventoryQuantity: number;
            /**
             * @description One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @enum {string}
             */
            serviceListingStatus: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            sku: string | null;
            /** @description An upper-case name of 1 to 32 letters, digits and underscores, a letter first. */
            source: string;
            sourceUpdatedAt: string | null;
            /** @description An integer from -2,147,483,647 to 2,147,483,647. */
            storeInventoryQuantity: number;
            storeProductId: string | null;
            storeStatus: ("ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED") | null;
            storeVariantId: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description A string of 1 to 255 characters without control characters. */
            title: string;
            /**
             * Format: date-time
             * @description When it was last really changed, in UTC with milliseconds.
             */
            updatedAt: string;
        };
        /** @description What changed since a token was issued. */
        ProductChanges: {
            /** @description The ids of the products that were deleted. */
            deletedProductIds: string[];
            /** @description The products that were created or changed, as they are now, in the order of their last change. */
            products: components["schemas"]["Product"][];
            /**
             * @description The token to continue from. It is opaque.
             * @example 8f2d1c6e5b0a94d31z
             */
            since: string;
        };
        ProductDeleted: {
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            deletedProductId: string;
            /** @constant */
            success: true;
        };
        /** @description What a push would do. */
        ProductDryRunResponse: {
            /** @description The products that were not refused, in order. `Prefer: return=minimal` omits them. */
            products?: components["schemas"]["ProductPreview"][];
            /** @description One result for each item, in order. */
            results: components["schemas"]["PushResult"][];
        };
        ProductEnvelope: {
            product: components["schemas"]["Product"];
        };
        /** @description A whole product. What is left out has its default. */
        ProductInput: {
            readonly createdAt?: unknown;
            /**
             * @description An ISO 4217 currency code such as USD.
             * @default USD
             */
            currencyCode?: string;
            /**
             * @description A string of 0 to 65,535 characters without control characters other than line ends and tabs.
             * @default
             */
            description?: string;
            /**
             * @description A number from 0 to 100 with at most two decimals.
             * @default 0
             */
            discountPercent?: number;
            /** @default false */
            featured?: boolean;
            /** @description A slug of 1 to 255 lower-case letters, digits and single hyphens between them. */
            handle?: string;
            readonly id?: unknown;
            imageUrl?: string | null;
            imageUrls?: string[];
            lastSyncedAt?: string | null;
            /** @default null */
            lastSyncError?: string | null;
            /** @default null */
            marginPercent?: number | null;
            /**
             * @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first.
             * @default OTHER
             */
            marketplaceCategory?: string;
            /** @description An integer from 0 to 9,999,999,999. */
            priceCents: number;
            /**
             * @description An integer from 0 to 2,147,483,647.
             * @default 0
             */
            serviceInventoryQuantity?: number;
            /**
             * @description One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @default DRAFT
             * @enum {string}
             */
            serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            /** @default null */
            sku?: string | null;
            /** @description An upper-case name of 1 to 32 letters, digits and underscores, a letter first. */
            source?: string;
            /** @default null */
            sourceUpdatedAt?: string | null;
            /**
             * @description An integer from -2,147,483,647 to 2,147,483,647.
             * @default 0
             */
            storeInventoryQuantity?: number;
            /** @default null */
            storeProductId?: string | null;
            /** @default null */
            storeStatus?: ("ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED") | null;
            /** @default null */
            storeVariantId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description A string of 1 to 255 characters without control characters. */
            title: string;
            readonly updatedAt?: unknown;
        };
        ProductList: {
            products: components["schemas"]["Product"][];
        };
        /** @description Many at once: all are made, or none. */
        ProductListInput: {
            products: components["schemas"]["ProductInput"][];
        };
        /** @description The fields to change (RFC 7396). What is left out stays as it is. */
        ProductPatch: {
            readonly createdAt?: unknown;
            /** @description An ISO 4217 currency code such as USD. */
            currencyCode?: string;
            /** @description A string of 0 to 65,535 characters without control characters other than line ends and tabs. */
            description?: string;
            /** @description A number from 0 to 100 with at most two decimals. */
            discountPercent?: number;
            featured?: boolean;
            /** @description A slug of 1 to 255 lower-case letters, digits and single hyphens between them. */
            handle?: string;
            readonly id?: unknown;
            imageUrl?: string | null;
            imageUrls?: string[];
            lastSyncedAt?: string | null;
            lastSyncError?: string | null;
            marginPercent?: number | null;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            marketplaceCategory?: string;
            /** @description An integer from 0 to 9,999,999,999. */
            priceCents?: number;
            /** @description An integer from 0 to 2,147,483,647. */
            serviceInventoryQuantity?: number;
            /**
             * @description One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @enum {string}
             */
            serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            sku?: string | null;
            /** @description An upper-case name of 1 to 32 letters, digits and underscores, a letter first. */
            source?: string;
            sourceUpdatedAt?: string | null;
            /** @description An integer from -2,147,483,647 to 2,147,483,647. */
            storeInventoryQuantity?: number;
            storeProductId?: string | null;
            storeStatus?: ("ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED") | null;
            storeVariantId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description A string of 1 to 255 characters without control characters. */
            title?: string;
            readonly updatedAt?: unknown;
        };
        /** @description A product as a push would leave it. Ids and times that are not settled yet are null. */
        ProductPreview: {
            /**
             * Format: date-time
             * @description When it was made, in UTC with milliseconds.
             */
            createdAt: string | null;
            /** @description An ISO 4217 currency code such as USD. */
            currencyCode: string;
            /** @description A string of 0 to 65,535 characters without control characters other than line ends and tabs. */
            description: string;
            /** @description A number from 0 to 100 with at most two decimals. */
            discountPercent: number;
            featured: boolean;
            /** @description A slug of 1 to 255 lower-case letters, digits and single hyphens between them. */
            handle: string;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id: string | null;
            imageUrl: string | null;
            imageUrls: string[];
            lastSyncedAt: string | null;
            lastSyncError: string | null;
            marginPercent: number | null;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            marketplaceCategory: string;
            /** @description An integer from 0 to 9,999,999,999. */
            priceCents: number;
            /** @description An integer from 0 to 2,147,483,647. */
            serviceInventoryQuantity: number;
            /**
             * @description One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @enum {string}
             */
            serviceListingStatus: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            sku: string | null;
            /** @description An upper-case name of 1 to 32 letters, digits and underscores, a letter first. */
            source: string;
            sourceUpdatedAt: string | null;
            /** @description An integer from -2,147,483,647 to 2,147,483,647. */
            storeInventoryQuantity: number;
            storeProductId: string | null;
            storeStatus: ("ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED") | null;
            storeVariantId: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description A string of 1 to 255 characters without control characters. */
            title: string;
            /**
             * Format: date-time
             * @description When it was last really changed, in UTC with milliseconds.
             */
            updatedAt: string | null;
        };
        /** @description The products to create or change. */
        ProductPushInput: {
            products: components["schemas"]["ProductPushItem"][];
        };
        /** @description The fields of a product to set, the one that `match` names among them. If no product has that value, the fields that a POST needs are required. */
        ProductPushItem: {
            readonly createdAt?: unknown;
            /** @description An ISO 4217 currency code such as USD. */
            currencyCode?: string;
            /** @description A string of 0 to 65,535 characters without control characters other than line ends and tabs. */
            description?: string;
            /** @description A number from 0 to 100 with at most two decimals. */
            discountPercent?: number;
            featured?: boolean;
            /** @description A slug of 1 to 255 lower-case letters, digits and single hyphens between them. */
            handle?: string;
            /**
             * Format: uuid
             * @description A lower-case UUID, made by the service.
             */
            id?: string;
            imageUrl?: string | null;
            imageUrls?: string[];
            lastSyncedAt?: string | null;
            lastSyncError?: string | null;
            marginPercent?: number | null;
            /** @description An upper-case name of 1 to 64 letters, digits and underscores, a letter first. */
            marketplaceCategory?: string;
            /** @description An integer from 0 to 9,999,999,999. */
            priceCents?: number;
            /** @description An integer from 0 to 2,147,483,647. */
            serviceInventoryQuantity?: number;
            /**
             * @description One of DRAFT, PENDING_REVIEW, LIVE, PAUSED, REJECTED, ARCHIVED.
             * @enum {string}
             */
            serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
            sku?: string | null;
            /** @description An upper-case name of 1 to 32 letters, digits and underscores, a letter first. */
            source?: string;
            sourceUpdatedAt?: string | null;
            /** @description An integer from -2,147,483,647 to 2,147,483,647. */
            storeInventoryQuantity?: number;
            storeProductId?: string | null;
            storeStatus?: ("ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED") | null;
            storeVariantId?: string | null;
            /**
             * @description One of SYNCED, PENDING, FAILED, NOT_LINKED.
             * @enum {string}
             */
            syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
            /** @description A string of 1 to 255 characters without control characters. */
            title?: string;
            readonly updatedAt?: unknown;
        };
        /** @description What a push did. */
        ProductPushResponse: {
            /** @description The products that were not refused, in order. `Prefer: return=minimal` omits them. */
            products?: components["schemas"]["Product"][];
            /** @description One result for each item, in order. */
            results: components["schemas"]["PushResult"][];
        };
        Profile: {
            brand: components["schemas"]["Brand"];
            connection: components["schemas"]["Connection"];
        };
        /** @description The whole profile. What is left out goes back to its default. */
        ProfileInput: {
            brand: {
                /** @description A string of 1 to 255 characters without control characters. */
                brandName: string;
                /**
                 * @description An integer from 0 to 9,999,999,999.
                 * @default 0
                 */
                cartMinimumCents?: number;
                /** @default null */
                contactName?: string | null;
                readonly createdAt?: unknown;
                /**
                 * @description An integer from 0 to 9,999,999,999.
                 * @default 0
                 */
                customerLtvCents?: number;
                /**
                 * @description A string of 0 to 5,000 characters without control characters other than line ends and tabs.
                 * @default
                 */
                description?: string;
                /** @default null */
                grossMarginPercent?: number | null;
                readonly id?: unknown;
                /** @default null */
                logoUrl?: string | null;
                /** @default null */
                supportEmail?: string | null;
                readonly updatedAt?: unknown;
                /** @default null */
                website?: string | null;
            };
            connection: {
                readonly createdAt?: unknown;
                readonly id?: unknown;
                /** @default null */
                lastDiscountsSyncAt?: string | null;
                /** @default null */
                lastProductsSyncAt?: string | null;
                /** @default null */
                lastSyncError?: string | null;
                /**
                 * @description One of CONNECTED, PENDING, ERROR, DISCONNECTED.
                 * @default DISCONNECTED
                 * @enum {string}
                 */
                status?: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
                /** @default null */
                storeDomain?: string | null;
                /** @default false */
                syncEnabled?: boolean;
                readonly updatedAt?: unknown;
            };
            readonly createdAt?: unknown;
            readonly id?: unknown;
            readonly updatedAt?: unknown;
        };
        /** @description The fields to change, in either half or both (RFC 7396). */
        ProfilePatch: {
            brand?: {
                /** @description A string of 1 to 255 characters without control characters. */
                brandName?: string;
                /** @description An integer from 0 to 9,999,999,999. */
                cartMinimumCents?: number;
                contactName?: string | null;
                readonly createdAt?: unknown;
                /** @description An integer from 0 to 9,999,999,999. */
                customerLtvCents?: number;
                /** @description A string of 0 to 5,000 characters without control characters other than line ends and tabs. */
                description?: string;
                grossMarginPercent?: number | null;
                readonly id?: unknown;
                logoUrl?: string | null;
                supportEmail?: string | null;
                readonly updatedAt?: unknown;
                website?: string | null;
            };
            connection?: {
                readonly createdAt?: unknown;
                readonly id?: unknown;
                lastDiscountsSyncAt?: string | null;
                lastProductsSyncAt?: string | null;
                lastSyncError?: string | null;
                /**
                 * @description One of CONNECTED, PENDING, ERROR, DISCONNECTED.
                 * @enum {string}
                 */
                status?: "CONNECTED" | "PENDING" | "ERROR" | "DISCONNECTED";
                storeDomain?: string | null;
                syncEnabled?: boolean;
                readonly updatedAt?: unknown;
            };
            readonly createdAt?: unknown;
            readonly id?: unknown;
            readonly updatedAt?: unknown;
        };
        /** @description What became of one item of a push. */
        PushResult: {
            /**
             * Format: uuid
             * @description The id of the resource; null if a dry run would create it.
             */
            id: string | null;
            /** @enum {string} */
            status: "created" | "updated" | "unchanged";
        } | {
            /** @description What is wrong, and what would be right. */
            error: string;
            id: null;
            /** @constant */
            status: "refused";
        };
    };
    responses: {
        /** @description The body is not JSON, or the body, a parameter or a header breaks a rule. The text names every problem. */
        BadRequest: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid request: priceCents: expected an integer from 0 to 9,999,999,999; title: required"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The brand has a coupon code of this text already, whatever its case. */
        Conflict: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Coupon code \"SAVE10\" already exists."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The brand has no coupon code with this id. */
        CouponCodeNotFound: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Coupon code not found."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A read-only key on a write. */
        Forbidden: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This API key is read-only."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used with another request. */
        IdempotencyKeyReused: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency-Key was used with another request. Use a new key for a new request."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A bug of the service. Its log has the details, under the id of the request. */
        InternalError: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal server error."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than the limit. */
        PayloadTooLarge: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Request body too large. The limit is 256 KiB."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource is not as If-Match or If-None-Match says; nothing was changed. */
        PreconditionFailed: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Precondition failed: the resource is not as If-Match or If-None-Match says. Read it again."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The brand has no product with this id. */
        ProductNotFound: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Product not found."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token of `since` is older than the deletions still known, or the operator has reset the tokens. */
        TokenExpired: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "This token is no longer good. Start again with since=0."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests with this key, or too many without a valid one from this address. */
        TooManyRequests: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Rate limit exceeded: 1000 requests per API key per 10 seconds."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, or there are two different ones, or it is malformed, unknown, revoked or expired. */
        Unauthorized: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid API key."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database is overloaded, resetting or out of reach. Try again after the time given. */
        Unavailable: {
            headers: {
                "Cache-Control": components["headers"]["CacheControl"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                "Retry-After": components["headers"]["RetryAfter"];
                "x-d1-bookmark": components["headers"]["Bookmark"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Service temporarily unavailable."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
        Bookmark: string;
        /** @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. */
        IdempotencyKey: string;
        /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
        IfMatch: string;
        /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
        IfNoneMatch: string;
        /** @description For a push (RFC 7240): `return=minimal` omits the resources from the answer; `handling=lenient` writes the items that are not refused, and reports the others. What is unknown or malformed is ignored. */
        Prefer: string;
        /** @description An id of your own for the request; it comes back, and stands in the log. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description How to authenticate. */
        Authenticate: "Bearer";
        /** @description How fresh the answer is. Send the last one back, and the nearest replica that is at least as fresh may answer. */
        Bookmark: string;
        /** @description No answer is to be kept on the way. */
        CacheControl: "no-store";
        /** @description The entity tag of the resource, for If-Match and If-None-Match. It leaves the service as a strong tag; Cloudflare makes it weak (W/) where it compresses the response. Send it back as you received it. */
        ETag: string;
        /** @description The next page, where there is one (RFC 8288). */
        Link: string;
        /** @description The preferences of Prefer that were honoured (RFC 7240). */
        PreferenceApplied: string;
        /** @description How many requests a key has in how many seconds. */
        RateLimitPolicy: string;
        /** @description There where the first answer to this Idempotency-Key is given again. */
        Replayed: "true";
        /** @description The id of the request, which the log has too. */
        RequestId: string;
        /** @description After how many seconds to try again. */
        RetryAfter: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCouponCodes: {
        parameters: {
            query?: {
                /** @description Only each coupon code whose active is exactly this. */
                active?: boolean;
                /** @description Only each coupon code whose code is exactly this. */
                code?: string;
                /** @description Where the page begins: from the Link header of the page before, with its limit. */
                cursor?: string;
                /** @description How many to a page. Without it the list is complete; with `since` it is 250. */
                limit?: number;
                /** @description Asks for what changed after this token was issued: 0 to start, then the `since` of the last answer. It combines only with `limit`. */
                since?: string;
                /** @description Only each coupon code whose storeDiscountId is exactly this. */
                storeDiscountId?: string;
                /** @description Only each coupon code whose syncStatus is exactly this. */
                syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
                /** @description Only what was made or changed at this time or later. */
                updatedSince?: string;
            };
            header?: {
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coupon codes, or with `since` what changed. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponCodeList"] | components["schemas"]["CouponCodeChanges"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            410: components["responses"]["TokenExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCouponCode: {
        parameters: {
            query?: {
                /** @description Answers what the push would do, and writes nothing. Only together with `match`. */
                dryRun?: boolean;
                /** @description Makes the request a push: the field by which each item finds its coupon code. Every item has it, and it is not null. */
                match?: "id" | "code" | "storeDiscountId";
            };
            header?: {
                /** @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For a push (RFC 7240): `return=minimal` omits the resources from the answer; `handling=lenient` writes the items that are not refused, and reports the others. What is unknown or malformed is ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CouponCodeInput"] | components["schemas"]["CouponCodeListInput"] | components["schemas"]["CouponCodePushInput"];
            };
        };
        responses: {
            /** @description With `match`: what the push did, or with `dryRun=true` what it would do. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CouponCodePushResponse"] | components["schemas"]["CouponCodeDryRunResponse"];
                };
            };
            /** @description The coupon code as it was made, or the list of them. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "couponCode": {
                     *         "id": "01941f29-7c00-7000-8000-000000000002",
                     *         "code": "SAVE10",
                     *         "active": true,
                     *         "category": "ATHLETE_DISCOUNT",
                     *         "currentUses": 12,
                     *         "maxUses": 500,
                     *         "description": "Ten percent off.",
                     *         "discountPercent": 10,
                     *         "storeDiscountId": "gid://shopify/DiscountCodeNode/3000",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CouponCodeEnvelope"] | components["schemas"]["CouponCodeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCouponCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the coupon code, as the list and the answer to its creation show it. */
                codeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coupon code. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "couponCode": {
                     *         "id": "01941f29-7c00-7000-8000-000000000002",
                     *         "code": "SAVE10",
                     *         "active": true,
                     *         "category": "ATHLETE_DISCOUNT",
                     *         "currentUses": 12,
                     *         "maxUses": 500,
                     *         "description": "Ten percent off.",
                     *         "discountPercent": 10,
                     *         "storeDiscountId": "gid://shopify/DiscountCodeNode/3000",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CouponCodeEnvelope"];
                };
            };
            /** @description The representation is one that you have. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["CouponCodeNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceCouponCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the coupon code, as the list and the answer to its creation show it. */
                codeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "SAVE10",
                 *       "discountPercent": 10,
                 *       "maxUses": 500
                 *     }
                 */
                "application/json": components["schemas"]["CouponCodeInput"];
            };
        };
        responses: {
            /** @description The coupon code as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "couponCode": {
                     *         "id": "01941f29-7c00-7000-8000-000000000002",
                     *         "code": "SAVE10",
                     *         "active": true,
                     *         "category": "ATHLETE_DISCOUNT",
                     *         "currentUses": 12,
                     *         "maxUses": 500,
                     *         "description": "Ten percent off.",
                     *         "discountPercent": 10,
                     *         "storeDiscountId": "gid://shopify/DiscountCodeNode/3000",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CouponCodeEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CouponCodeNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCouponCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the coupon code, as the list and the answer to its creation show it. */
                codeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coupon code is deleted. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deletedCouponCodeId": "01941f29-7c00-7000-8000-000000000002",
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["CouponCodeDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CouponCodeNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCouponCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the coupon code, as the list and the answer to its creation show it. */
                codeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "active": false
                 *     }
                 */
                "application/json": components["schemas"]["CouponCodePatch"];
            };
        };
        responses: {
            /** @description The coupon code as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "couponCode": {
                     *         "id": "01941f29-7c00-7000-8000-000000000002",
                     *         "code": "SAVE10",
                     *         "active": true,
                     *         "category": "ATHLETE_DISCOUNT",
                     *         "currentUses": 12,
                     *         "maxUses": 500,
                     *         "description": "Ten percent off.",
                     *         "discountPercent": 10,
                     *         "storeDiscountId": "gid://shopify/DiscountCodeNode/3000",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CouponCodeEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CouponCodeNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProducts: {
        parameters: {
            query?: {
                /** @description Where the page begins: from the Link header of the page before, with its limit. */
                cursor?: string;
                /** @description Only each product whose handle is exactly this. */
                handle?: string;
                /** @description How many to a page. Without it the list is complete; with `since` it is 250. */
                limit?: number;
                /** @description Only each product whose serviceListingStatus is exactly this. */
                serviceListingStatus?: "DRAFT" | "PENDING_REVIEW" | "LIVE" | "PAUSED" | "REJECTED" | "ARCHIVED";
                /** @description Asks for what changed after this token was issued: 0 to start, then the `since` of the last answer. It combines only with `limit`. */
                since?: string;
                /** @description Only each product whose sku is exactly this. */
                sku?: string;
                /** @description Only each product whose storeProductId is exactly this. */
                storeProductId?: string;
                /** @description Only each product whose storeStatus is exactly this. */
                storeStatus?: "ACTIVE" | "DRAFT" | "ARCHIVED" | "UNLISTED";
                /** @description Only each product whose storeVariantId is exactly this. */
                storeVariantId?: string;
                /** @description Only each product whose syncStatus is exactly this. */
                syncStatus?: "SYNCED" | "PENDING" | "FAILED" | "NOT_LINKED";
                /** @description Only what was made or changed at this time or later. */
                updatedSince?: string;
            };
            header?: {
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The products, or with `since` what changed. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Link: components["headers"]["Link"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductList"] | components["schemas"]["ProductChanges"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            410: components["responses"]["TokenExpired"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: {
                /** @description Answers what the push would do, and writes nothing. Only together with `match`. */
                dryRun?: boolean;
                /** @description Makes the request a push: the field by which each item finds its product. Every item has it, and it is not null. */
                match?: "id" | "storeProductId" | "storeVariantId" | "sku" | "handle";
            };
            header?: {
                /** @description Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description For a push (RFC 7240): `return=minimal` omits the resources from the answer; `handling=lenient` writes the items that are not refused, and reports the others. What is unknown or malformed is ignored. */
                Prefer?: components["parameters"]["Prefer"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductInput"] | components["schemas"]["ProductListInput"] | components["schemas"]["ProductPushInput"];
            };
        };
        responses: {
            /** @description With `match`: what the push did, or with `dryRun=true` what it would do. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    "Preference-Applied": components["headers"]["PreferenceApplied"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductPushResponse"] | components["schemas"]["ProductDryRunResponse"];
                };
            };
            /** @description The product as it was made, or the list of them. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Replayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "id": "01941f29-7c00-7000-8000-000000000001",
                     *         "title": "Whey Protein, Vanilla",
                     *         "description": "A pound of it.",
                     *         "handle": "whey-protein-vanilla",
                     *         "sku": "NW-001",
                     *         "priceCents": 3999,
                     *         "currencyCode": "USD",
                     *         "discountPercent": 0,
                     *         "marginPercent": 41.25,
                     *         "featured": false,
                     *         "imageUrl": "https://northwind.example/images/1.jpg",
                     *         "imageUrls": [
                     *           "https://northwind.example/images/1.jpg"
                     *         ],
                     *         "marketplaceCategory": "SUPPLEMENTS",
                     *         "serviceInventoryQuantity": 120,
                     *         "serviceListingStatus": "LIVE",
                     *         "storeInventoryQuantity": 120,
                     *         "storeProductId": "gid://shopify/Product/1000",
                     *         "storeVariantId": "gid://shopify/ProductVariant/2000",
                     *         "storeStatus": "ACTIVE",
                     *         "source": "SHOPIFY",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "sourceUpdatedAt": null,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductEnvelope"] | components["schemas"]["ProductList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the product, as the list and the answer to its creation show it. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "id": "01941f29-7c00-7000-8000-000000000001",
                     *         "title": "Whey Protein, Vanilla",
                     *         "description": "A pound of it.",
                     *         "handle": "whey-protein-vanilla",
                     *         "sku": "NW-001",
                     *         "priceCents": 3999,
                     *         "currencyCode": "USD",
                     *         "discountPercent": 0,
                     *         "marginPercent": 41.25,
                     *         "featured": false,
                     *         "imageUrl": "https://northwind.example/images/1.jpg",
                     *         "imageUrls": [
                     *           "https://northwind.example/images/1.jpg"
                     *         ],
                     *         "marketplaceCategory": "SUPPLEMENTS",
                     *         "serviceInventoryQuantity": 120,
                     *         "serviceListingStatus": "LIVE",
                     *         "storeInventoryQuantity": 120,
                     *         "storeProductId": "gid://shopify/Product/1000",
                     *         "storeVariantId": "gid://shopify/ProductVariant/2000",
                     *         "storeStatus": "ACTIVE",
                     *         "source": "SHOPIFY",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "sourceUpdatedAt": null,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductEnvelope"];
                };
            };
            /** @description The representation is one that you have. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ProductNotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the product, as the list and the answer to its creation show it. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Whey Protein, Vanilla",
                 *       "priceCents": 3999,
                 *       "sku": "NW-001",
                 *       "storeProductId": "gid://shopify/Product/1000"
                 *     }
                 */
                "application/json": components["schemas"]["ProductInput"];
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "id": "01941f29-7c00-7000-8000-000000000001",
                     *         "title": "Whey Protein, Vanilla",
                     *         "description": "A pound of it.",
                     *         "handle": "whey-protein-vanilla",
                     *         "sku": "NW-001",
                     *         "priceCents": 3999,
                     *         "currencyCode": "USD",
                     *         "discountPercent": 0,
                     *         "marginPercent": 41.25,
                     *         "featured": false,
                     *         "imageUrl": "https://northwind.example/images/1.jpg",
                     *         "imageUrls": [
                     *           "https://northwind.example/images/1.jpg"
                     *         ],
                     *         "marketplaceCategory": "SUPPLEMENTS",
                     *         "serviceInventoryQuantity": 120,
                     *         "serviceListingStatus": "LIVE",
                     *         "storeInventoryQuantity": 120,
                     *         "storeProductId": "gid://shopify/Product/1000",
                     *         "storeVariantId": "gid://shopify/ProductVariant/2000",
                     *         "storeStatus": "ACTIVE",
                     *         "source": "SHOPIFY",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "sourceUpdatedAt": null,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProductNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the product, as the list and the answer to its creation show it. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product is deleted. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deletedProductId": "01941f29-7c00-7000-8000-000000000001",
                     *       "success": true
                     *     }
                     */
                    "application/json": components["schemas"]["ProductDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProductNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The id of the product, as the list and the answer to its creation show it. */
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "priceCents": 3499
                 *     }
                 */
                "application/json": components["schemas"]["ProductPatch"];
            };
        };
        responses: {
            /** @description The product as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "product": {
                     *         "id": "01941f29-7c00-7000-8000-000000000001",
                     *         "title": "Whey Protein, Vanilla",
                     *         "description": "A pound of it.",
                     *         "handle": "whey-protein-vanilla",
                     *         "sku": "NW-001",
                     *         "priceCents": 3999,
                     *         "currencyCode": "USD",
                     *         "discountPercent": 0,
                     *         "marginPercent": 41.25,
                     *         "featured": false,
                     *         "imageUrl": "https://northwind.example/images/1.jpg",
                     *         "imageUrls": [
                     *           "https://northwind.example/images/1.jpg"
                     *         ],
                     *         "marketplaceCategory": "SUPPLEMENTS",
                     *         "serviceInventoryQuantity": 120,
                     *         "serviceListingStatus": "LIVE",
                     *         "storeInventoryQuantity": 120,
                     *         "storeProductId": "gid://shopify/Product/1000",
                     *         "storeVariantId": "gid://shopify/ProductVariant/2000",
                     *         "storeStatus": "ACTIVE",
                     *         "source": "SHOPIFY",
                     *         "syncStatus": "SYNCED",
                     *         "lastSyncedAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "sourceUpdatedAt": null,
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ProductEnvelope"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ProductNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "brandName": "Northwind Nutrition",
                     *         "cartMinimumCents": 2500,
                     *         "contactName": "Ada Berg",
                     *         "customerLtvCents": 18400,
                     *         "description": "Supplements for people who train outdoors.",
                     *         "grossMarginPercent": 62.5,
                     *         "logoUrl": "https://northwind.example/logo.png",
                     *         "supportEmail": "support@northwind.example",
                     *         "website": "https://northwind.example",
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "connection": {
                     *         "lastDiscountsSyncAt": null,
                     *         "lastProductsSyncAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "status": "CONNECTED",
                     *         "storeDomain": "northwind.example",
                     *         "syncEnabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
            /** @description The representation is one that you have. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "brand": {
                 *         "brandName": "Northwind Nutrition",
                 *         "website": "https://northwind.example"
                 *       },
                 *       "connection": {
                 *         "status": "CONNECTED",
                 *         "storeDomain": "northwind.example",
                 *         "syncEnabled": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProfileInput"];
            };
        };
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "brandName": "Northwind Nutrition",
                     *         "cartMinimumCents": 2500,
                     *         "contactName": "Ada Berg",
                     *         "customerLtvCents": 18400,
                     *         "description": "Supplements for people who train outdoors.",
                     *         "grossMarginPercent": 62.5,
                     *         "logoUrl": "https://northwind.example/logo.png",
                     *         "supportEmail": "support@northwind.example",
                     *         "website": "https://northwind.example",
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "connection": {
                     *         "lastDiscountsSyncAt": null,
                     *         "lastProductsSyncAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "status": "CONNECTED",
                     *         "storeDomain": "northwind.example",
                     *         "syncEnabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the representation that the change is meant for, as you received it, weak (W/) or not; 412 if the resource has changed since. */
                "If-Match"?: components["parameters"]["IfMatch"];
                /** @description ETags that you have, weak (W/) or not. If the resource still has one of them, a GET is answered 304 and a change 412. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The last bookmark that you were given: the nearest replica that is at least as fresh may answer. Without it, the primary does. */
                "x-d1-bookmark"?: components["parameters"]["Bookmark"];
                /** @description An id of your own for the request; it comes back, and stands in the log. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connection": {
                 *         "syncEnabled": true
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProfilePatch"];
            };
        };
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-d1-bookmark": components["headers"]["Bookmark"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "brandName": "Northwind Nutrition",
                     *         "cartMinimumCents": 2500,
                     *         "contactName": "Ada Berg",
                     *         "customerLtvCents": 18400,
                     *         "description": "Supplements for people who train outdoors.",
                     *         "grossMarginPercent": 62.5,
                     *         "logoUrl": "https://northwind.example/logo.png",
                     *         "supportEmail": "support@northwind.example",
                     *         "website": "https://northwind.example",
                     *         "createdAt": "2026-01-31T09:30:00.000Z",
                     *         "updatedAt": "2026-01-31T09:30:00.000Z"
                     *       },
                     *       "connection": {
                     *         "lastDiscountsSyncAt": null,
                     *         "lastProductsSyncAt": "2026-01-31T09:30:00.000Z",
                     *         "lastSyncError": null,
                     *         "status": "CONNECTED",
                     *         "storeDomain": "northwind.example",
                     *         "syncEnabled": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Profile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
