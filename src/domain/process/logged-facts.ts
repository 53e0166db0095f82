import type { SigneeLogin } from '../person/index.ts';
import type { Attachment, DocumentRef, Signee } from './process.ts';

/** Begins the names of digests of files beside the document. */
export const attachmentDigest = 'attachment:';

/** For a row of the log: the document as it is after a step, and as it was `before`. */
export function documentDigests(
  document: DocumentRef | undefined,
  before?: DocumentRef,
): Readonly<Record<string, string>> {
  return {
    ...(before === undefined ? {} : { before: before.sha256 }),
    ...(document === undefined ? {} : { document: document.sha256 }),
  };
}

/** For a row of the log: files beside the document, by their keys. */
export function attachmentDigests(
  attachments: readonly Attachment[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    attachments.map(({ key, document }) => [`${attachmentDigest}${key}`, document.sha256]),
  );
}

/** For a row of the log: the evidence record, by which the log is checked later. */
export function recordDigest(evidence: readonly Attachment[]): Readonly<Record<string, string>> {
  const record = evidence.find(({ contentType }) => contentType === 'application/json');
  return record === undefined ? {} : { evidence: record.document.sha256 };
}

/** For the row of a purge: the contents that went, by number. */
export function removedDigests(contents: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(contents.map((sha256, at) => [`removed:${at + 1}`, sha256]));
}

const prefix = 'signee';

/** True for the name of a value that rows of the log commit to and the process holds. */
export function isSigneeFact(name: string): boolean {
  return name.startsWith(prefix);
}

/**
 * What a signee is, and how they signed, by name: rows of the log commit to these values, so that
 * nobody can make another person or another signature of it afterwards. What is not known is an
 * empty text.
 */
export function signeeFacts(signee: Signee): Readonly<Record<string, string>> {
  const { name, ssn = '', email, phoneNumber, address, postalCode, city } = signee;
  const { signatureType, signedAtMs, viewedAtMs, viewedSha256, proof, login } = signee;
  const signed = [
    ...[
      signatureType,
      signedAtMs,
      viewedAtMs,
      viewedSha256,
      proof?.method,
      proof?.channel,
      proof?.ip,
    ],
    ...[proof?.userAgent, proof?.shownSha256, proof?.signedSha256, proof?.field],
    ...[proof?.sessionId, proof?.certificate],
    // Signees of earlier versions have no login, and their rows nothing more.
    ...(login === undefined ? [] : loginFacts(login)),
  ];
  return {
    [`${prefix}.name`]: name,
    [`${prefix}.number`]: ssn,
    [`${prefix}.address`]: listed([email, phoneNumber, address, postalCode, city]),
    [`${prefix}.proof`]: listed(signed),
  };
}

function loginFacts({ name, ssn, phoneNumber, method, atMs, isSimulated }: SigneeLogin) {
  return [name, ssn, phoneNumber, method, atMs, isSimulated === true ? 'simulated' : ''];
}

function listed(values: readonly (string | number | undefined)[]): string {
  return JSON.stringify(values.map((each) => each ?? ''));
}

/** All signees of a process as one value: nobody is added or taken away afterwards either. */
export function signeesFact(signees: readonly Signee[]): Readonly<Record<string, string>> {
  const all = signees.map((signee) => [signee.key, ...Object.values(signeeFacts(signee))]);
  return { [`${prefix}s`]: JSON.stringify(all) };
}
