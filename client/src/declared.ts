/**
 * Returns a body with the type that the OpenAPI document declares. The service's tests validate every response against
 * that document, so the client checks only that the parts it needs are there, which keeps it small.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type
export function declared<T>(body: unknown): T {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- see above
  return body as T;
}
