import { objectOf, writtenOf } from '../json-values.ts';
import type { StoreAnswer } from '../store-requests.ts';

/** What pages of firewalls and hosts have that want to see a browser: scripts of InfinityFree, Cloudflare, SiteGround and others. */
const SCRIPTS =
  /\/aes\.js|slowAES|cdn-cgi\/challenge-platform|__cf_chl|sgcaptcha|_Incapsula_Resource|\bwsidchk\b|ddos-guard/i;

/** What they say in JSON. */
const SENTENCES = /imunify360|bot[- ]protection|captcha|are you (?:a )?human/i;

/**
 * Whether an answer is of a firewall, or of a host that wants to see a browser, whatever its status says. What a store itself
 * gives has data, and neither a page of HTML nor a sentence alone.
 */
export function isChallenge({ text, json }: Pick<StoreAnswer, 'text' | 'json'>): boolean {
  if (json === undefined) return /^\s*</.test(text) && SCRIPTS.test(text);
  return SENTENCES.test(writtenOf(objectOf(json)['message']));
}
