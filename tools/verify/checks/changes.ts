import type { Answer } from '../answer.ts';
import { described, listMember, member, textMember } from '../answer.ts';
import { BASE } from '../contract.ts';
import type { Check, CheckContext } from '../check.ts';
import { NotApplicable } from '../check.ts';
import type { TestCollection } from '../resources.ts';

/** The maximum number of pages of a first load: more would take too long for a check. */
const MAX_PAGES = 40;

interface Changes {
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly token: string;
}

/**
 * Checks `since`: a creation, a change and a deletion each appear once, and a write that changes nothing does not
 * appear.
 */
export function changes(names: TestCollection): Check {
  const { path, one, input, patch } = names;
  return {
    name: `${path.slice(1)}: since`,
    writes: true,
    async run(context) {
      const { service, fail, mark } = context;
      if (!service.contract.hasParameter('GET', path, 'since')) {
        throw new NotApplicable('The document of this project has no parameter since.');
      }
      let { token } = await follow(context, names, '0');
      const next = async (): Promise<Changes> => {
        const found = await follow(context, names, token);
        ({ token } = found);
        return found;
      };
      const created = await service.expect(201, 'POST', path, { body: input(mark) });
      const id = textMember(created.body, one, 'id');
      const times = ({ changed }: Changes): number =>
        changed.filter((other) => other === id).length;

      if (times(await next()) !== 1) fail('The created resource does not appear exactly once.');
      await service.expect(200, 'PATCH', `${path}/${id}`, { body: patch });
      if (times(await next()) !== 1) fail('The changed resource does not appear exactly once.');
      await service.expect(200, 'PATCH', `${path}/${id}`, { body: patch });
      if (times(await next()) !== 0) fail('A write that changed nothing appears.');
      await service.expect(200, 'DELETE', `${path}/${id}`);
      if (!(await next()).deleted.includes(id))
        fail('The deleted resource does not appear among the deleted ids.');
      await service.expect(400, 'GET', `${path}?since=${encodeURIComponent('no token')}`);
      await service.expect(400, 'GET', `${path}?since=0&updatedSince=2026-01-01T00:00:00Z`);
    },
  };
}

/** Reads what changed after a token, page by page. */
async function follow(
  { service }: CheckContext,
  names: TestCollection,
  since: string,
): Promise<Changes> {
  const changed: string[] = [];
  const deleted: string[] = [];
  let path: string | undefined = `${names.path}?since=${encodeURIComponent(since)}`;
  let token = since;
  for (let pages = 0; path !== undefined; pages++) {
    if (pages === MAX_PAGES) throw new NotApplicable(`There are more than ${MAX_PAGES} pages.`);
    const answer: Answer = await service.expect(200, 'GET', path);
    changed.push(...listMember(answer.body, names.many).map((item) => String(member(item, 'id'))));
    deleted.push(...listMember(answer.body, names.deletedMany).map(String));
    token = textMember(answer.body, 'since');
    path = nextPage(answer);
  }
  return { changed, deleted, token };
}

function nextPage(answer: Answer): string | undefined {
  const link = answer.headers.get('Link');
  if (link === null) return undefined;
  const [, address] = /<([^<>]{1,4000})>; rel="next"/.exec(link) ?? [];
  if (address === undefined) throw new Error(`${described(answer)}: Link is ${link}`);
  const { pathname, search } = new URL(address);
  return pathname.slice(BASE.length) + search;
}

/** Checks a dry run: it reports what it would do, and writes nothing. */
export function dryRun({ path, many, input, filter, markedBy }: TestCollection): Check {
  return {
    name: `${path.slice(1)}: dryRun`,
    writes: true,
    async run({ service, fail, mark }) {
      if (!service.contract.hasParameter('POST', path, 'dryRun')) {
        throw new NotApplicable('The document of this project has no parameter dryRun.');
      }
      const answer = await service.expect(200, 'POST', `${path}?match=${markedBy}&dryRun=true`, {
        body: { [many]: [input(mark)] },
      });
      const [result] = listMember(answer.body, 'results');
      if (member(result, 'status') !== 'created' || member(result, 'id') !== null) {
        fail(`${described(answer)}: does not report that it would create a resource`);
      }
      const listed = await service.expect(200, 'GET', `${path}?${filter(mark)}`);
      if (listMember(listed.body, many).length > 0)
        fail(`${described(answer)}: it created something`);
    },
  };
}
