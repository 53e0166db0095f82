import { Type } from '@sinclair/typebox';
import { processOperations } from '../../../app/process/index.ts';
import { invalid } from '../../../base/input.ts';
import { seesAll } from '../../../domain/access.ts';
import { systemActor } from '../../../domain/process/index.ts';
import { documentReader } from '../../plugins/index.ts';
import type { ApiApp } from '../../route.ts';
import { createSequence, requiredText, sequentialSigning } from '../../schemas/index.ts';
import { createNames, readSequence, showSequence } from '../../shapes/index.ts';
import { routesOf } from '../routes-of.ts';

const add = routesOf({ tag: 'Sequences', access: 'company' });
const path = '/management/signing/sequential';

const cancelQuery = Type.Object({
  SequenceKey: requiredText('The sequence.'),
  User: requiredText('The owner of the sequence.'),
});

/** Adds the routes with which owners create and cancel sequences. */
export function registerSequences(app: ApiApp): void {
  add(app, 'POST', path, {
    summary: 'Create a sequence: several documents, one link per person',
    description:
      'Each person gets one link for all documents. A plain list of processes is accepted too.',
    body: createSequence,
    listMember: 'createSigningProcesses',
    // A bare list cannot state who starts it, so cancelling is not restricted to one user.
    listDefaults: { user: systemActor },
    answers: { 200: { description: 'The sequence.', schema: sequentialSigning } },
    errors: processOperations.createSequence.errors,
    names: createNames,
    handle: async ({ body, company, request }) => {
      const sequenceRequest = readSequence(body, documentReader(request));
      const view = await company.processes.createSequence(sequenceRequest);
      return showSequence(view, company.frontEnd, seesAll, body.createSigningProcesses);
    },
  });
  add(app, 'DELETE', path, {
    summary: 'Cancel a sequence',
    description: 'Cancels all its documents. Only its owner may do that.',
    query: cancelQuery,
    answers: { 200: { description: 'The sequence.', schema: sequentialSigning } },
    errors: processOperations.cancelSequence.errors,
    handle: async ({ query, company }) => {
      const key = required('sequenceKey', query.SequenceKey);
      const user = required('user', query.User);
      const view = await company.processes.cancelSequence({ key, by: user });
      return showSequence(view, company.frontEnd, seesAll);
    },
  });
}

function required(name: string, value: string | undefined): string {
  const given = value?.trim() ?? '';
  if (given === '') invalid(name, 'expected a value in the query');
  return given;
}
