import { maskName } from '../../formats/x509/index.ts';
import { HIDDEN } from './block-texts.ts';
import {
  knownSecrets,
  maskKnown,
  maskMail,
  maskMails,
  maskNumber,
  type Secret,
} from './known-secrets.ts';
import type {
  EvidenceDelivery,
  EvidenceRecord,
  EvidenceSignature,
  EvidenceSignee,
  EvidenceStep,
} from './record.ts';

type Mask = (text: string) => string;

/** Masks for texts written by people, and for names of certificates. */
interface Masks {
  readonly text: Mask;
  readonly name: Mask;
}

/**
 * Returns the record for signees: personal numbers, mail addresses and network addresses are masked
 * in every text, and receiving hosts are omitted. The proofs remain: signatures, digests and the
 * hash chain of the log.
 *
 * @param fullSha256 digest of the company's record, including its salt, hexadecimal
 */
export function maskRecord(record: EvidenceRecord, fullSha256: string): EvidenceRecord {
  const known = knownSecrets(secretsOf(record));
  const text = (value: string) => maskMails(maskKnown(value, known));
  const name = (value: string) => text(maskName(value, maskMails));
  const { salt: _, ...plain } = maskTexts(record, { text, name });
  return {
    ...plain,
    process: masked(plain.process, { user: maskMail }),
    copy: { for: 'signees', fullSha256 },
    signees: plain.signees.map(maskSignee),
    steps: plain.steps.map(withoutAddress),
    deliveries: plain.deliveries.map(maskDelivery),
  };
}

/** Returns the company's record with these national numbers masked in every text. */
export function hideNumbers(record: EvidenceRecord, numbers: readonly string[]): EvidenceRecord {
  if (numbers.length === 0) return record;
  const known = knownSecrets(numbers.map((text) => ({ kind: 'number', text })));
  const text = (value: string) => maskKnown(value, known);
  return maskTexts(record, { text, name: text });
}

/** Masks all texts of the record that people have written. */
function maskTexts(record: EvidenceRecord, masks: Masks): EvidenceRecord {
  const { text } = masks;
  return {
    ...record,
    process: masked(record.process, { flowName: text, fileName: text, userName: text }),
    signees: record.signees.map((signee) => maskSigneeTexts(signee, masks)),
    signatures: record.signatures.map((signature) => maskSignature(signature, masks)),
    steps: record.steps.map((step) => maskStep(step, text)),
  };
}

/** Copies an object with these members masked, if present. */
function masked<Whole extends object>(
  whole: Whole,
  masks: { readonly [Member in keyof Whole]?: Mask },
): Whole {
  const copy = { ...whole } as Record<string, unknown>;
  for (const [name, mask] of Object.entries(masks) as [string, Mask][]) {
    const value = copy[name];
    if (typeof value === 'string') copy[name] = mask(value);
  }
  return copy as Whole;
}

function maskSigneeTexts(signee: EvidenceSignee, { text, name }: Masks): EvidenceSignee {
  const { identity } = signee;
  const own = { name: text, reason: text, field: text, certificate: name, certificateName: name };
  return {
    ...masked(signee, own),
    ...(identity === undefined ? {} : { identity: masked(identity, { name }) }),
  };
}

function maskSignee(signee: EvidenceSignee): EvidenceSignee {
  const { identity } = signee;
  const numbers = { phoneNumber: maskNumber, personalCode: maskNumber };
  return {
    ...masked(signee, { ...numbers, email: maskMail, ip: () => HIDDEN }),
    ...(identity === undefined ? {} : { identity: masked(identity, numbers) }),
  };
}

function maskSignature(signature: EvidenceSignature, { text, name }: Masks): EvidenceSignature {
  // An issuer's number identifies and proves the authority. A person as issuer is its own subject.
  const issuer = signature.issuer === signature.subject ? name : text;
  const texts = { field: text, signeeName: text, reason: text };
  return masked(signature, { ...texts, name, subject: name, issuer });
}

function maskStep(step: EvidenceStep, text: Mask): EvidenceStep {
  const facts = Object.entries(step.facts).map(([name, value]) => {
    // Program names contain numbers that look like addresses.
    return [name, name === 'userAgent' ? value : text(value)];
  });
  const masks = { by: text, signeeName: text, description: text };
  return { ...masked(step, masks), facts: Object.fromEntries(facts) };
}

function withoutAddress(step: EvidenceStep): EvidenceStep {
  const { facts } = step;
  return facts['ip'] === undefined ? step : { ...step, facts: { ...facts, ip: HIDDEN } };
}

function maskDelivery(delivery: EvidenceDelivery): EvidenceDelivery {
  const { kind, to } = delivery;
  if (kind === 'webhook') return { ...delivery, to: '-' };
  return { ...delivery, to: kind === 'mail' ? maskMail(to) : maskNumber(to) };
}

function secretsOf({ process, signees, steps, deliveries }: EvidenceRecord): readonly Secret[] {
  return [
    { kind: 'mail', text: process.user },
    ...signees.flatMap(({ email, phoneNumber, personalCode, ip, identity }): Secret[] => [
      { kind: 'mail', text: email },
      { kind: 'phone', text: phoneNumber },
      { kind: 'number', text: personalCode },
      { kind: 'number', text: identity?.personalCode },
      { kind: 'phone', text: identity?.phoneNumber },
      { kind: 'ip', text: ip },
    ]),
    ...deliveries.flatMap(({ kind, to }): Secret[] =>
      kind === 'webhook' ? [] : [{ kind: kind === 'mail' ? 'mail' : 'phone', text: to }],
    ),
    ...steps.map(({ facts }): Secret => ({ kind: 'ip', text: facts['ip'] })),
  ];
}
