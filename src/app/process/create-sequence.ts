import { InnsigliError, isInnsigliError, restated } from '../../base/errors.ts';
import {
  boolean,
  invalid,
  list,
  type Members,
  object,
  optional,
  type Read,
  string,
} from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import { type CompanyKey, newKey } from '../../domain/keys.ts';
import {
  buildProcess,
  type MessageDraft,
  type NewProcess,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import { groupPersons, type Sequence, sequenceTurn } from '../../domain/sequence.ts';
import { operation } from '../operation.ts';
import { requireQuotas, takeFormQuota, takeQuotas } from '../quotas.ts';
import { writeConsequences } from '../service/index.ts';
import {
  type CreatePorts,
  createErrors,
  type Origin,
  type ProcessRequest,
  prepareProcess,
  readOwner,
  readProcessRequest,
  requestedQuotas,
  usedQuotas,
} from './create.ts';
import { withPasscodes } from './passcode.ts';
import type { SequenceView } from './read.ts';

/** A sequence: several documents signed by the same persons. */
export interface SequenceRequest {
  readonly processes: readonly ProcessRequest[];
  /** E-mail address of the owner. Only the owner may cancel the sequence. */
  readonly user: string;
  readonly requiresAuth?: boolean | undefined;
  /** Whether each person signs all documents before the next is notified. */
  readonly signInOrder?: boolean | undefined;
}

const readSequenceRequest: Read<SequenceRequest> = object({
  processes: list(readProcessRequest),
  user: string,
  requiresAuth: optional(boolean),
  signInOrder: optional(boolean),
} satisfies Members<SequenceRequest>);

const PROCESSES_MAX = 100;

/**
 * Creates a sequence of several documents to be signed, atomically: either all are written or none.
 * Each person gets one invitation for all documents.
 */
export const createSequence = operation(readSequenceRequest, {
  errors: createErrors,
  run: (ports: CreatePorts, companyKey, request) => createSequenceFrom(ports, companyKey, request),
});

/** Like {@link createSequence}, also for requests that do not come from the company. */
export async function createSequenceFrom(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: SequenceRequest,
  origin: Origin = {},
): Promise<SequenceView> {
  const nowMs = ports.now();
  const hasNoOwner = request.user === systemActor;
  const owner = hasNoOwner ? undefined : readOwner(request.user);
  const user =
    owner ?? (hasNoOwner ? systemActor : invalid('user', 'expected the owner of the sequence'));
  const count = request.processes.length;
  if (count === 0 || count > PROCESSES_MAX) {
    invalid('processes', `expected 1 to ${PROCESSES_MAX} documents, found ${count}`);
  }
  requireFewSignees(request.processes);
  const wanted = request.processes.map((each) => requestedQuotas(each).storedBytes ?? 0);
  const storedBytes = wanted.reduce((sum, each) => sum + each, 0);
  await ports.store.read((unit) => requireQuotas(unit, companyKey, { storedBytes }, nowMs));
  const key = newKey('sequence', ports.random);
  const { requiresAuth = false, signInOrder = false } = request;
  const prepared: NewProcess[] = [];
  for (const [at, each] of request.processes.entries()) {
    const own = { user: owner, ...each, ...(requiresAuth ? { requiresAuth } : {}) };
    const within = { ...origin, sequenceKey: key };
    const made = prepareProcess(ports, companyKey, own, nowMs, within);
    prepared.push(await made.catch((error: unknown) => refuseInside(`processes[${at}]`, error)));
  }
  const newProcesses = closedUnlessAllOpen(prepared);
  // Again, now with the default signees of the flows.
  requireFewSignees(newProcesses);
  const sequence: Sequence = {
    key,
    companyKey,
    rev: 1,
    user,
    requiresAuth,
    signInOrder,
    processKeys: newProcesses.map((newProcess) => newProcess.key),
    persons: await withPasscodes(
      groupPersons(newProcesses, () => newKey('person', ports.random)),
      request.processes,
      newProcesses,
      ports.random,
    ),
    createdAtMs: nowMs,
    isEndTold: false,
  };
  const turn = sequenceTurn(sequence, newProcesses);
  const context = { nowMs, ...(turn === undefined ? {} : { sequenceTurn: turn }) };
  const built = newProcesses.map((newProcess) => buildProcess(newProcess, context));
  const invitations = personalInvitations(sequence, built);
  await ports.store.write(async (unit) => {
    await unit.sequences.add(sequence);
    for (const { process, consequences } of built) {
      await unit.processes.add(process);
      const messages = invitations.get(process.key) ?? [];
      await writeConsequences(unit, ports, process, { ...consequences, messages }, nowMs);
    }
    await takeQuotas(unit, companyKey, usedQuotas(newProcesses), nowMs, key);
    if (origin.isByCustomer !== true) return;
    for (const { process } of built) {
      await takeFormQuota(unit, companyKey, 'processes', nowMs, process.key);
    }
  });
  return { sequence, processes: built.map(({ process }) => process) };
}

/** Removes open links unless all documents have them: a person's link opens the whole sequence. */
function closedUnlessAllOpen(newProcesses: readonly NewProcess[]): readonly NewProcess[] {
  if (newProcesses.every(({ policy }) => policy.openLinks === true)) return newProcesses;
  return newProcesses.map(({ policy: { openLinks: _open, ...policy }, ...rest }) => ({
    ...rest,
    policy,
  }));
}

/** Limits the signees: the sequence is handled in one transaction and returned in one response. */
function requireFewSignees(documents: readonly { readonly signees: readonly unknown[] }[]): void {
  const found = documents.reduce((sum, { signees }) => sum + signees.length, 0);
  const most = limits.sequenceSignees;
  if (found <= most) return;
  const message = `expected at most ${most} signees in all documents, found ${found}`;
  throw new InnsigliError('limit.exceeded', message);
}

/** Throws `error`, with the index of the document added to its field. */
function refuseInside(where: string, error: unknown): never {
  const field = isInnsigliError(error) ? error.details['field'] : undefined;
  if (!isInnsigliError(error) || typeof field !== 'string') throw error;
  throw restated(error, {
    message: `${where}.${error.message}`,
    details: { ...error.details, field: `${where}.${field}` },
  });
}

// One invitation per person, sent with the first of their documents that is open.
function personalInvitations(
  { persons }: Sequence,
  built: readonly { readonly process: SigningProcess }[],
): ReadonlyMap<string, readonly MessageDraft[]> {
  const signees = new Map(
    built.flatMap(({ process }) => process.signees.map((signee) => [signee.key, signee] as const)),
  );
  const invitations = new Map<string, MessageDraft[]>();
  for (const { signingKeys } of persons) {
    for (const { processKey, signeeKey } of signingKeys) {
      const { invitedAtMs, delivery: channel = 'None' } = signees.get(signeeKey) ?? {};
      if (invitedAtMs === undefined || channel === 'None') continue;
      const others = invitations.get(processKey) ?? [];
      invitations.set(processKey, [...others, { template: 'Signup', channel, signeeKey }]);
      break;
    }
  }
  return invitations;
}
