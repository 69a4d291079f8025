import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { AdminError } from '../admin/admin-error.ts';

/** Sends a request to a path below `/api/brand/v1/`, and gives the parsed response. */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/**
 * Requests to the local service. The certificate is not verified: it is wrangler's own, which nobody has signed.
 * @param service such as `https://localhost:8787`
 * @returns what sends them; it throws AdminError if the service refuses one
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
          else reject(new AdminError(`The demo data was refused: ${answer}`));
        }, reject);
      })
        .on('error', reject)
        .end(body && JSON.stringify(body));
    });
}
