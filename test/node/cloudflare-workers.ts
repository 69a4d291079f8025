/** What the service takes from `cloudflare:workers`, for a test that runs the app in Node. */
export function waitUntil(promise: Promise<unknown>): void {
  void promise;
}
