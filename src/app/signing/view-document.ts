import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  closedCodes,
  closedRule,
  type DocumentRef,
  lastShown,
} from '../../domain/process/index.ts';
import type { StoredContent } from '../ports/index.ts';
import { refusalError, runCommand, type ServicePorts, wholeContent } from '../service/index.ts';
import { forSignee, readSignee, type SigneeInProcess, type SigneeRequest } from './find-signee.ts';

/** A document as shown to a signee. */
export interface ViewedDocument<Content = Uint8Array> {
  readonly fileName: string;
  /** Exactly the bytes with this digest. */
  readonly content: Content;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * Returns the document as shown to a signee and records its digest, again if others have signed
 * meanwhile. A signee who has signed can see the current version.
 *
 * @throws process.not_found, error.signee.not_found, process.file.not_found, blob.*
 * @throws signing.forbidden.*, if the process has ended or requires a login that is missing
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

/** A document shown to a signee, to be read in parts. */
export interface ShownDocument {
  /** SHA-256, hexadecimal, as recorded with the view. */
  readonly sha256: string;
  readonly lengthBytes: number;
  /** Opens exactly the bytes with this digest. @throws blob.missing, blob.corrupt */
  open(): Promise<StoredContent>;
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

const place = ['process.not_found', 'error.signee.not_found'] as const;
const signed = 'signing.forbidden.signee.signed';
const viewErrors = [
  ...place,
  ...closedCodes,
  signed,
  'signing.forbidden.verification.missing',
  'process.file.not_found',
] as const;

/** Operations that show a document to a signee and record it. */
export const viewOperations = {
  /**
   * Returns the document to be signed, byte for byte. Each version shown is recorded once.
   *
   * @example
   * const { content } = await acme.signing.view({ processKey, signeeKey });
   */
  view: forSignee(viewErrors, async (ports, request): Promise<ViewedDocument> => {
    const { content, ...viewed } = await viewDocument(ports, request);
    return { ...viewed, content: await wholeContent(content) };
  }),
  /**
   * Like `view`, but opens the document to be read in chunks.
   *
   * @example
   * const { content } = await acme.signing.openView({ processKey, signeeKey });
   */
  openView: forSignee(viewErrors, viewDocument),
  /**
   * Returns the version shown last, to be read in parts, even if others have signed meanwhile. A
   * signee who has signed gets the current version. Nothing is recorded.
   *
   * @example
   * const { lengthBytes, open } = await acme.signing.shown({ processKey, signeeKey });
   * const pieces = (await open()).pieces({ offsetBytes: lengthBytes - 1024, lengthBytes: 1024 });
   */
  shown: forSignee(
    [...place, 'process.file.not_found'],
    async (ports, request): Promise<ShownDocument> => {
      const found = await readSignee(ports, request);
      const sha256 = digestOf(found);
      if (sha256 === undefined) throw notShown(found);
      const isPresent = sha256 === found.process.document?.sha256;
      const { blobs } = ports;
      try {
        const lengthBytes = await blobs.sizeOf(sha256);
        return { sha256, lengthBytes, open: () => blobs.open(sha256) };
      } catch (error) {
        // Blobs without references are deleted after some time.
        const isGone = !isPresent && isInnsigliError(error) && error.code === 'blob.missing';
        throw isGone ? notShown(found) : error;
      }
    },
  ),
  /**
   * Records once that the link was opened. This does not count as viewing the document.
   *
   * @example
   * await acme.signing.openLink({ processKey, signeeKey });
   */
  openLink: forSignee([...place, ...closedCodes, signed], async (ports, request) => {
    const { processKey, signeeKey, circumstances } = request;
    const { process, signee } = await readSignee(ports, request);
    if (signee.openedAtMs !== undefined) return;
    await runCommand(ports, processKey, { type: 'openLink', signeeKey, circumstances }, process);
  }),
};

/** Returns the document of a process. @throws process.file.not_found if it has none */
export function requireDocument(document: DocumentRef | undefined, key: string): DocumentRef {
  if (document !== undefined) return document;
  throw new InnsigliError(
    'process.file.not_found',
    `process ${key} has no document, or it was removed`,
  );
}
