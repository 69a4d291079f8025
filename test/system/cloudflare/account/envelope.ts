/** What Cloudflare's API refuses, with its own status and code: wrangler tells cases apart by the code. */
export class ApiFailure extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 501;
  readonly code: number;

  constructor(status: ApiFailure['status'], code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The envelope of every successful answer of the API. */
export function success(result: unknown): object {
  const isList = Array.isArray(result);
  return {
    result,
    success: true,
    errors: [],
    messages: [],
    ...(isList && {
      result_info: { page: 1, per_page: 100, count: result.length, total_count: result.length },
    }),
  };
}

/** The envelope of every refusal. */
export function failure({ code, message }: ApiFailure): object {
  return { result: null, success: false, errors: [{ code, message }], messages: [] };
}
