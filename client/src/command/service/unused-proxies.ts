/** The variables that name a proxy. */
const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Whether this Node uses the proxies of the environment if it is asked to. */
const CAN_USE = process.allowedNodeEnvironmentFlags.has('--use-env-proxy');

/**
 * Returns a `fetch` whose errors say that the environment names a proxy that this Node cannot use: without it, nothing may be
 * reached from a company's network. Undefined if there is nothing to say.
 */
export function fetchWithoutProxy(
  env: Readonly<Record<string, string | undefined>>,
  canUse = CAN_USE,
): typeof fetch | undefined {
  const names = PROXIES.filter((name) => (env[name] ?? '') !== '');
  if (canUse || names.length === 0) return undefined;
  const said = `${names.join(', ')} in the environment is not used: that needs Node 22.21, 24.5 or later`;
  return async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (error) {
      // Another one is the reason of a signal.
      if (!(error instanceof TypeError)) throw error;
      throw new TypeError(said, { cause: error.cause });
    }
  };
}
