import { InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';

/** An error of the file system with a code of the registry. */
export function codedFileError(error: unknown, folder: string): unknown {
  const code = systemCode(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const context = { hint: 'free some disk space and try again', cause: error };
    return new InnsigliError('store.full', `no space for a document in ${folder}`, context);
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const context = { hint: 'check the permissions of the data directory', cause: error };
    return new InnsigliError('store.readonly', `cannot write documents to ${folder}`, context);
  }
  const context = { hint: 'check the disk and the data directory', cause: error };
  return new InnsigliError(
    'store.unavailable',
    `cannot use the folder of documents ${folder}`,
    context,
  );
}
