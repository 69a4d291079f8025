/** The headers of every response of the Worker. Those of the static files are in `public/_headers`. */
export const STANDARD_HEADERS = {
  // A response is for one client and one moment, so no cache may store it.
  'Cache-Control': 'no-store',
  // A JSON response must not be executed, framed or sniffed.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};
