import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import {
  type ActivityLogWrapper,
  type ActivityQuery,
  parseActivityQuery,
  type ShownLog,
  withoutSigneeKeys,
} from '../../../app/activity/index.ts';
import { notFoundError } from '../../../app/required.ts';
import { asKey } from '../../../domain/keys.ts';
import { camelCase } from '../../failure.ts';
import type { ApiApp } from '../../route.ts';
import {
  activityFilter,
  activityList,
  activityQuery,
  activityTotal,
  processActivityQuery,
} from '../../schemas/index.ts';
import { processParams } from '../params.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Activity log', access: 'company' });
const older = { deprecated: true } as const;

/** Adds the routes of the activity log, and its older published routes. */
export function registerActivity(app: ApiApp): void {
  for (const [path, summary, more] of [
    ['/signing/activity', 'The log of the company', {}],
    ['/signing/activity/company', 'The log of the company (older route)', older],
    ['/signing/activity/user', 'The log of the processes of one user (older route)', older],
  ] as const) {
    add(app, 'GET', path, {
      summary,
      description:
        'Processes created in the period, newest first, with all their events. ' +
        'Keys and links of signees are included only for keys with the scope `sign`.',
      ...more,
      query: activityQuery,
      answers: { 200: { description: 'Processes, newest first.', schema: activityList } },
      handle: async ({ query, company, request, reply }) => {
        const pages = company.activity.pages(readQuery(query));
        return sendList(reply, (await app.maySign(request)) ? pages : keyless(pages));
      },
    });
  }
  add(app, 'GET', '/signing/activity/total', {
    summary: 'Count processes',
    description: 'Takes the filter of the log without paging.',
    query: activityFilter,
    answers: { 200: { description: 'The number.', schema: activityTotal } },
    handle: async ({ query, company }) => company.activity.total(readQuery(query)),
  });
  add(app, 'GET', '/signing/activity/{ProcessKey}', {
    summary: 'The log of one process (older route)',
    deprecated: true,
    description: 'The whole log if no period is given.',
    params: processParams,
    query: processActivityQuery,
    answers: { 200: { description: 'The process.', schema: activityList } },
    errors: ['process.not_found'],
    handle: async ({ params: { ProcessKey }, query, company, request }) => {
      const isPlain = query.StartDate === undefined && query.EndDate === undefined;
      const asked = isPlain ? { ...query, ...always } : query;
      const found = await company.activity.list({
        ...readQuery(asked),
        processKey: asKey('process', ProcessKey),
      });
      if (found.length > 0 || !isPlain) {
        return (await app.maySign(request)) ? found : found.map(withoutSigneeKeys);
      }
      throw notFoundError('process', ProcessKey);
    },
  });
}

/** Pages of the log for a key that may read but not sign. */
async function* keyless(
  pages: AsyncGenerator<readonly ActivityLogWrapper[]>,
): AsyncGenerator<readonly ShownLog[]> {
  for await (const page of pages) yield page.map(withoutSigneeKeys);
}

/** Sends a list page by page: a long list is never in memory as a whole. */
async function sendList(
  reply: FastifyReply,
  pages: AsyncGenerator<readonly ShownLog[]>,
): Promise<unknown> {
  const first = await pages.next();
  const second = first.done === true ? first : await pages.next();
  if (second.done === true) return first.value ?? [];
  const listed = async function* () {
    yield [...(first.value ?? []), ...second.value];
    yield* pages;
  };
  return reply
    .type('application/json; charset=utf-8')
    .send(Readable.from(listText(reply, listed()), { objectMode: false }));
}

async function* listText(
  reply: FastifyReply,
  pages: AsyncIterable<readonly ShownLog[]>,
): AsyncGenerator<string> {
  let before = '[';
  for await (const page of pages) {
    const text = String(reply.serializeInput(page as never, '200', 'application/json'));
    yield before + text.slice(1, -1);
    before = ',';
    // SQLite reads a page synchronously: let others have their turn between pages.
    await setImmediate();
  }
  yield before === '[' ? '[]' : ']';
}

const always = { StartDate: '1970-01-01', EndDate: '9999-12-31' } as const;

function readQuery(query: Static<typeof processActivityQuery>): ActivityQuery {
  const given = Object.entries(query).map(([name, value]) => [camelCase(name), value]);
  return parseActivityQuery(Object.fromEntries(given));
}
