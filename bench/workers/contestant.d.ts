/** The Worker that is measured, as wrangler bundled it: `servers.ts` puts it beside `wrapper.ts`. */
declare const contestant: {
  fetch(request: Request, env: object, context: ExecutionContext): Response | Promise<Response>;
};
export default contestant;
