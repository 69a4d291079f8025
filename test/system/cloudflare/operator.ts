import type { Finished } from '../../node/processes.ts';
import type { Account } from './account/account.ts';
import { openAccount } from './account/account.ts';
import { Project } from './project.ts';
import { documentedCommands } from './runbook.ts';

/** What stands in `wrangler.toml` for the id of a database that does not exist yet. */
const PLACEHOLDER = '00000000-0000-0000-0000-000000000000';

/** A person with the documents, a copy of the project and an account at Cloudflare. */
export class Operator {
  readonly account: Account;
  readonly project: Project;
  /** What the person puts in the place of the documents' placeholders. */
  readonly values = new Map<string, string>();
  readonly #documented: readonly string[];
  readonly #typed = new Set<string>();
  /** Everything that was typed, as it was typed. */
  readonly lines: string[] = [];

  private constructor(account: Account, project: Project, documents?: readonly string[]) {
    this.account = account;
    this.project = project;
    this.#documented = documentedCommands(documents);
  }

  /**
   * Begins with a fresh account.
   * @param documents what the person has read
   */
  static async begin(documents?: readonly string[]): Promise<Operator> {
    const account = await openAccount();
    return new Operator(account, await Project.copy(account.environment), documents);
  }

  /**
   * Types a command that stands in the documents, its placeholders filled in.
   * @throws Error if it does not stand there, or fails
   */
  async type(command: string): Promise<string> {
    const { code, stdout, stderr } = await this.attempt(command);
    if (code !== 0) throw new Error(`${command}: ${stdout}\n${stderr}`);
    return stdout;
  }

  /** Types such a command, which may fail. */
  attempt(command: string): Promise<Finished> {
    return this.project.type(this.take(command));
  }

  /** A command of the documents as this person types it; it counts as typed. */
  take(command: string): string {
    if (!this.#documented.includes(command)) {
      throw new Error(`No document says: ${command}\nThey say:\n${this.#documented.join('\n')}`);
    }
    this.#typed.add(command);
    const line = this.#fill(command);
    this.lines.push(line);
    return line;
  }

  /** Types what the documents do not say to the letter: the same for another environment, or a machine-readable answer. */
  async run(line: string): Promise<string> {
    this.lines.push(line);
    const { code, stdout, stderr } = await this.project.type(line);
    if (code !== 0) throw new Error(`${line}: ${stdout}\n${stderr}`);
    return stdout;
  }

  /** The documents' commands that were not typed. */
  left(): string[] {
    return this.#documented.filter((command) => !this.#typed.has(command));
  }

  /** Puts a database's id into the first place that still has none, as the documents say, from the output of `d1 create`. */
  async putDatabaseId(output: string, section: string): Promise<void> {
    const [, id] = /database_id = "([^"]+)"/.exec(output) ?? [];
    if (id === undefined) throw new Error(`No id of a database in: ${output}`);
    await this.changeSection(section, (text) => text.replace(PLACEHOLDER, id));
  }

  /** Changes the lines below a heading of `wrangler.toml`, up to the next heading. */
  async changeSection(heading: string, change: (text: string) => string): Promise<void> {
    const toml = await this.project.read('wrangler.toml');
    const start = toml.indexOf(`${heading}\n`);
    if (start < 0) throw new Error(`wrangler.toml has no ${heading}.`);
    const next = toml.indexOf('\n[', start + heading.length);
    const end = next < 0 ? toml.length : next;
    const changed = change(toml.slice(start, end));
    if (changed === toml.slice(start, end)) throw new Error(`Nothing to change at ${heading}.`);
    await this.project.write('wrangler.toml', toml.slice(0, start) + changed + toml.slice(end));
  }

  async end(): Promise<void> {
    await this.account.stop();
    await this.project.remove();
  }

  #fill(command: string): string {
    let filled = command;
    for (const [placeholder, value] of this.values) filled = filled.replaceAll(placeholder, value);
    return filled;
  }
}
