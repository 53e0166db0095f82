import { HIDDEN } from './block-texts.ts';
import type {
  EvidenceDelivery,
  EvidenceRecord,
  EvidenceSignature,
  EvidenceSignee,
  EvidenceStep,
} from './record.ts';

const mailForm = /[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+/g;

/**
 * The record for signees: numbers, mail and network addresses of persons are masked, and hosts of
 * receivers are not named. What proves the signatures, digests and the chain of the log, stays.
 *
 * @param fullSha256 digest of the record that the company has, with its salt, hexadecimal
 */
export function maskRecord(record: EvidenceRecord, fullSha256: string): EvidenceRecord {
  const known = secretsOf(record);
  const { salt: _, ...plain } = record;
  const { process } = record;
  return {
    ...plain,
    process: { ...process, ...masked('user', process.user, maskMail) },
    copy: { for: 'signees', fullSha256 },
    signees: record.signees.map(maskSignee),
    signatures: record.signatures.map(maskSignature),
    steps: record.steps.map((step) => maskStep(step, known)),
    deliveries: record.deliveries.map(maskDelivery),
  };
}

/** A mail address by its first letter: its host would tell where a person works. */
function maskMail(address: string): string {
  return address.includes('@') ? `${[...address][0]}…@${HIDDEN}` : HIDDEN;
}

/** A number by its end, as logs show it. */
function maskNumber(number: string): string {
  return `…${number.replace(/\D/g, '').slice(-2)}`;
}

function maskSubject(subject: string): string {
  return subject.replace(/serialNumber=[^,+]*/gi, 'serialNumber=…');
}

/** `value` masked where there is one. */
function masked<Name extends string>(
  name: Name,
  value: string | undefined,
  mask: (text: string) => string,
): { readonly [Member in Name]?: string } {
  return (value === undefined ? {} : { [name]: mask(value) }) as { [Member in Name]?: string };
}

function maskSignee(signee: EvidenceSignee): EvidenceSignee {
  const { email, phoneNumber, personalCode, ip, certificate, identity } = signee;
  return {
    ...signee,
    ...masked('email', email, maskMail),
    ...masked('phoneNumber', phoneNumber, maskNumber),
    ...masked('personalCode', personalCode, maskNumber),
    ...masked('ip', ip, () => HIDDEN),
    ...masked('certificate', certificate, maskSubject),
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

function maskSignature(signature: EvidenceSignature): EvidenceSignature {
  return { ...signature, ...masked('subject', signature.subject, maskSubject) };
}

function maskStep(step: EvidenceStep, known: ReadonlyMap<string, string>): EvidenceStep {
  const facts = Object.entries(step.facts).map(([name, value]) => {
    // Names of programs have numbers that look like addresses.
    if (name === 'userAgent') return [name, value];
    return [name, name === 'ip' ? HIDDEN : maskText(value, known)];
  });
  return {
    ...step,
    by: maskText(step.by, known),
    ...masked('description', step.description, (text) => maskText(text, known)),
    facts: Object.fromEntries(facts),
  };
}

function maskText(text: string, known: ReadonlyMap<string, string>): string {
  let rest = text;
  for (const [secret, mask] of known) rest = rest.replaceAll(secret, mask);
  return rest.replace(mailForm, (address) => (address.includes('…') ? address : maskMail(address)));
}

function maskDelivery(delivery: EvidenceDelivery): EvidenceDelivery {
  const { kind, to } = delivery;
  if (kind === 'webhook') return { ...delivery, to: '-' };
  return { ...delivery, to: kind === 'mail' ? maskMail(to) : maskNumber(to) };
}

/** What texts could repeat, with what stands for it; the longest first. */
function secretsOf({ signees, deliveries }: EvidenceRecord): ReadonlyMap<string, string> {
  const secrets: (readonly [string | undefined, (text: string) => string])[] = [
    ...signees.flatMap(({ email, phoneNumber, personalCode, ip, identity }) => [
      [email, maskMail] as const,
      [phoneNumber, maskNumber] as const,
      [personalCode, maskNumber] as const,
      [identity?.personalCode, maskNumber] as const,
      [identity?.phoneNumber, maskNumber] as const,
      [ip, () => HIDDEN] as const,
    ]),
    ...deliveries.flatMap(({ kind, to }) =>
      kind === 'webhook' ? [] : [[to, kind === 'mail' ? maskMail : maskNumber] as const],
    ),
  ];
  const found = secrets.flatMap(([text, mask]) =>
    text === undefined || text.length < 4 || text.startsWith('…')
      ? []
      : [[text, mask(text)] as const],
  );
  return new Map(found.sort(([a], [b]) => b.length - a.length));
}
