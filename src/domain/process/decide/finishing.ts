import type { SigneeKey } from '../../keys.ts';
import { accept, purgeJob, systemActor } from '../accept.ts';
import {
  attachmentDigests,
  documentDigests,
  type MessageDraft,
  recordDigest,
  signeesFact,
} from '../consequences.ts';
import { type Handler, refusal, refuse } from '../guards.ts';
import type { LinkUse, SigningProcess } from '../process.ts';

/** Completes the process with the sealed and verified document. */
export const complete: Handler<'complete'> = (
  process,
  { document, level, evidence },
  { nowMs },
) => {
  if (process.status === 'Completed') return { kind: 'unchanged' };
  if (!isFinalizing(process)) return refuse(notFinalizing(process));
  const { errorCode: _code, errorMessage: _message, ...finalization } = process.finalization;
  const completed = {
    status: 'Completed',
    createdBy: systemActor,
    ...lastToSign(process),
    digests: {
      ...documentDigests(document, process.document),
      ...attachmentDigests(evidence),
      ...recordDigest(evidence),
    },
    facts: signeesFact(process.signees),
  };
  return accept(
    process,
    {
      status: 'Completed',
      phase: 'Done',
      document,
      attachments: [...process.attachments, ...evidence],
      endedAtMs: nowMs,
      finalization: {
        ...finalization,
        attempts: finalization.attempts + 1,
        level,
        ...(process.document === undefined ? {} : { signedSha256: process.document.sha256 }),
      },
    },
    {
      activity: [completed],
      events: [{ type: 'Completed', withDocument: true }],
      messages: process.sequenceKey === undefined ? confirmations(process) : [],
      jobs: [purgeJob(process, nowMs)],
    },
  );
};

function lastToSign({ signees }: SigningProcess): { readonly signeeKey?: SigneeKey } {
  const inTime = [...signees].sort((a, b) => (a.signedAtMs ?? 0) - (b.signedAtMs ?? 0));
  const last = inTime.at(-1);
  return last === undefined ? {} : { signeeKey: last.key };
}

/** Records a failed finalization and schedules the next attempt. */
export const finalizeFailed: Handler<'finalizeFailed'> = (
  process,
  { errorCode, errorMessage, isFinal, retryAtMs },
) => {
  const isOver = process.status === 'Completed' || process.phase === 'FinalizeFailed';
  if (isOver) return { kind: 'unchanged' };
  if (!isFinalizing(process)) return refuse(notFinalizing(process));
  const attempts = process.finalization.attempts + 1;
  const description = `attempt ${attempts}: ${errorCode}`;
  return accept(
    process,
    {
      phase: isFinal ? 'FinalizeFailed' : 'Finalizing',
      finalization: { ...process.finalization, attempts, errorCode, errorMessage },
    },
    {
      activity: [{ status: 'FinalizeFailed', createdBy: systemActor, description }],
      jobs: isFinal ? [] : [{ kind: 'finalize', ref: process.key, runAtMs: retryAtMs }],
    },
  );
};

/** Restarts the finalization. */
export const retryFinalize: Handler<'retryFinalize'> = (process, { by }, { nowMs }) => {
  if (!isFinalizing(process)) return refuse(notFinalizing(process));
  return accept(
    process,
    { phase: 'Finalizing', finalization: { ...process.finalization, attempts: 0 } },
    {
      activity: [{ status: 'FinalizeRetried', createdBy: by }],
      jobs: [{ kind: 'finalize', ref: process.key, runAtMs: nowMs }],
    },
  );
};

/** Messages to everyone who is to be notified that all signees have signed. */
export function confirmations(process: SigningProcess): readonly MessageDraft[] {
  const { policy, user, signees } = process;
  const messages: MessageDraft[] = [];
  if (policy.confirmSignees) {
    for (const { key, email, byLink } of signees) {
      if (email === undefined) continue;
      const mail = { template: 'Confirmation', channel: 'Email', signeeKey: key } as const;
      messages.push(isAddressByLink(byLink) ? { ...mail, isByLink: true } : mail);
    }
  }
  if (policy.confirmUser && user?.includes('@')) {
    messages.push({ template: 'SalesPerson', channel: 'Email', to: user });
  }
  if (policy.notifyAddress !== undefined) {
    messages.push({ template: 'Notification', channel: 'Email', to: policy.notifyAddress });
  }
  return messages;
}

/** Whether the address was set by link. Its mails then count as caused by links. */
function isAddressByLink(byLink: LinkUse | undefined): boolean {
  return byLink?.isAdded === true || (byLink?.addresses ?? 0) > 0;
}

function isFinalizing({ phase }: SigningProcess): boolean {
  return phase === 'Finalizing' || phase === 'FinalizeFailed';
}

function notFinalizing({ key, status, phase }: SigningProcess) {
  const message = `process ${key} is ${status} (${phase}), expected one that is being finalized`;
  return refusal('process.state.refused', message);
}
