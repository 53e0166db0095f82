import { hash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import type { ProcessKey, SigneeKey } from '../../domain/keys.ts';
import { isSameText, maskedNumber } from '../../domain/person/index.ts';
import {
  broughtBy,
  isByTestPerson,
  type Signee,
  type SigningProcess,
} from '../../domain/process/index.ts';
import { maskName, valueInName } from '../../formats/x509/index.ts';
import {
  type EvidenceDelivery,
  type EvidenceDocument,
  type EvidenceIdentity,
  type EvidenceRecord,
  type EvidenceSignature,
  type EvidenceSignee,
  type EvidenceStep,
  hideNumbers,
} from '../../seal/evidence/index.ts';
import type { PdfVerificationReport } from '../../verify/report/index.ts';
import { type ActivityEntry, newestRoot, requireActivity } from '../activity/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { nameOfUser } from '../sender/index.ts';

/** Input for the evidence that is not in the store. */
export interface EvidenceFacts {
  readonly process: SigningProcess;
  /** The document with all signatures, before the seal. */
  readonly signed: EvidenceDocument;
  readonly sealed: EvidenceRecord['documents']['sealed'];
  readonly report: PdfVerificationReport;
  readonly isSimulated: boolean;
  readonly nowMs: number;
}

/** Maximum number of webhook deliveries listed. */
const DELIVERIES_MAX = 1_000;

/**
 * Collects the evidence in the store about the signatures of a document.
 *
 * @throws activity.chain.broken if a row of the log was changed: such a log must not be attested
 */
export async function collectEvidence(
  unit: StoreUnit,
  facts: EvidenceFacts,
): Promise<EvidenceRecord> {
  const { process, signed, sealed, report, isSimulated, nowMs } = facts;
  const { key, companyKey, flowName, fileName, original, user, policy } = process;
  const company = await unit.companies.find(companyKey);
  if (company === undefined) {
    throw new InnsigliError('process.finalize.failed', `the company of ${key} is missing`);
  }
  const rows = await requireActivity(unit, process);
  const lastRoot = await newestRoot(unit, companyKey, nowMs);
  const userName = await nameOfUser(unit, process);
  const names = new Map<string, string>(process.signees.map((each) => [each.key, each.name]));
  const record: EvidenceRecord = {
    format: 'innsigli.evidence',
    version: 1,
    madeAt: isoTime(nowMs),
    isSimulated,
    company: {
      key: companyKey,
      name: company.name,
      ...defined({ ssn: company.ssn }),
    },
    process: {
      key,
      flowName,
      fileName,
      createdAt: isoTime(process.createdAtMs),
      ...defined({ user, userName, timeZone: policy.timeZone, broughtBy: broughtBy(process) }),
    },
    documents: { ...defined({ original }), signed, sealed },
    signees: process.signees.map(signeeOf),
    signatures: report.signatures.map((signature) => signatureOf(signature, process)),
    steps: rows.map((row) => stepOf(row, names)),
    deliveries: [...(await messagesOf(unit, key)), ...(await webhooksOf(unit, process))].sort(
      (a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0),
    ),
    chain: { count: rows.length, head: rows.at(-1)?.hash ?? '' },
    ...defined({ lastRoot }),
  };
  return hideNumbers(record, hiddenNumbers(process));
}

/** Numbers of signees whose number must not be shown: as given by the company, and by the login. */
function hiddenNumbers({ signees }: SigningProcess): readonly string[] {
  return signees
    .filter(({ hidePersonalCode }) => hidePersonalCode)
    .flatMap(({ ssn, login }) => [ssn, login?.ssn].filter((each) => each !== undefined));
}

function signeeOf(signee: Signee): EvidenceSignee {
  const { proof, ssn, hidePersonalCode } = signee;
  return defined({
    keySha256: hash('sha256', signee.key, 'hex'),
    name: signee.name,
    namedByLink: signee.byLink?.isAdded,
    namedByForm: signee.byLink?.isByForm,
    personalCode: hidePersonalCode ? undefined : ssn,
    email: signee.email,
    phoneNumber: signee.phoneNumber,
    signatureType: signee.signatureType,
    reason: signee.reason,
    // A signee without a message was not invited by this system.
    invitedAt: signee.delivery === 'None' ? undefined : timeOf(signee.invitedAtMs),
    viewedAt: timeOf(signee.viewedAtMs),
    viewedSha256: signee.viewedSha256,
    authenticatedAt: timeOf(signee.authenticatedAtMs),
    signedAt: timeOf(signee.signedAtMs),
    method: proof?.method,
    channel: proof?.channel,
    shownSha256: proof?.shownSha256,
    signedSha256: proof?.signedSha256,
    field: proof?.field,
    ip: proof?.ip,
    userAgent: proof?.userAgent,
    sessionId: proof?.sessionId,
    certificate: shownName(proof?.certificate, signee),
    certificateName: shownName(otherName(signee), signee),
    identity: identityOf(signee),
    isSimulated: isByTestPerson(signee) ? (true as const) : undefined,
  });
}

function identityOf({ name, login, hidePersonalCode }: Signee): EvidenceIdentity | undefined {
  if (login === undefined) return undefined;
  return defined({
    name: hidePersonalCode ? maskName(login.name) : login.name,
    personalCode: hidePersonalCode ? maskedNumber(login.ssn) : login.ssn,
    phoneNumber: login.phoneNumber,
    provider: login.method,
    at: isoTime(login.atMs),
    isOtherName: !isSameText(name, login.name),
  });
}

/** Name in the certificate of a signee with a qualified signature, unless it is the given name. */
function otherName({ name, signatureType, proof }: Signee): string | undefined {
  if (signatureType !== 'Qualified') return undefined;
  const plain = valueInName(proof?.certificate ?? '', 'CN');
  return plain === undefined || isSameText(plain, name) ? undefined : plain;
}

/** True if the signee signed with their own certificate, and numbers in it must not be shown. */
function hidesName({ hidePersonalCode, signatureType }: Signee): boolean {
  return hidePersonalCode && signatureType === 'Qualified';
}

/** A name from a certificate, masked if the number of the signee must not be shown. */
function shownName(name: string | undefined, signee: Signee | undefined): string | undefined {
  return signee !== undefined && name !== undefined && hidesName(signee) ? maskName(name) : name;
}

function signatureOf(
  signature: PdfVerificationReport['signatures'][number],
  process: SigningProcess,
): EvidenceSignature {
  const { field, kind, name, reason, signer, level, bestTime, claimedTime, intact } = signature;
  const owner = process.signees.find(({ proof }) => proof?.field === field);
  // The same certificate may have signed elsewhere in the document.
  const shownFor =
    process.signees.find(
      (each) => hidesName(each) && each.proof?.certificate === signer?.subject,
    ) ?? owner;
  return defined({
    field,
    kind,
    signeeName: owner?.name,
    name: shownName(name, shownFor),
    reason,
    subject: shownName(signer?.subject, shownFor),
    issuer: signer?.issuer,
    serialNumber: signer?.serialNumber,
    level,
    time: signature.timeProved ? bestTime : claimedTime,
    isIntact: intact === true,
  });
}

function stepOf(row: ActivityEntry, names: ReadonlyMap<string, string>): EvidenceStep {
  const { seq, createdAtMs, status, signeeKey, description, hash, createdBy } = row;
  // The actor is shown in a separate member.
  const { createdBy: _address, ...facts } = row.personal;
  const signeeName = signeeKey === undefined ? undefined : names.get(signeeKey as SigneeKey);
  return defined({
    seq,
    at: isoTime(createdAtMs),
    status,
    by: createdBy,
    signeeName,
    description,
    facts,
    hash,
  });
}

async function messagesOf(unit: StoreUnit, key: ProcessKey): Promise<readonly EvidenceDelivery[]> {
  const messages = await unit.messages.ofProcess(key);
  return messages.map(({ channel, template, to, state, attempts, sentAtMs, createdAtMs }) => ({
    kind: channel === 'Sms' ? 'sms' : 'mail',
    what: template,
    to,
    state,
    attempts,
    at: isoTime(sentAtMs ?? createdAtMs),
  }));
}

async function webhooksOf(
  unit: StoreUnit,
  { key, companyKey }: SigningProcess,
): Promise<readonly EvidenceDelivery[]> {
  const filter = { companyKey, processKey: key, take: DELIVERIES_MAX };
  const deliveries = await unit.webhooks.deliveries(filter);
  const events = await unit.webhooks.eventHeads(deliveries.map(({ eventId }) => eventId));
  const hosts = new Map<number, string>();
  for (const id of new Set(deliveries.map(({ webhookId }) => webhookId))) {
    const webhook = await unit.webhooks.find(id);
    // Receiver URLs often contain secrets: the host is sufficient.
    hosts.set(id, webhook === undefined ? '-' : new URL(webhook.url).host);
  }
  return deliveries.map(({ eventId, webhookId, state, attempts, updatedAtMs }) => ({
    kind: 'webhook',
    what: events.get(eventId)?.type ?? 'event',
    to: hosts.get(webhookId) ?? '-',
    state,
    attempts,
    at: isoTime(updatedAtMs),
  }));
}

function timeOf(atMs: number | undefined): string | undefined {
  return atMs === undefined ? undefined : isoTime(atMs);
}
