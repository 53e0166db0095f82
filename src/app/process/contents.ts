import { InnsigliError } from '../../base/errors.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { StoredContent } from '../ports/index.ts';
import { anyKey } from '../request-texts.ts';
import type { ServicePorts } from '../service/index.ts';
import { requireProcess } from './find-process.ts';

/** The files of the processes of a company. @throws process.not_found, process.file.not_found */
export interface ProcessContents {
  /**
   * The document with the signatures so far.
   *
   * @param process its key, or the process as it was just shown
   */
  document(process: string | SigningProcess): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openDocument(process: string | SigningProcess): Promise<StoredContent>;
  /** An attachment. */
  attachment(key: string, attachmentKey: string): Promise<Uint8Array>;
  /** The same, to be read in pieces. */
  openAttachment(key: string, attachmentKey: string): Promise<StoredContent>;
}

/** The files of the processes of `companyKey`. */
export function processContents(
  { store, blobs }: Pick<ServicePorts, 'store' | 'blobs'>,
  companyKey: CompanyKey,
): ProcessContents {
  const show = (key: string) =>
    store.read((unit) => requireProcess(unit, companyKey, anyKey(key, 'key')));
  const ofDocument = async (asked: string | SigningProcess) => {
    const process = typeof asked === 'string' ? await show(asked) : asked;
    return requireName(process, process.document?.sha256);
  };
  const ofAttachment = async (key: string, attachmentKey: string) => {
    const process = await show(key);
    const found = process.attachments.find((each) => each.key === attachmentKey);
    return requireName(process, found?.document.sha256);
  };
  return {
    document: async (asked) => blobs.get(await ofDocument(asked)),
    openDocument: async (asked) => blobs.open(await ofDocument(asked)),
    attachment: async (key, id) => blobs.get(await ofAttachment(key, id)),
    openAttachment: async (key, id) => blobs.open(await ofAttachment(key, id)),
  };
}

function requireName({ key, purgedAtMs }: SigningProcess, sha256: string | undefined): string {
  if (sha256 !== undefined) return sha256;
  const why = purgedAtMs === undefined ? 'has no such file' : 'was purged: its contents are gone';
  throw new InnsigliError('process.file.not_found', `process ${key} ${why}`);
}
