import type { Fault, Passing, Returning } from '../../node/fault-proxy.ts';

/** A fault, the check that must report it, and what it must say. */
export interface ReportedFault extends Fault {
  readonly check: string;
  readonly says: RegExp;
  /** Another check that runs before that one. */
  readonly during?: string;
  /** Whether what the run created stays, because of the fault. */
  readonly leaves?: true;
}

const isOf =
  (method: string, path: RegExp) =>
  (request: Passing): boolean =>
    request.method === method && path.test(request.path.replace('/api/brand/v1', ''));

const isProduct = isOf('GET', /^\/products\/[^/]+$/);

/** Changes responses, all of them or those to some requests. */
function answering(
  change: (response: Returning, request: Passing) => void,
  applies: (request: Passing) => boolean = () => true,
): Pick<Fault, 'response'> {
  return {
    response: (response, request) => {
      if (applies(request)) change(response, request);
    },
  };
}

/** Changes requests, all of them or some. */
function asking(
  change: (request: Passing) => void,
  applies: (request: Passing) => boolean = () => true,
): Pick<Fault, 'request'> {
  return {
    request: (request) => {
      if (applies(request)) change(request);
      return undefined;
    },
  };
}

function withoutHeader(name: string): Pick<Fault, 'response'> {
  return answering(({ headers }) => {
    headers.delete(name);
  });
}

function withoutRequestHeader(name: string): Pick<Fault, 'request'> {
  return asking(({ headers }) => {
    headers.delete(name);
  });
}

/** A response of the service's own making in the place of its own. */
function json(status: number, body: object): Returning {
  return {
    status,
    headers: new Headers({ 'Content-Type': 'application/json' }),
    body: JSON.stringify(body),
  };
}

function changed(response: Returning, change: (body: string) => string): void {
  response.body = change(response.body);
}

/** What may be wrong with a deployment, by what it is. */
export const faults: Readonly<Record<string, ReportedFault>> = {
  'a creation answers 200': {
    ...answering((response) => (response.status = 200), isOf('POST', /^\/products$/)),
    check: 'products',
    says: /POST .*: 200, expected 201/,
  },
  'a deletion answers 204': {
    ...answering((response) => (response.status = 204), isOf('DELETE', /^\/coupon-codes/)),
    check: 'coupon-codes',
    says: /DELETE .*: 204, expected 200/,
  },
  'a field is missing': {
    ...answering((response) => {
      changed(response, (body) => body.replace(/"sku":null,?/, ''));
    }, isProduct),
    check: 'products',
    says: /not as documented/,
  },
  'an internal field is shown': {
    ...answering((response) => {
      changed(response, (body) => body.replace('"sku":', '"brandId":"1","sku":'));
    }, isProduct),
    check: 'products',
    says: /not as documented/,
  },
  'a number comes as a text': {
    ...answering((response) => {
      changed(response, (body) => body.replace(/"priceCents":(\d+)/, '"priceCents":"$1"'));
    }, isProduct),
    check: 'products',
    says: /not as documented/,
  },
  'a change is not carried out': {
    ...asking((request) => (request.body = '{}'), isOf('PATCH', /^\/products/)),
    check: 'products',
    says: /not changed as requested/,
  },
  'a deletion is not carried out': {
    request: (request) =>
      request.method === 'DELETE'
        ? json(200, { deletedProductId: request.path.split('/').at(-1), success: true })
        : undefined,
    check: 'products',
    says: /GET .*: 200, expected 404/,
    leaves: true,
  },
  'nothing can be deleted': {
    request: (request) =>
      request.method === 'DELETE' ? json(500, { error: 'Internal server error.' }) : undefined,
    during: 'products',
    check: 'nothing left behind',
    says: /is still there/,
    leaves: true,
  },
  'a filter is ignored': {
    ...asking((request) => (request.search = ''), isOf('GET', /^\/products$/)),
    check: 'products',
    says: /not the created resource/,
  },
  'limit is ignored': {
    ...asking(
      (request) => (request.search = request.search.replace('limit=1', 'limit=250')),
      isOf('GET', /^\/products$/),
    ),
    check: 'products',
    says: /not exactly one resource/,
  },
  'PUT of the profile changes it': {
    ...asking(
      (request) =>
        (request.body = request.body.replace('"syncEnabled":false', '"syncEnabled":true')),
      isOf('PUT', /^\/profile$/),
    ),
    check: 'profile',
    says: /the profile has changed/,
    leaves: true,
  },
  'X-Request-Id is missing': {
    ...withoutHeader('X-Request-Id'),
    check: 'profile',
    says: /the header X-Request-Id is missing/,
  },
  'answers may be cached': {
    ...answering(({ headers }) => {
      headers.set('Cache-Control', 'public, max-age=60');
    }),
    check: 'keys',
    says: /the header Cache-Control is public/,
  },
  'HSTS is missing': {
    ...withoutHeader('Strict-Transport-Security'),
    check: 'errors',
    says: /the header Strict-Transport-Security is missing/,
  },
  'nosniff is missing': {
    ...withoutHeader('X-Content-Type-Options'),
    check: 'errors',
    says: /the header X-Content-Type-Options is missing/,
  },
  'the policy of the rate limit is missing': {
    ...withoutHeader('RateLimit-Policy'),
    check: 'keys',
    says: /the header RateLimit-Policy is missing/,
  },
  'the bookmark is missing': {
    ...withoutHeader('x-d1-bookmark'),
    check: 'bookmarks',
    says: /the header x-d1-bookmark is missing/,
  },
  'other origins may read': {
    ...answering(({ headers }) => {
      headers.set('Access-Control-Allow-Origin', '*');
    }),
    check: 'profile',
    says: /Access-Control-Allow-Origin must not be there/,
  },
  'the key is shown in a body': {
    ...answering(
      (response, { headers }) => {
        changed(response, () =>
          JSON.stringify({ error: `Unknown: ${headers.get('Authorization') ?? ''}` }),
        );
      },
      isOf('GET', /^\/nowhere$/),
    ),
    check: 'errors',
    says: /the response holds an API key/,
  },
  'the key is shown in a header': {
    ...answering((response, { headers }) => {
      response.headers.set('X-Debug', headers.get('Authorization') ?? '');
    }),
    check: 'profile',
    says: /the response holds an API key/,
  },
  'an error shows SQL': {
    ...answering(
      (response) => {
        changed(response, () => '{"error":"D1_ERROR: no such column: SQLITE_ERROR"}');
      },
      isOf('GET', /^\/nowhere$/),
    ),
    check: 'errors',
    says: /shows the inside/,
  },
  'an error has another shape': {
    ...answering(
      (response) => {
        changed(response, (body) => body.replace('{"error"', '{"code":1,"error"'));
      },
      isOf('GET', /^\/nowhere$/),
    ),
    check: 'errors',
    says: /the error is not/,
  },
  'an error is a page': {
    ...answering(
      (response) => {
        response.headers.set('Content-Type', 'text/html');
        changed(response, () => '<h1>404</h1>');
      },
      isOf('GET', /^\/nowhere$/),
    ),
    check: 'errors',
    says: /not JSON, but text\/html/,
  },
  '405 does not say what is allowed': {
    ...withoutHeader('Allow'),
    check: 'errors',
    says: /Allow does not name/,
  },
  'an unknown parameter is ignored': {
    ...asking((request) => (request.search = ''), isOf('GET', /^\/products$/)),
    check: 'errors',
    says: /nonsense=1: 200, expected 400/,
  },
  'only the first problem is named': {
    ...answering(
      (response) => {
        changed(response, (body) => body.replace(/; titel.*"/, '"'));
      },
      isOf('POST', /^\/products$/),
    ),
    check: 'refused writes',
    says: /does not name titel/,
  },
  'codes are compared with their case': {
    ...asking(
      (request) => (request.body = request.body.replace(/"code":"verify/, '"code":"other')),
      isOf('POST', /^\/coupon-codes$/),
    ),
    check: 'refused writes',
    says: /POST .*: 201, expected 409/,
    leaves: true,
  },
  'no key is needed': {
    request: ({ headers }) => {
      if (!headers.has('Authorization') && !headers.has('x-service-api-key')) {
        return json(200, { brand: {}, connection: {} });
      }
      return undefined;
    },
    check: 'keys',
    says: /GET \/api\/brand\/v1\/profile: 200, expected 401/,
  },
  'the words for a missing key are others': {
    ...answering((response) => {
      changed(response, (body) => body.replace('Missing API key.', 'No key.'));
    }),
    check: 'keys',
    says: /“No key.”, expected “Missing API key.”/,
  },
  'WWW-Authenticate is missing': {
    ...withoutHeader('WWW-Authenticate'),
    check: 'keys',
    says: /WWW-Authenticate is not Bearer/,
  },
  'the second header for keys is not read': {
    ...withoutRequestHeader('x-service-api-key'),
    check: 'keys',
    says: /expected 401/,
  },
  'the ETag is missing': {
    ...withoutHeader('ETag'),
    check: 'ETag and If-Match',
    says: /ETag is “”/,
  },
  'the weak form of a tag is refused': {
    request: ({ headers }) =>
      headers.get('If-Match')?.startsWith('W/')
        ? json(412, { error: 'Precondition failed.' })
        : undefined,
    check: 'ETag and If-Match',
    says: /PATCH .*: 412 with If-Match: W\/.*, expected 200/,
  },
  'If-Match is lost on the way': {
    ...withoutRequestHeader('If-Match'),
    check: 'ETag and If-Match',
    says: /PATCH .*: 200, expected 412/,
  },
  'If-None-Match is lost on the way': {
    ...withoutRequestHeader('If-None-Match'),
    check: 'ETag and If-Match',
    says: /200 with If-None-Match: .*, expected 304/,
  },
  'a changed resource keeps its tag': {
    ...answering(({ headers }) => {
      if (headers.has('ETag')) headers.set('ETag', '"1"');
    }),
    check: 'ETag and If-Match',
    says: /ETag|If-Match/,
  },
  'Idempotency-Key is lost on the way': {
    ...withoutRequestHeader('Idempotency-Key'),
    check: 'Idempotency-Key',
    says: /another answer|created 2 times/,
  },
  'a repetition is not marked': {
    ...withoutHeader('Idempotent-Replayed'),
    check: 'Idempotency-Key',
    says: /Idempotent-Replayed is missing/,
  },
  'a malformed bookmark is let pass': {
    ...withoutRequestHeader('x-d1-bookmark'),
    check: 'bookmarks',
    says: /: 200, expected 400/,
  },
  'another version is deployed': {
    ...answering(
      (response) => {
        changed(response, (body) => body.replace('"1.', '"0.'));
      },
      isOf('GET', /openapi\.json$/),
    ),
    check: 'OpenAPI document',
    says: /Is another version deployed/,
  },
  'the document lacks an operation': {
    ...answering(
      (response) => {
        changed(response, (body) => body.replace('"delete":', '"x-delete":'));
      },
      isOf('GET', /openapi\.json$/),
    ),
    check: 'OpenAPI document',
    says: /without DELETE/,
  },
  'the reference page is not there': {
    request: ({ path }) => (path === '/docs' ? json(404, { error: 'Not found.' }) : undefined),
    check: 'reference page',
    says: /GET \/docs: 404: not a page/,
  },
  'the script of the reference page is not there': {
    request: ({ path }) => (path.endsWith('.js') ? json(404, { error: 'Not found.' }) : undefined),
    check: 'reference page',
    says: /\.js: 404: the page needs it/,
  },
  'the reference page has no policy': {
    ...withoutHeader('Content-Security-Policy'),
    check: 'reference page',
    says: /Content-Security-Policy is missing/,
  },
  'changes are not followed': {
    ...answering(
      (response, { search }) => {
        if (search.includes('since='))
          changed(response, (body) => body.replace(/"products":\[.*\],"d/s, '"products":[],"d'));
      },
      isOf('GET', /^\/products$/),
    ),
    check: 'products: since',
    says: /The created resource does not appear exactly once/,
  },
  'deletions are not followed': {
    ...answering(
      (response) => {
        changed(response, (body) =>
          body.replace(/"deletedCouponCodeIds":\[[^\]]*\]/, '"deletedCouponCodeIds":[]'),
        );
      },
      isOf('GET', /^\/coupon-codes$/),
    ),
    check: 'coupon-codes: since',
    says: /does not appear among the deleted ids/,
  },
  'since is ignored': {
    ...asking((request) => (request.search = ''), isOf('GET', /^\/products$/)),
    check: 'products: since',
    says: /has no (?:since|list deletedProductIds)/,
  },
  'a trial creates': {
    ...asking(
      (request) => (request.search = request.search.replace('&dryRun=true', '')),
      isOf('POST', /^\/products$/),
    ),
    check: 'products: dryRun',
    says: /it created something|does not report that it would create a resource/,
  },
  'the limit of requests is reached': {
    request: () => json(429, { error: 'Too many requests.' }),
    check: 'latency',
    says: /429, expected 200/,
  },
  'D1 is out of reach': {
    request: ({ path }) =>
      path.endsWith('/profile')
        ? json(503, { error: 'Service temporarily unavailable.' })
        : undefined,
    check: 'profile',
    says: /503, expected 200/,
  },
};
