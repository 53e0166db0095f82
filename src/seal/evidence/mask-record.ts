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
 * The record for signees: numbers, mail and network addresses of persons are masked in every text,
 * and hosts of receivers are not named. The proofs of the signatures, digests and the chain of the
 * log, stay.
 *
 * @param fullSha256 digest of the record that the company has, with its salt, hexadecimal
 */
export function maskRecord(record: EvidenceRecord, fullSha256: string): EvidenceRecord {
  const known = knownSecrets(secretsOf(record));
  const text = (value: string) => maskMails(maskKnown(value, known));
  const name = (value: string) => text(maskName(value, maskMails));
  const { salt: _, ...plain } = maskTexts(record, { text, name });
  return {
    ...plain,
    process: { ...plain.process, ...masked('user', record.process.user, maskMail) },
    copy: { for: 'signees', fullSha256 },
    signees: plain.signees.map(maskSignee),
    steps: plain.steps.map(withoutAddress),
    deliveries: plain.deliveries.map(maskDelivery),
  };
}

/**
 * The record of the company without these national numbers, whose persons do not want them shown,
 * in whichever text they stand.
 */
export function hideNumbers(record: EvidenceRecord, numbers: readonly string[]): EvidenceRecord {
  if (numbers.length === 0) return record;
  const known = knownSecrets(numbers.map((text) => ({ kind: 'number', text })));
  const text = (value: string) => maskKnown(value, known);
  return maskTexts(record, { text, name: text });
}

/** All texts of the record that somebody has written. */
function maskTexts(record: EvidenceRecord, masks: Masks): EvidenceRecord {
  const { process } = record;
  const { text } = masks;
  return {
    ...record,
    process: {
      ...process,
      flowName: text(process.flowName),
      fileName: text(process.fileName),
      ...masked('userName', process.userName, text),
    },
    signees: record.signees.map((signee) => maskSigneeTexts(signee, masks)),
    signatures: record.signatures.map((signature) => maskSignature(signature, masks)),
    steps: record.steps.map((step) => maskStep(step, text)),
  };
}

/** `value` masked where there is one. */
function masked<Name extends string>(
  name: Name,
  value: string | undefined,
  mask: Mask,
): { readonly [Member in Name]?: string } {
  return (value === undefined ? {} : { [name]: mask(value) }) as { [Member in Name]?: string };
}

function maskSigneeTexts(signee: EvidenceSignee, { text, name }: Masks): EvidenceSignee {
  const { reason, field, certificate, certificateName, identity } = signee;
  return {
    ...signee,
    name: text(signee.name),
    ...masked('reason', reason, text),
    ...masked('field', field, text),
    ...masked('certificate', certificate, name),
    ...masked('certificateName', certificateName, name),
    ...(identity === undefined ? {} : { identity: { ...identity, name: name(identity.name) } }),
  };
}

function maskSignee(signee: EvidenceSignee): EvidenceSignee {
  const { email, phoneNumber, personalCode, ip, identity } = signee;
  return {
    ...signee,
    ...masked('email', email, maskMail),
    ...masked('phoneNumber', phoneNumber, maskNumber),
    ...masked('personalCode', personalCode, maskNumber),
    ...masked('ip', ip, () => HIDDEN),
    ...(identity === undefined
      ? {}
      : {
          identity: {
            ...identity,
            personalCode: maskNumber(identity.personalCode),
            ...masked('phoneNumber', identity.phoneNumber, maskNumber),
          },
        }),
  };
}

function maskSignature(signature: EvidenceSignature, { text, name }: Masks): EvidenceSignature {
  const { field, signeeName, reason, subject, issuer } = signature;
  // An issuer names itself by a number, which proves it; a person who issues is its own subject.
  const maskIssuer = issuer === subject ? name : text;
  return {
    ...signature,
    field: text(field),
    ...masked('signeeName', signeeName, text),
    ...masked('name', signature.name, name),
    ...masked('reason', reason, text),
    ...masked('subject', subject, name),
    ...masked('issuer', issuer, maskIssuer),
  };
}

function maskStep(step: EvidenceStep, text: Mask): EvidenceStep {
  const facts = Object.entries(step.facts).map(([name, value]) => {
    // Names of programs have numbers that look like addresses.
    return [name, name === 'userAgent' ? value : text(value)];
  });
  return {
    ...step,
    by: text(step.by),
    ...masked('signeeName', step.signeeName, text),
    ...masked('description', step.description, text),
    facts: Object.fromEntries(facts),
  };
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

/** Secrets that texts could repeat. */
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
