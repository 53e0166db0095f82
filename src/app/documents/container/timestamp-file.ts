import { InnsigliError } from '../../../base/errors.ts';
import { buildAsic, simpleNames } from '../../../formats/asic/index.ts';
import { requestTimestamp } from '../../../seal/timestamp-client.ts';
import { digestOf } from '../../../trust/signature.ts';
import { verifyContainer } from '../../../verify/container/index.ts';
import type { ContainerVerificationReport } from '../../../verify/report/index.ts';
import { timestampContext } from '../long-term-steps.ts';
import { archivedUntil } from '../proof-end.ts';
import { type ArchivePorts, checkContext, poolOf } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import type { FileObject } from '../xml/request.ts';
import { packed, requireContents } from './input.ts';

const DIGEST = 'sha256';

/**
 * Puts a file of any kind into an ASiC-S container with a time-stamp over it: proof of existence
 * without a key.
 *
 * @throws usage.invalid if the name is not permitted for a file of a container
 * @throws tsa.*, container.limit, seal.selfcheck.failed
 * @spec ETSI EN 319 162-1 §4.3.3.2
 */
export function timestampFile(
  file: FileObject,
  given: ArchivePorts,
): Promise<SealedDocument<ContainerVerificationReport>> {
  return archivedUntil(given, async (ports) => {
    requireContents([file], 'asic-s');
    const pool = poolOf(ports);
    const timestamps = timestampContext(ports, pool, 'B-LTA');
    const { token } = await requestTimestamp(timestamps, DIGEST, digestOf(DIGEST, file.content));
    const bytes = buildAsic({
      kind: 'asic-s',
      dataFiles: [packed(file)],
      metaFiles: [{ name: simpleNames.timestamp, bytes: token }],
      modified: new Date(ports.now()),
    });
    const report = verifyContainer(bytes, checkContext(ports, pool));
    const [made] = report.signatures;
    if (made?.intact !== true) {
      const reason = made?.findings[0]?.message ?? 'it was not found';
      throw new InnsigliError('seal.selfcheck.failed', `the time-stamp: ${reason}`);
    }
    return { ...resultBytes(file.content, bytes), report, warnings: [] };
  });
}
