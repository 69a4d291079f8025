/** What the service takes from `cloudflare:workers`, for tests that run the app in Node. */
export function waitUntil(promise: Promise<unknown>): void {
  void promise;
}
