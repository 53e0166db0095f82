import { limits } from '../../base/limits.ts';
import { refusal, type Verdict } from './guards.ts';
import type { LinkUse, Signee, SigningProcess } from './process.ts';

/** Change by a person with only a link. */
export interface LinkChange {
  /** It changes where the signee is written to. */
  readonly isAddress: boolean;
  /** It makes an invitation be written. */
  readonly isInvited: boolean;
}

/** Refuses changes of a document that a signee has agreed to. */
export function agreedRule({ key, signees }: SigningProcess): Verdict {
  if (signees.every(({ state }) => state !== 'Signed')) return undefined;
  return refusal('signing.forbidden.document.signed', `process ${key} already has a signature`);
}

/** Forbids a link to add a signee: after the first signature, or when there are enough. */
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

/** Forbids a link to change a signee more often than people do. */
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

/** The link use of a signee after one more change by link. */
export function afterLinkChange({ byLink }: Signee, { isAddress }: LinkChange): LinkUse {
  const { changes = 0, addresses = 0 } = byLink ?? {};
  return { ...byLink, changes: changes + 1, addresses: addresses + (isAddress ? 1 : 0) };
}

/** One more invitation because of a link. */
export function oneMoreByLink({ invitationsByLink = 0 }: SigningProcess) {
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
