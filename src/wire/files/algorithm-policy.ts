import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { type AlgorithmTable, readAlgorithmTable } from '../../trust/algorithms/index.ts';
import { readConfigured } from './files.ts';

/**
 * Reads the table of algorithms of a policy file. Undefined if none is configured.
 *
 * @throws config.invalid if it cannot be read, is not JSON or not such a table
 */
export async function loadAlgorithmTable(
  path: string | undefined,
): Promise<AlgorithmTable | undefined> {
  if (path === undefined) return undefined;
  const bytes = await readConfigured(path, 'policy file', 'config.invalid');
  try {
    return readAlgorithmTable(JSON.parse(Buffer.from(bytes).toString('utf8')), '');
  } catch (cause) {
    if (!isInnsigliError(cause) && !(cause instanceof SyntaxError)) throw cause;
    // Messages of the JSON parser quote the file, which may have been named by mistake.
    const what = isInnsigliError(cause) ? cause.message : 'expected JSON, found other text';
    throw new InnsigliError('config.invalid', `policy file ${path}: ${what}`, {
      cause,
      hint: 'see innsigli verify --help for its format',
    });
  }
}
