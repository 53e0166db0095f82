import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { AlgorithmTable } from '../../trust/algorithm-suites.table.ts';
import { readAlgorithmTable } from '../../trust/read-algorithm-table.ts';
import { readConfigured } from './files.ts';

/**
 * The table of algorithms of a policy file; undefined when none is named.
 *
 * @throws config.invalid when it cannot be read, is no JSON or no such table
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
    throw new InnsigliError('config.invalid', `policy file ${path}: ${cause.message}`, {
      cause,
      hint: 'see innsigli verify --help for its form',
    });
  }
}
