import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { AdminError } from '../admin/admin-error.ts';

/** Sends a request to a path below `/api/brand/v1/` and returns the parsed response. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/**
 * Sends requests to the local service. Its certificate is self-signed by wrangler and is not verified.
 * @param service the address, such as `https://localhost:8787`
 * @returns a function that sends a request; it throws AdminError if the service rejects it
 */
export function sendTo(service: string, apiKey: string): Send {
  const request = service.startsWith('https:') ? requestHttps : requestHttp;
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${apiKey}` };
      const url = `${service}/api/brand/v1/${path}`;
      request(url, { method, headers, rejectUnauthorized: false }, (response) => {
        text(response).then((answer) => {
          const { statusCode = 0 } = response;
          if (statusCode < 300) resolve(JSON.parse(answer));
          else reject(new AdminError(`The service rejected the demo data: ${answer}`));
        }, reject);
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
}
