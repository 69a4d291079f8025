/**
 * Returns the options of a tool that npm kept for itself because `--` is missing before them, as people typed them.
 * The tool would run without them: on the local database instead of the deployed one, or for real instead of dry.
 * @param names the options to look for, such as `remote`; not those that people may have in their `.npmrc`
 */
export function optionsKeptByNpm(
  names: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  return names
    .filter((name) => environment[`npm_config_${name.replaceAll('-', '_')}`])
    .map((name) => `--${name}`);
}

/** Ends the process with a sentence if npm kept any of these options. */
export function refuseOptionsKeptByNpm(script: string, names: readonly string[]): void {
  const kept = optionsKeptByNpm(names);
  if (kept.length === 0) return;
  process.stderr.write(
    `error: npm kept ${kept.join(' and ')} for itself. Write -- before the arguments: npm run ${script} -- …\n`,
  );
  process.exit(1);
}
