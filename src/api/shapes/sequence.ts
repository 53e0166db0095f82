import type { SequenceRequest, SequenceView } from '../../app/process/index.ts';
import { systemActor } from '../../domain/process/index.ts';
import { sequenceStatus } from '../../domain/sequence/index.ts';
import { invalidField } from '../failure.ts';
import type { CreateSequenceBody } from '../schemas/index.ts';
import { type ReadDocument, readProcess, showProcess, showStatus } from './process.ts';

/** A sequence in the words of the interface. */
export function showSequence(
  { sequence, processes }: SequenceView,
  frontEnd: string,
  sent?: CreateSequenceBody['createSigningProcesses'],
): object {
  const isFresh = sequence.rev === 1 && processes.every(({ rev }) => rev === 1);
  const status = sequenceStatus(
    sequence,
    processes.map((each) => each.status),
  );
  return {
    key: sequence.key,
    status: showStatus({ rev: isFresh ? 1 : 2, status }),
    requiresAuth: sequence.requiresAuth,
    ...(sequence.user === systemActor ? {} : { user: sequence.user }),
    signInOrder: sequence.signInOrder,
    signees: sequence.persons.map(({ key, signingKeys }) => ({
      key,
      url: `${frontEnd}/s/${sequence.key}/${key}`,
      signingKeys,
    })),
    signingProcesses: processes.map((process, at) =>
      showProcess(process, frontEnd, sent && (sent[at]?.attachments ?? [])),
    ),
  };
}

/** The use case's request for a body of CreateSequentialSigning. @throws validation.error */
export function readSequence(body: CreateSequenceBody, read: ReadDocument): SequenceRequest {
  const { createSigningProcesses, user, requiresAuth, signInOrder } = body;
  if (user.trim() === '') {
    throw invalidField('user', 'expected who starts the sequence');
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
