import { defined } from '../../../base/defined.ts';
import { accept, purgedOnRequest, retainedUntilMs, systemActor } from '../accept.ts';
import { type ActivityDraft, type Decision, removedDigests } from '../consequences.ts';
import { type Handler, refusal, refuse } from '../guards.ts';
import type { Signee, SigningProcess } from '../process.ts';
import type { DecisionContext } from '../turn.ts';

/** Deletes contents and personal data of an ended process. The log retains its chain. */
export const purge: Handler<'purge'> = (process, { contents, by }, context) => {
  const digests = removedDigests(contents);
  return remove(process, { createdBy: by, description: purgedOnRequest, digests }, context);
};

/** Like {@link purge}, for a process whose retention period has ended. */
export const purgeDue: Handler<'purgeDue'> = (process, { contents }, context) => {
  const { key, policy, endedAtMs, purgedAtMs } = process;
  const retryAtMs = endedAtMs === undefined ? 0 : retainedUntilMs(process, endedAtMs);
  if (purgedAtMs === undefined && context.nowMs < retryAtMs) {
    const message = `process ${key} is retained for ${policy.retentionDays} days after its end`;
    return refuse({ ...refusal('process.state.refused', message), retryAtMs });
  }
  const digests = removedDigests(contents);
  return remove(process, { createdBy: systemActor, digests }, context);
};

function remove(
  process: SigningProcess,
  row: Omit<ActivityDraft, 'status'>,
  { nowMs }: DecisionContext,
): Decision {
  const { key, status, phase } = process;
  if (process.purgedAtMs !== undefined) return { kind: 'unchanged' };
  if (phase !== 'Done') {
    const message = `process ${key} is ${status}, expected one that has ended`;
    return refuse(refusal('process.state.refused', message, 'cancel it first'));
  }
  const change = {
    ...gone,
    fileName: '',
    meta: {},
    attachments: [],
    signees: process.signees.map(anonymous),
    purgedAtMs: nowMs,
  };
  const activity = [{ status: 'Purged', ...row }];
  return accept(process, change, { activity, erases: true });
}

const gone = {
  original: undefined,
  document: undefined,
  user: undefined,
  reason: undefined,
  activityDisplayName: undefined,
};

function anonymous(signee: Signee): Signee {
  const { key, order, state, signatureType, delivery, hidePersonalCode, signedAtMs } = signee;
  const kept = { key, order, state, signatureType, delivery, hidePersonalCode };
  return { ...kept, name: '', ...defined({ signedAtMs }) };
}
