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

/** What a signee is shown, and what is recorded of it. */
export const viewOperations = {
  /**
   * The document as it is signed, byte for byte; each state of it is recorded once.
   *
   * @example
   * const { content } = await acme.signing.view({ processKey, signeeKey });
   */
  view: forSignee(viewErrors, async (ports, request): Promise<ViewedDocument> => {
    const { content, ...viewed } = await viewDocument(ports, request);
    return { ...viewed, content: await wholeContent(content) };
  }),
  /**
   * The same, to be read in pieces.
   *
   * @example
   * const { content } = await acme.signing.openView({ processKey, signeeKey });
   */
  openView: forSignee(viewErrors, viewDocument),
  /**
   * The document that was shown last, for parts of it, also when others have signed meanwhile. A
   * signee who has signed sees its present version. Nothing is recorded.
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
        // Contents that no process names any more are removed some time later.
        const isGone = !isPresent && isInnsigliError(error) && error.code === 'blob.missing';
        throw isGone ? notShown(found) : error;
      }
    },
  ),
  /**
   * Records once that the link was opened; that is no look at the document.
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

/** The document of a process that has one. @throws process.file.not_found */
export function requireDocument(document: DocumentRef | undefined, key: string): DocumentRef {
  if (document !== undefined) return document;
  throw new InnsigliError(
    'process.file.not_found',
    `process ${key} has no document, or it was removed`,
  );
}
