import { defined } from '../../../base/defined.ts';
import type { SigneeLogin } from '../../person/index.ts';
import {
  accept,
  cancellations,
  ended,
  inviteInTurn,
  newDraft,
  purgeJob,
  reminderJobs,
  systemActor,
  withChange,
  withoutSigningState,
  withSignee,
} from '../accept.ts';
import type { CommandOf } from '../command.ts';
import { documentDigests, signeeFacts } from '../consequences.ts';
import {
  closedRule,
  lastShown,
  ofSignee,
  ownTurnRule,
  refusal,
  refuse,
  signedRule,
  signingRule,
  type Verdict,
  verificationRule,
} from '../guards.ts';
import { atNewHold, holdRule, withHoldCounted } from '../hold.ts';
import {
  identityRule,
  isLoginOf,
  loginDetails,
  loginOfSignature,
  signerRule,
} from '../identity-rule.ts';
import type { Circumstances, Lease, SignatureProof, Signee, SigningProcess } from '../process.ts';
import { areAllSigned, type DecisionContext, hasLiveLease } from '../turn.ts';

/** Records the first opening of a signee's link, which does not mean that the document was seen. */
export const openLink = ofSignee<'openLink'>(
  (process, signee, { signeeKey, circumstances }, context) => {
    if (signee.openedAtMs !== undefined) return { kind: 'unchanged' };
    const refused = closedRule(process, context);
    if (refused !== undefined) return refuse(refused);
    const opened: Signee = { ...signee, openedAtMs: context.nowMs };
    const row = { status: 'LinkOpened', signeeKey, createdBy: systemActor };
    const activity = [{ ...row, ...personalOf(circumstances) }];
    return accept(process, { signees: withSignee(process, opened) }, { activity });
  },
);

/** Records which document a signee was shown, once per document. */
export const view = ofSignee<'view'>(
  (process, signee, { signeeKey, sha256, circumstances }, context) => {
    if (lastShown(signee) === sha256) return { kind: 'unchanged' };
    const refused = closedRule(process, context) ?? signedRule(process, signee);
    if (refused !== undefined) return refuse(refused);
    const isFirst = signee.viewedAtMs === undefined;
    const viewed: Signee = {
      ...signee,
      state: signee.state === 'Invited' ? 'Viewed' : signee.state,
      ...(isFirst ? { viewedAtMs: context.nowMs, viewedSha256: sha256 } : { shownSha256: sha256 }),
    };
    const description = `SHA-256 ${sha256}`;
    const row = { status: 'DocumentViewed', signeeKey, createdBy: systemActor, description };
    const activity = [{ ...row, ...personalOf(circumstances) }];
    return accept(process, { signees: withSignee(process, viewed) }, { activity });
  },
);

/**
 * Records that an identity provider identified the signee, or refuses a different person. If a
 * different person logged in before, the record of what that person was shown is discarded: the new
 * one has not seen it.
 */
export const authenticate = ofSignee<'authenticate'>(
  (process, signee, { signeeKey, login, circumstances }, context) => {
    // A person who has signed may log in to view the result.
    const isPast = signee.state === 'Signed' && process.purgedAtMs === undefined;
    const refused =
      (isPast ? undefined : closedRule(process, context)) ??
      identityRule(process, signee, login, context);
    if (refused !== undefined) return refuse(refused);
    // The data of a person who has signed are final: the log has committed to them.
    const change = isPast ? {} : { signees: withSignee(process, loggedIn(signee, login, context)) };
    const row = { status: 'Authenticated', signeeKey, createdBy: systemActor };
    const personal = { ...circumstances, ...loginDetails(signee, login) };
    return accept(process, change, {
      activity: [{ ...row, description: login.method, personal }],
      events: [{ type: 'Auth', signeeKey, withDocument: false }],
    });
  },
);

function loggedIn(
  signee: Signee,
  login: CommandOf<'authenticate'>['login'],
  { nowMs }: DecisionContext,
): Signee {
  const { viewedAtMs: _at, viewedSha256: _first, shownSha256: _last, ...unseen } = signee;
  const isTakenOver = signee.login !== undefined && !isLoginOf(signee, login);
  const isWaiting = signee.state === 'Invited' || signee.state === 'Viewed';
  return {
    ...(isTakenOver ? unseen : signee),
    state: isWaiting ? 'Authenticated' : signee.state,
    authenticatedAtMs: nowMs,
    login: { ...login, atMs: nowMs },
  };
}

/** Grants the signee the lease: no one else can sign until it ends. */
export const startSigning = ofSignee<'startSigning'>(
  (process, signee, { signeeKey, leaseMs }, context) => {
    // A live lease keeps the process from expiring, so it must not be renewable forever.
    const unheld = withChange(process, { lease: undefined });
    const refused = closedRule(unheld, context) ?? signingRule(process, signee, context);
    if (refused !== undefined) return refuse(refused);
    const { nowMs } = context;
    const counted = withHoldCounted(process, nowMs);
    const hold = holdRule(counted, signee, leaseMs, context);
    if (hold.refused !== undefined) return refuse(hold.refused);
    const token = process.leaseToken + 1;
    const lease: Lease = { signeeKey, token, sinceMs: nowMs, untilMs: nowMs + hold.leaseMs };
    const signees = atNewHold(counted, signee, nowMs).map((each) =>
      each.key === signeeKey ? { ...each, state: 'Signing' as const } : withoutSigningState(each),
    );
    const row = { status: 'SigningStarted', signeeKey, createdBy: systemActor };
    return accept(process, { signees, lease, leaseToken: token }, { activity: [row] });
  },
);

/** Releases the lease, if it still is the given one. */
export const abandonSigning = ofSignee<'abandonSigning'>(
  (process, _signee, { signeeKey, token, cause }, { nowMs }) => {
    const { lease } = process;
    if (lease?.token !== token || lease.signeeKey !== signeeKey) return { kind: 'unchanged' };
    const signees = withHoldCounted(process, nowMs).signees.map((each) =>
      each.key === signeeKey ? withoutSigningState(each) : each,
    );
    const row = { status: 'SigningFailed', signeeKey, createdBy: systemActor, description: cause };
    return accept(process, { signees, lease: undefined }, { activity: [row] });
  },
);

/** Stores the signed document. The last signature starts the finalisation. */
export const sign = ofSignee<'sign'>((process, signee, command, context) => {
  const { signeeKey, document, proof } = command;
  const { nowMs } = context;
  const refused =
    signingRule(process, signee, context) ??
    signerRule(process, signee, command, context) ??
    lateRule(process, signee, command, context);
  if (refused !== undefined) return refuse(refused);
  const login = loginOfSignature(process, signee, command, nowMs);
  const signed = withSignature(signee, login, proof, nowMs);
  const draft = newDraft();
  const description = proof.method;
  const row = { status: 'SigneeSigned', signeeKey, createdBy: systemActor, description };
  const digests = documentDigests(document, process.document);
  const personal = { ...personalOf(proof).personal, ...loginDetails(signee, login) };
  draft.activity.push({ ...row, personal, digests, facts: signeeFacts(signed) });
  const change = { document, documentRev: process.documentRev + 1, lease: undefined };
  const counted = withHoldCounted(process, nowMs);
  const others = withSignee(counted, signed).map(withoutSigningState);
  const after = withChange(process, { ...change, signees: others });
  if (areAllSigned(after)) {
    draft.events.push({ type: 'AllSigned', signeeKey, withDocument: true });
    draft.jobs.push({ kind: 'finalize', ref: process.key, runAtMs: nowMs });
    const phase = 'Finalizing' as const;
    return accept(process, { ...change, signees: after.signees, phase }, draft);
  }
  draft.events.push({ type: 'SignedDocument', signeeKey, withDocument: false });
  const signees = inviteInTurn(after, context, draft);
  draft.jobs.push(...reminderJobs({ ...after, signees }));
  return accept(process, { ...change, signees }, draft);
});

function withSignature(
  { reminder: _over, login: known, authenticatedAtMs, ...rest }: Signee,
  login: SigneeLogin | undefined,
  proof: SignatureProof,
  signedAtMs: number,
): Signee {
  // A login on which the signature is not based says nothing about who signed.
  const isSame = known === undefined || (login !== undefined && known.who === login.who);
  return {
    ...rest,
    ...(isSame && authenticatedAtMs !== undefined ? { authenticatedAtMs } : {}),
    ...defined({ login }),
    state: 'Signed',
    signedAtMs,
    proof,
  };
}

/** Declines to sign, if the flow permits it. This ends the process for all signees. */
export const decline = ofSignee<'decline'>(
  (process, signee, { signeeKey, reason, circumstances }, context) => {
    const refused =
      ownTurnRule(process, signee, context) ??
      verificationRule(process, signee) ??
      declineRule(process);
    if (refused !== undefined) return refuse(refused);
    const { nowMs } = context;
    const signees = withSignee(process, { ...signee, state: 'Declined' });
    const declined = { ...process, signees };
    const personal = { reason, ...circumstances };
    const row = { status: 'SigneeDeclined', signeeKey, createdBy: systemActor };
    return accept(
      process,
      { ...ended(declined, nowMs), status: 'Canceled', reason },
      {
        activity: [
          { ...row, personal, facts: signeeFacts(signee) },
          { status: 'Canceled', createdBy: systemActor },
        ],
        events: [{ type: 'Canceled', withDocument: false }],
        messages: cancellations(declined),
        jobs: [purgeJob(process, nowMs)],
      },
    );
  },
);

function declineRule({ key, policy }: SigningProcess): Verdict {
  if (policy.mayDecline) return undefined;
  return refusal('process.state.refused', `the flow of ${key} does not let signees decline`);
}

// Fencing: too late if the lease was lost or the document is no longer the current one.
function lateRule(
  process: SigningProcess,
  signee: Signee,
  { token, seenSha256, document }: CommandOf<'sign'>,
  { nowMs }: DecisionContext,
): Verdict {
  const { key, lease } = process;
  if (token !== undefined) {
    const isHeld = hasLiveLease(process, nowMs) && lease?.token === token;
    if (!isHeld) return refusal('process.conflict', `the time to sign ${key} has ended`);
  } else if (signee.signatureType === 'Qualified') {
    return refusal('signing.forbidden.type', `signee ${signee.key} signs with an e-ID only`);
  }
  if (process.document?.sha256 !== seenSha256) {
    return refusal('process.conflict', `the document of ${key} has changed in the meantime`);
  }
  if (document.lengthBytes <= process.document.lengthBytes) {
    return refusal('process.conflict', `the signed document of ${key} is not longer than before`);
  }
  return undefined;
}

function personalOf({ ip, userAgent }: Circumstances) {
  const personal = {
    ...defined({ ip, userAgent }),
  };
  return Object.keys(personal).length === 0 ? {} : { personal };
}
