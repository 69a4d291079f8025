/** What Cloudflare's API refuses, with its own status and code: wrangler tells cases apart by the code. */
export class ApiFailure extends Error {
  readonly status: 400 | 403 | 404 | 409 | 501;
  readonly code: number;

  constructor(status: ApiFailure['status'], code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The envelope of every successful answer of the API. */
export function success(result: unknown): object {
  const count = Array.isArray(result) ? result.length : 1;
  const page = { page: 1, per_page: 100, count, total_count: count };
  return { result, success: true, errors: [], messages: [], result_info: page };
}

/** The envelope of every refusal. */
export function failure({ code, message }: ApiFailure): object {
  return { result: null, success: false, errors: [{ code, message }], messages: [] };
}
