import { defined } from '../../base/defined.ts';
import { inviteInTurn, newDraft, reminderJobs, systemActor } from './accept.ts';
import { attachmentDigests, type Consequences, documentDigests } from './consequences.ts';
import type { SigningProcess } from './process.ts';
import type { DecisionContext } from './turn.ts';

/** Input for a new process: every member that is not derived from others. */
export type NewProcess = Omit<
  SigningProcess,
  'status' | 'phase' | 'rev' | 'documentRev' | 'leaseToken' | 'finalization' | 'document'
> & {
  /** Kinds of active content in the document, recorded in its log. */
  readonly activeContent?: readonly string[];
};

interface BuiltProcess {
  readonly process: SigningProcess;
  readonly consequences: Consequences;
}

/**
 * Builds a new process. It is a draft without a document or signees, waiting until the sequence
 * reaches one of its signees, and otherwise active.
 */
export function buildProcess(given: NewProcess, context: DecisionContext): BuiltProcess {
  const { activeContent, ...newProcess } = given;
  const isDraft = newProcess.original === undefined || newProcess.signees.length === 0;
  const { sequenceTurn } = context;
  const isWaiting =
    sequenceTurn !== undefined && !newProcess.signees.some(({ key }) => sequenceTurn.has(key));
  const isActive = !isDraft && !isWaiting;
  const process: SigningProcess = {
    ...newProcess,
    ...defined({ document: newProcess.original }),
    status: isActive ? 'Active' : 'InActive',
    phase: isDraft ? 'Draft' : isWaiting ? 'Waiting' : 'Open',
    rev: 1,
    documentRev: 0,
    leaseToken: 0,
    finalization: { attempts: 0 },
  };
  const draft = newDraft();
  const createdBy = newProcess.user ?? systemActor;
  const digests = {
    ...documentDigests(newProcess.original),
    ...attachmentDigests(newProcess.attachments),
  };
  const made = { status: 'Created', createdBy, fileName: newProcess.fileName };
  const { policy, expiresAtMs } = newProcess;
  const terms = { retentionDays: policy.retentionDays, expiresAtMs };
  const description = activeContent && `the document has ${activeContent.join(', ')}`.slice(0, 200);
  draft.activity.push({ ...made, digests, terms, ...defined({ description }) });
  for (const { key } of newProcess.signees) {
    draft.activity.push({ status: 'SigneeAdded', signeeKey: key, createdBy: systemActor });
  }
  draft.events.push({ type: 'Created', withDocument: false });
  draft.jobs.push({ kind: 'expire', ref: newProcess.key, runAtMs: newProcess.expiresAtMs });
  if (isActive)
    draft.activity.push({ status: 'Started', createdBy, fileName: newProcess.fileName });
  const signees = inviteInTurn(process, context, draft);
  draft.jobs.push(...reminderJobs({ ...process, signees }));
  return { process: { ...process, signees }, consequences: draft };
}

/** The name of the customer who uploaded the document; undefined if the company sent it. */
export function broughtBy({
  policy,
  signees,
}: Pick<SigningProcess, 'policy' | 'signees'>): string | undefined {
  return policy.isBrought === true ? signees[0]?.name : undefined;
}
