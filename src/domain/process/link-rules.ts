import { limits } from '../../base/limits.ts';
import { refusal, type Verdict } from './guards.ts';
import type { LinkUse, Signee, SigningProcess } from './process.ts';

/** A change requested with only a link. */
export interface LinkChange {
  /** It changes the address of the signee. */
  readonly isAddress: boolean;
  /** It causes an invitation. */
  readonly isInvited: boolean;
}

/** Forbids changes of a document that a signee has already signed. */
export function agreedRule({ key, signees }: SigningProcess): Verdict {
  if (signees.every(({ state }) => state !== 'Signed')) return undefined;
  return refusal('signing.forbidden.document.signed', `process ${key} already has a signature`);
}

/** Forbids adding a signee by link after the first signature, or beyond the limit. */
export function addByLinkRule(
  process: SigningProcess,
  newSignee: Pick<Signee, 'delivery'>,
  { most, mostByLink }: { readonly most: number; readonly mostByLink: number },
): Verdict {
  const agreed = agreedRule(process);
  if (agreed !== undefined) return agreed;
  const { signees } = process;
  const added = signees.filter(({ byLink }) => byLink?.isAdded === true).length;
  if (added >= mostByLink || signees.length >= most) {
    return limitOf(process, 'a link cannot add more signees');
  }
  return newSignee.delivery === 'None' ? undefined : invitationRule(process);
}

/** Limits how often a signee can be changed by link. */
export function changeByLinkRule(
  process: SigningProcess,
  { byLink }: Signee,
  { isAddress, isInvited }: LinkChange,
): Verdict {
  if ((byLink?.changes ?? 0) >= limits.linkChanges) {
    return limitOf(process, `a link can change a signee at most ${limits.linkChanges} times`);
  }
  if (isAddress && (byLink?.addresses ?? 0) >= limits.linkAddresses) {
    return limitOf(process, `a link can change an address at most ${limits.linkAddresses} times`);
  }
  return isInvited ? invitationRule(process) : undefined;
}

/** The counters of a signee after another change by link. */
export function afterLinkChange({ byLink }: Signee, { isAddress }: LinkChange): LinkUse {
  const { changes = 0, addresses = 0 } = byLink ?? {};
  return { ...byLink, changes: changes + 1, addresses: addresses + (isAddress ? 1 : 0) };
}

/** Counts another invitation caused by a link. */
export function withInvitationCounted({ invitationsByLink = 0 }: SigningProcess) {
  return { invitationsByLink: invitationsByLink + 1 };
}

function invitationRule(process: SigningProcess): Verdict {
  if ((process.invitationsByLink ?? 0) < limits.linkInvitations) return undefined;
  return limitOf(process, 'a link cannot send more invitations');
}

function limitOf({ key }: SigningProcess, what: string): Verdict {
  const hint = 'ask the company that sent the document';
  return refusal('signing.forbidden.signee.limit', `process ${key}: ${what}`, hint);
}
