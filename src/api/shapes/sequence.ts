import type { SequenceRequest, SequenceView } from '../../app/process/index.ts';
import { defined } from '../../base/defined.ts';
import { mayOpen, type Viewer, viewerOfDocument } from '../../domain/access/index.ts';
import { systemActor } from '../../domain/process/index.ts';
import { type SequencePerson, sequenceStatus } from '../../domain/sequence/index.ts';
import { invalidField } from '../failure.ts';
import type { CreateSequenceBody } from '../schemas/index.ts';
import { type ReadDocument, readProcess, showProcess, showStatus } from './process.ts';

/**
 * A sequence in the words of the interface: a person sees their own entry in full, and of the
 * others name and state.
 */
export function showSequence(
  { sequence, processes }: SequenceView,
  frontEnd: string,
  viewer: Viewer,
  sent?: CreateSequenceBody['createSigningProcesses'],
): object {
  const isStranger = viewer.sees === 'own' && viewer.key === undefined;
  const isFresh = sequence.rev === 1 && processes.every(({ rev }) => rev === 1);
  const status = sequenceStatus(
    sequence,
    processes.map((each) => each.status),
  );
  return {
    key: sequence.key,
    status: showStatus({ rev: isFresh ? 1 : 2, status }),
    requiresAuth: sequence.requiresAuth,
    ...(sequence.user === systemActor || isStranger ? {} : { user: sequence.user }),
    signInOrder: sequence.signInOrder,
    signees: sequence.persons.map((person) => {
      const { key, signingKeys } = person;
      const own = { key, url: `${frontEnd}/s/${sequence.key}/${key}`, signingKeys };
      return { ...(mayOpen(viewer, key) ? own : {}), ...stateOf(person, processes) };
    }),
    signingProcesses: processes.map((process, at) =>
      showProcess(
        process,
        frontEnd,
        viewerOfDocument(viewer, sequence, process),
        sent && (sent[at]?.attachments ?? []),
      ),
    ),
  };
}

function stateOf({ signingKeys }: SequencePerson, processes: SequenceView['processes']) {
  const own = new Set<string>(signingKeys.map(({ signeeKey }) => signeeKey));
  const places = processes.flatMap(({ signees }) => signees.filter(({ key }) => own.has(key)));
  return defined({
    name: places[0]?.name,
    signed: places.length > 0 && places.every(({ state }) => state === 'Signed'),
  });
}

/** The use case's request for a body of CreateSequentialSigning. @throws validation.error */
export function readSequence(body: CreateSequenceBody, read: ReadDocument): SequenceRequest {
  const { createSigningProcesses, user, requiresAuth, signInOrder } = body;
  if (user.trim() === '') {
    throw invalidField('user', 'expected the person who starts the sequence');
  }
  return {
    processes: createSigningProcesses.map((each, at) =>
      readProcess(each, read, `createSigningProcesses[${at}]`),
    ),
    user,
    requiresAuth,
    signInOrder,
  };
}
