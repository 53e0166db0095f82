import { Type } from '@sinclair/typebox';
import { processOperations } from '../../../app/process/index.ts';
import { invalid } from '../../../base/input.ts';
import { seesAll } from '../../../domain/access.ts';
import { systemActor } from '../../../domain/process/index.ts';
import { documentReader } from '../../plugins/index.ts';
import { type ApiApp, addRoute } from '../../route.ts';
import { createProcess, requiredText, signingProcess, text } from '../../schemas/index.ts';
import { createNames, readProcess, showProcess } from '../../shapes/index.ts';

const tag = 'Signing processes';
const path = '/management/signing';

const cancelQuery = Type.Object({
  ProcessKey: requiredText('The process.'),
  User: text('E-mail of who cancels.'),
});
const blockQuery = Type.Object({
  ProcessKey: text('The process. Required, here or in the body.'),
  User: text('E-mail of who blocks.'),
  Reason: text('Why.'),
});
const blockBody = Type.Object({
  processKey: text('Where the query has none.'),
  user: text('Where the query has none.'),
  reason: text('Where the query has none.'),
});

/** Adds the routes with which owners make, cancel and block processes. */
export function registerManagement(app: ApiApp): void {
  addRoute(app, {
    method: 'POST',
    path,
    access: 'company',
    tag,
    summary: 'Take a document for signature',
    description:
      'Makes a process of one PDF and its signees. The answer has the key of the process, and ' +
      'for each signee the key and the link of the signing page. Signees with a delivery type ' +
      'are invited; to the others you give the link.',
    body: createProcess,
    answers: { 200: { description: 'The process.', schema: signingProcess } },
    errors: processOperations.create.errors,
    names: createNames,
    handle: async ({ body, company, request }) => {
      const wish = readProcess(body, documentReader(request));
      const made = await company.processes.create(wish);
      return showProcess(made, company.frontEnd, seesAll, body.attachments ?? []);
    },
  });
  addRoute(app, {
    method: 'DELETE',
    path,
    access: 'company',
    tag,
    summary: 'Cancel a process',
    description:
      'Nobody can sign it any more. To cancel it again changes nothing; a process that all have ' +
      'signed stays as it is.',
    query: cancelQuery,
    answers: { 204: { description: 'It is cancelled, or was.' } },
    errors: processOperations.cancel.errors,
    handle: async ({ query, company, reply }) => {
      await company.processes.cancel({ key: requireKey(query.ProcessKey), by: actor(query.User) });
      return reply.code(204).send();
    },
  });
  addRoute(app, {
    method: 'POST',
    path: `${path}/block`,
    access: 'company',
    tag,
    summary: 'Block a process',
    description:
      'Nobody can sign it meanwhile. Key, user and reason go in the query or in the body.',
    query: blockQuery,
    body: blockBody,
    bodyOptional: true,
    answers: { 204: { description: 'It is blocked, or was.' } },
    errors: processOperations.block.errors,
    handle: async ({ query, body, company, reply }) => {
      const key = requireKey(query.ProcessKey ?? body.processKey);
      const reason = query.Reason ?? body.reason;
      await company.processes.block({ key, by: actor(query.User ?? body.user), reason });
      return reply.code(204).send();
    },
  });
  registerExample(app);
}

function registerExample(app: ApiApp): void {
  addRoute(app, {
    method: 'GET',
    path: `${path}/example`,
    access: 'company',
    tag,
    summary: 'A body that makes a process',
    description:
      'An example with every member, as `POST /api/management/signing` takes it. Where the flow ' +
      'makes the document, `pdfFieldData` in `meta` has a value for every field of its form, or ' +
      'handle of its template.',
    query: Type.Object({ FlowKey: text('A flow of the company; without: one of them.') }),
    answers: { 200: { description: 'The body.', schema: createProcess } },
    errors: ['flow.not_found'],
    handle: async ({ query, company }) => {
      const wanted = query.FlowKey?.trim() ?? '';
      return company.flows.example(wanted === '' ? undefined : wanted);
    },
  });
}

/** Who asks: the e-mail of a user, or the service where nobody is named. */
export function actor(user: string | undefined): string {
  const named = user?.trim() ?? '';
  return named === '' ? systemActor : named;
}

function requireKey(key: string | undefined): string {
  const named = key?.trim() ?? '';
  if (named === '') invalid('processKey', 'expected the key of a process');
  return named;
}
