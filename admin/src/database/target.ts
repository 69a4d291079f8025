/** The database that the tool uses: the local or the deployed one. */
export interface DatabaseTarget {
  readonly remote?: boolean | undefined;
  /** The environment in `wrangler.toml` whose database to use, instead of the top level's. */
  readonly env?: string | undefined;
  /** The folder of the local database, instead of wrangler's default. */
  readonly persistTo?: string | undefined;
  /** The operator's name; by default the account that runs the tool. */
  readonly actor?: string | undefined;
  /** The number of the database, if there are several. */
  readonly number?: number | undefined;
}
