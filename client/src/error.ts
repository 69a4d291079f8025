/** An answer that is an error, or no answer at all. */
export class BrandApiError extends Error {
  override readonly name = 'BrandApiError';
  /** The HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;
  /** The id under which the service's log has the request. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    details: { status?: number | undefined; requestId?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.status = details.status;
    this.requestId = details.requestId;
  }
}
