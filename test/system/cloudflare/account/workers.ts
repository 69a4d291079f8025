import { randomUUID } from 'node:crypto';
import type { Runtime } from './runtime.ts';
import type { Upload } from './upload.ts';
import { ApiFailure } from './envelope.ts';

interface Version {
  readonly id: string;
  readonly number: number;
  readonly createdOn: string;
  readonly upload: Upload;
}

interface Deployment {
  readonly id: string;
  readonly createdOn: string;
  readonly versionId: string;
  readonly message: string;
}

/** A script of the account: its versions, and which of them was deployed when. */
interface Script {
  readonly tag: string;
  readonly versions: Version[];
  readonly deployments: Deployment[];
  schedules: string[];
  tags: string[];
  isOnWorkersDev: boolean;
}

/** The Workers of an account. The version that was deployed last is served. */
export class Workers {
  readonly #runtime: Runtime;
  readonly #scripts = new Map<string, Script>();
  #clock = Date.now();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** @throws ApiFailure if there is no such script */
  find(name: string): Script {
    const script = this.#scripts.get(name);
    if (script === undefined) {
      throw new ApiFailure(404, 10007, 'This Worker does not exist on your account.');
    }
    return script;
  }

  /** @throws ApiFailure if there is no such version */
  version(name: string, id: string): Version {
    const version = this.find(name).versions.find((candidate) => candidate.id === id);
    if (version === undefined) throw new ApiFailure(404, 10007, `There is no version ${id}.`);
    return version;
  }

  /** Adds a version, and the script where there was none. */
  upload(name: string, upload: Upload): Version {
    const script = this.#scripts.get(name) ?? {
      tag: randomUUID().replaceAll('-', ''),
      versions: [],
      deployments: [],
      schedules: [],
      tags: [],
      isOnWorkersDev: false,
    };
    this.#scripts.set(name, script);
    const number = script.versions.length + 1;
    const version = { id: randomUUID(), number, createdOn: this.#now(), upload };
    script.versions.push(version);
    return version;
  }

  /**
   * Serves a version from now on.
   * @throws ApiFailure if workerd does not start it
   */
  async deploy(name: string, versionId: string, message: string): Promise<Deployment> {
    const { upload } = this.version(name, versionId);
    try {
      await this.#runtime.serve(name, upload.worker);
    } catch (error) {
      throw new ApiFailure(400, 10021, error instanceof Error ? error.message : String(error));
    }
    const deployment = { id: randomUUID(), createdOn: this.#now(), versionId, message };
    this.find(name).deployments.unshift(deployment);
    return deployment;
  }

  /** A time later than all before: wrangler sorts deployments by theirs. */
  #now(): string {
    this.#clock = Math.max(this.#clock + 1, Date.now());
    return new Date(this.#clock).toISOString();
  }
}
