import { defined } from '../../base/defined.ts';
import { inviteInTurn, newDraft, reminderJobs, systemActor } from './accept.ts';
import { attachmentDigests, type Consequences, documentDigests } from './consequences.ts';
import type { SigningProcess } from './process.ts';
import type { DecisionContext } from './turn.ts';

/** Input for a new process: all members that do not follow from others. */
export type NewProcess = Omit<
  SigningProcess,
  'status' | 'phase' | 'rev' | 'documentRev' | 'leaseToken' | 'finalization' | 'document'
> & {
  /** What acts by itself in the document: its log says so. */
  readonly activeContent?: readonly string[];
};

/** A new process with what its making entails. */
interface BuiltProcess {
  readonly process: SigningProcess;
  readonly consequences: Consequences;
}

/**
 * A new process: active when its document is there, has a signee, and in a sequence the turn of one
 * has come; a draft or waiting otherwise.
 */
export function buildProcess(given: NewProcess, context: DecisionContext): BuiltProcess {
  const { activeContent, ...wish } = given;
  const isDraft = wish.original === undefined || wish.signees.length === 0;
  const { sequenceTurn } = context;
  const isWaiting =
    sequenceTurn !== undefined && !wish.signees.some(({ key }) => sequenceTurn.has(key));
  const isActive = !isDraft && !isWaiting;
  const process: SigningProcess = {
    ...wish,
    ...defined({ document: wish.original }),
    status: isActive ? 'Active' : 'InActive',
    phase: isDraft ? 'Draft' : isWaiting ? 'Waiting' : 'Open',
    rev: 1,
    documentRev: 0,
    leaseToken: 0,
    finalization: { attempts: 0 },
  };
  const draft = newDraft();
  const createdBy = wish.user ?? systemActor;
  const digests = { ...documentDigests(wish.original), ...attachmentDigests(wish.attachments) };
  const made = { status: 'Created', createdBy, fileName: wish.fileName };
  const { policy, expiresAtMs } = wish;
  const terms = { retentionDays: policy.retentionDays, expiresAtMs };
  const description = activeContent && `the document has ${activeContent.join(', ')}`.slice(0, 200);
  draft.activity.push({ ...made, digests, terms, ...defined({ description }) });
  for (const { key } of wish.signees) {
    draft.activity.push({ status: 'SigneeAdded', signeeKey: key, createdBy: systemActor });
  }
  draft.events.push({ type: 'Created', withDocument: false });
  draft.jobs.push({ kind: 'expire', ref: wish.key, runAtMs: wish.expiresAtMs });
  if (isActive) draft.activity.push({ status: 'Started', createdBy, fileName: wish.fileName });
  const signees = inviteInTurn(process, context, draft);
  draft.jobs.push(...reminderJobs({ ...process, signees }));
  return { process: { ...process, signees }, consequences: draft };
}
