import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type CompanyKey, newKey } from '../../domain/keys.ts';
import {
  buildProcess,
  type MessageDraft,
  type NewProcess,
  type SigningProcess,
  systemActor,
} from '../../domain/process/index.ts';
import { groupPersons, type Sequence, sequenceTurn } from '../../domain/sequence/index.ts';
import { operation } from '../operation.ts';
import { takeQuotas } from '../quota/index.ts';
import { invalid } from '../request-texts.ts';
import { writeConsequences } from '../service/index.ts';
import { createErrors } from './create-process.ts';
import { prepareProcess, takenQuotas } from './new-process.ts';
import { withPasscodes } from './passcode.ts';
import {
  type CreatePorts,
  readOwner,
  readSequenceRequest,
  type SequenceRequest,
} from './requests.ts';

/** A sequence with its documents. */
export interface SequenceView {
  readonly sequence: Sequence;
  readonly processes: readonly SigningProcess[];
}

const PROCESSES_MAX = 100;

/**
 * Takes several documents for signature, as one: all of them are written, or none. Each person
 * gets one invitation, for all documents.
 */
export const createSequence = operation(readSequenceRequest, {
  errors: createErrors,
  run: takeSequence,
});

async function takeSequence(
  ports: CreatePorts,
  companyKey: CompanyKey,
  request: SequenceRequest,
): Promise<SequenceView> {
  const nowMs = ports.now();
  const isNobodys = request.user === systemActor;
  const owner = isNobodys ? undefined : readOwner(request.user);
  const user =
    owner ?? (isNobodys ? systemActor : invalid('user', 'expected who starts the sequence'));
  const count = request.processes.length;
  if (count === 0 || count > PROCESSES_MAX) {
    invalid('processes', `expected 1 to ${PROCESSES_MAX} documents, found ${count}`);
  }
  requireFewSignees(request.processes);
  const key = newKey('sequence', ports.random);
  const { requiresAuth = false, signInOrder = false } = request;
  const prepared = [];
  for (const [at, each] of request.processes.entries()) {
    const wish = { user: owner, ...each, ...(requiresAuth ? { requiresAuth } : {}) };
    const made = prepareProcess(ports, companyKey, wish, nowMs, key);
    prepared.push(await made.catch((error: unknown) => refuseInside(`processes[${at}]`, error)));
  }
  const wishes = closedUnlessAllOpen(prepared);
  // Flows add signees of their own.
  requireFewSignees(wishes);
  const sequence: Sequence = {
    key,
    companyKey,
    rev: 1,
    user,
    requiresAuth,
    signInOrder,
    processKeys: wishes.map((wish) => wish.key),
    persons: await withPasscodes(
      groupPersons(wishes, () => newKey('person', ports.random)),
      request.processes,
      wishes,
      ports.random,
    ),
    createdAtMs: nowMs,
    isEndTold: false,
  };
  const turn = sequenceTurn(sequence, wishes);
  const context = { nowMs, ...(turn === undefined ? {} : { sequenceTurn: turn }) };
  const built = wishes.map((wish) => buildProcess(wish, context));
  const invitations = personalInvitations(sequence, built);
  await ports.store.write(async (unit) => {
    await unit.sequences.add(sequence);
    for (const { process, consequences } of built) {
      await unit.processes.add(process);
      const messages = invitations.get(process.key) ?? [];
      await writeConsequences(unit, ports, process, { ...consequences, messages }, nowMs);
    }
    await takeQuotas(unit, companyKey, takenQuotas(wishes), nowMs, key);
  });
  return { sequence, processes: built.map(({ process }) => process) };
}

/** The link of a person opens all documents of a sequence: one that is closed closes all. */
function closedUnlessAllOpen(wishes: readonly NewProcess[]): readonly NewProcess[] {
  if (wishes.every(({ policy }) => policy.openLinks === true)) return wishes;
  return wishes.map(({ policy: { openLinks: _open, ...policy }, ...rest }) => ({
    ...rest,
    policy,
  }));
}

/** All of a sequence is decided on in one transaction, and shown in one answer. */
function requireFewSignees(documents: readonly { readonly signees: readonly unknown[] }[]): void {
  const found = documents.reduce((sum, { signees }) => sum + signees.length, 0);
  const most = limits.sequenceSignees;
  if (found <= most) return;
  const message = `expected at most ${most} signees in all documents, found ${found}`;
  throw new InnsigliError('limit.exceeded', message);
}

/** Throws `error`; one about a member says in which of the documents. */
function refuseInside(where: string, error: unknown): never {
  const field = isInnsigliError(error) ? error.details['field'] : undefined;
  if (!isInnsigliError(error) || typeof field !== 'string') throw error;
  const { code, message, hint, details } = error;
  throw new InnsigliError(code, `${where}.${message}`, {
    details: { ...details, field: `${where}.${field}` },
    ...defined({ hint }),
  });
}

// One message for a person: it goes with the first of their documents that is open.
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
