import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { closedRule, type DocumentRef, lastShown } from '../../domain/process/index.ts';
import type { StoredContent } from '../ports/index.ts';
import { refusalError, runCommand, type ServicePorts } from '../service/index.ts';
import { readSignee, type SigneeInProcess, type SigneeRequest } from './find-signee.ts';

/** A document as a signee sees it. */
export interface ViewedDocument<Content = Uint8Array> {
  readonly fileName: string;
  /** Exactly the bytes with that digest. */
  readonly content: Content;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * The document as displayed to a signee, recorded with its digest; it is recorded again when others
 * have signed meanwhile. A signee who has signed can see its present version.
 *
 * @throws process.not_found, error.signee.not_found, process.file.not_found, blob.*
 * @throws signing.forbidden.*, when the process is over, or asks for a login that is missing
 */
export async function viewDocument(
  ports: ServicePorts,
  request: SigneeRequest,
): Promise<ViewedDocument<StoredContent>> {
  const { processKey, signeeKey, circumstances } = request;
  const { process, signee } = await readSignee(ports, request);
  const nowMs = ports.now();
  const closed = closedRule(process, { nowMs });
  const hasSigned = signee.state === 'Signed';
  if (closed !== undefined && !(hasSigned && closed.code === 'signing.forbidden.signee.signed')) {
    throw refusalError(closed, nowMs);
  }
  if (process.requiresAuth && signee.authenticatedAtMs === undefined) {
    throw new InnsigliError(
      'signing.forbidden.verification.missing',
      'the signee has not logged in',
      { hint: 'log in with an electronic identity first' },
    );
  }
  const document = requireDocument(process.document, process.key);
  const content = await ports.blobs.open(document.sha256);
  const { sha256 } = document;
  if (!hasSigned && lastShown(signee) !== sha256) {
    const command = { type: 'view', signeeKey, sha256, circumstances } as const;
    await runCommand(ports, processKey, command, process);
  }
  return { fileName: process.fileName, content, sha256 };
}

/** A document that a signee was shown, to be read in parts. */
export interface ShownDocument {
  /** SHA-256, hexadecimal: that of the recorded view. */
  readonly sha256: string;
  readonly lengthBytes: number;
  /** Exactly the bytes with that digest. @throws blob.missing, blob.corrupt */
  open(): Promise<StoredContent>;
}

/**
 * The document that a signee was shown last, as it was recorded: also when others have signed
 * meanwhile. A signee who has signed sees its present version. Nothing is recorded.
 *
 * @throws process.not_found, error.signee.not_found
 * @throws process.file.not_found when the signee was shown none, or may not see it any more
 */
export async function shownDocument(
  ports: Pick<ServicePorts, 'store' | 'blobs'>,
  request: SigneeRequest,
): Promise<ShownDocument> {
  const found = await readSignee(ports, request);
  const sha256 = digestOf(found);
  if (sha256 === undefined) throw notShown(found);
  const isPresent = sha256 === found.process.document?.sha256;
  const { blobs } = ports;
  try {
    const lengthBytes = await blobs.sizeOf(sha256);
    return { sha256, lengthBytes, open: () => blobs.open(sha256) };
  } catch (error) {
    // Contents that no process names any more are removed some time later.
    const isGone = !isPresent && isInnsigliError(error) && error.code === 'blob.missing';
    throw isGone ? notShown(found) : error;
  }
}

function digestOf({ process, signee }: SigneeInProcess): string | undefined {
  if (process.document === undefined) return undefined;
  if (signee.state === 'Signed') return process.document.sha256;
  return process.status === 'Active' ? lastShown(signee) : undefined;
}

function notShown({ process, signee }: SigneeInProcess): InnsigliError {
  const message = `signee ${signee.key} of process ${process.key} was shown no document`;
  return new InnsigliError('process.file.not_found', message, { hint: 'record the view first' });
}

/**
 * Records once that the link of a signee was opened, where the document itself was not handed out.
 *
 * @throws process.not_found, error.signee.not_found
 * @throws signing.forbidden.*, when the process is over
 */
export async function openLink(ports: ServicePorts, request: SigneeRequest): Promise<void> {
  const { processKey, signeeKey, circumstances } = request;
  const { process, signee } = await readSignee(ports, request);
  if (signee.openedAtMs !== undefined) return;
  await runCommand(ports, processKey, { type: 'openLink', signeeKey, circumstances }, process);
}

/** The document of a process that has one. @throws process.file.not_found */
export function requireDocument(document: DocumentRef | undefined, key: string): DocumentRef {
  if (document !== undefined) return document;
  throw new InnsigliError(
    'process.file.not_found',
    `process ${key} has no document, or it was removed`,
  );
}
