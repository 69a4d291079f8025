const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns a duration such as `90d`, `24h`, `30m` or `0s` in seconds; NaN if it is none. */
export function secondsIn(text: string): number {
  const [, number, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(number) * (SECONDS[unit] ?? NaN);
}
