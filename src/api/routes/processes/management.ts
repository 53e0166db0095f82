import { Type } from '@sinclair/typebox';
import { processOperations } from '../../../app/process/index.ts';
import { invalid } from '../../../base/input.ts';
import { seesAll } from '../../../domain/access.ts';
import { systemActor } from '../../../domain/process/index.ts';
import { documentReader } from '../../plugins/index.ts';
import type { ApiApp } from '../../route.ts';
import { createProcess, requiredText, signingProcess, text } from '../../schemas/index.ts';
import { createNames, readProcess, showProcess } from '../../shapes/index.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Signing processes', access: 'company' });
const path = '/management/signing';

const cancelQuery = Type.Object({
  ProcessKey: requiredText('The process.'),
  User: text('E-mail of the author of the cancellation.'),
});
const blockQuery = Type.Object({
  ProcessKey: text('The process. Required, here or in the body.'),
  User: text('E-mail of the author of the block.'),
  Reason: text('Why.'),
});
const blockBody = Type.Object({
  processKey: text('Used when the query has none.'),
  user: text('Used when the query has none.'),
  reason: text('Used when the query has none.'),
});

/** Adds the routes with which owners create, cancel and block processes. */
export function registerManagement(app: ApiApp): void {
  add(app, 'POST', path, {
    summary: 'Create a signing process',
    description:
      'Creates a process from one PDF and its signees. The response has the process key and, ' +
      'for each signee, the key and the link of the signing page. Signees with a delivery type ' +
      'are invited; send the link to the others.',
    body: createProcess,
    answers: { 200: { description: 'The process.', schema: signingProcess } },
    errors: processOperations.create.errors,
    names: createNames,
    handle: async ({ body, company, request }) => {
      const processRequest = readProcess(body, documentReader(request));
      const made = await company.processes.create(processRequest);
      return showProcess(made, company.frontEnd, seesAll, body.attachments ?? []);
    },
  });
  add(app, 'DELETE', path, {
    summary: 'Cancel a process',
    description:
      'It can no longer be signed. Cancelling it again has no effect; a completed ' +
      'process does not change.',
    query: cancelQuery,
    answers: { 204: { description: 'The process is cancelled.' } },
    errors: processOperations.cancel.errors,
    handle: async ({ query, company }) => {
      await company.processes.cancel({ key: requireKey(query.ProcessKey), by: actor(query.User) });
    },
  });
  add(app, 'POST', `${path}/block`, {
    summary: 'Block a process',
    description:
      'It cannot be signed while blocked. Key, user and reason go in the query or in the body.',
    query: blockQuery,
    body: blockBody,
    bodyOptional: true,
    answers: { 204: { description: 'The process is blocked.' } },
    errors: processOperations.block.errors,
    handle: async ({ query, body, company }) => {
      const key = requireKey(query.ProcessKey ?? body.processKey);
      const reason = query.Reason ?? body.reason;
      await company.processes.block({ key, by: actor(query.User ?? body.user), reason });
    },
  });
  registerExample(app);
}

function registerExample(app: ApiApp): void {
  add(app, 'GET', `${path}/example`, {
    summary: 'Example body for a new process',
    description:
      'A body for `POST /api/management/signing` with every member. If the flow ' +
      'creates the document, `pdfFieldData` in `meta` has a value for every field of its form or ' +
      'placeholder of its template.',
    query: Type.Object({ FlowKey: text('A flow of the company; any flow when omitted.') }),
    answers: { 200: { description: 'The body.', schema: createProcess } },
    errors: ['flow.not_found'],
    handle: async ({ query, company }) => {
      const wanted = query.FlowKey?.trim() ?? '';
      return company.flows.example(wanted === '' ? undefined : wanted);
    },
  });
}

/** The actor: a user's e-mail address, or the service if no user is named. */
export function actor(user: string | undefined): string {
  const named = user?.trim() ?? '';
  return named === '' ? systemActor : named;
}

function requireKey(key: string | undefined): string {
  const named = key?.trim() ?? '';
  if (named === '') invalid('processKey', 'expected the key of a process');
  return named;
}
