import { isCoreError } from '../../base/errors.ts';

/** What `record` gives; undefined where the process is over or asks for a login. */
export async function whereOpen<T>(record: () => Promise<T>): Promise<T | undefined> {
  try {
    return await record();
  } catch (error) {
    if (isCoreError(error) && /^(signing|process)\./.test(error.code)) return undefined;
    throw error;
  }
}
