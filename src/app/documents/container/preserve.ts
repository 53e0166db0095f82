import { memorySource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { ZipFile } from '../../../formats/zip/index.ts';
import { addValidationValues } from '../../../seal/cades/index.ts';
import type { TimestampContext } from '../../../seal/timestamp-client.ts';
import type { ValidationData } from '../../../seal/validation-data.ts';
import { contentDigest } from '../../../trust/content-digest.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { describeCadesPreservation, mergeData } from '../../../verify/cades/index.ts';
import {
  type CheckedSignature,
  type CheckedStamp,
  coveringStamps,
  type ExaminedContainer,
  findContent,
} from '../../../verify/container/index.ts';
import type { CertificateToCheck } from '../../../verify/pdf/index.ts';
import { augmentCades, missingValidationData, type RaisedSignature } from '../cades/raise-cades.ts';
import { timestampContext } from '../long-term-steps.ts';
import { type ArchivePorts, checkContext } from '../seal-ports.ts';

/** The signatures of a container to preserve. */
export interface SignaturesToPreserve {
  /** Intact CMS signatures and time-stamps. */
  readonly earlier: readonly CheckedSignature[];
  /** True if an archive time-stamp covers the file: it must not change any more. */
  isFrozen(file: string): boolean;
}

/** Augmented signature files, and whether the container needs a time-stamp. */
export interface PreservedCades {
  readonly files: readonly ZipFile[];
  /** Whether an archive time-stamp over the container is needed. */
  readonly isWhole: boolean;
}

/**
 * Adds the validation data of signers and authorities to CAdES signatures and time-stamp files, and
 * an archive time-stamp to the signatures of an ASiC-S. Data for a file that must not change any
 * more is added to the newest time-stamp that may change.
 *
 * @throws tsa.*, revocation.*, certificate.*, network.*
 */
export async function preserveCades(
  examined: ExaminedContainer,
  { earlier, isFrozen }: SignaturesToPreserve,
  ports: ArchivePorts,
): Promise<PreservedCades> {
  const work = new Preservation(examined, ports);
  const signatures = new Set(
    earlier.filter(({ role }) => role === 'signature').map(({ file }) => file),
  );
  const isSimple = examined.opened.container.kind === 'asic-s';
  let isWhole = false;
  for (const file of signatures) {
    if (isFrozen(file)) await work.collect(file);
    else await work.raise(file, isSimple);
    isWhole ||= !isSimple || isFrozen(file);
  }
  const stamps = examined.stamps.filter(({ report }) => report.intact);
  const open = stamps.filter(({ file }) => !isFrozen(file));
  for (const stamp of stamps) {
    if (isFrozen(stamp.file)) await work.collectStamp(stamp);
  }
  for (const stamp of open) await work.raiseStamp(stamp, stamp === open.at(-1));
  return { files: work.files, isWhole: isWhole || stamps.length > 0 };
}

class Preservation {
  readonly files: ZipFile[] = [];
  readonly #examined: ExaminedContainer;
  readonly #ports: ArchivePorts;
  readonly #pool: CertificatePool;
  readonly #timestamps: TimestampContext;
  /** Data for files that must not change. */
  readonly #homeless: ValidationData[] = [];

  constructor(examined: ExaminedContainer, ports: ArchivePorts) {
    this.#examined = examined;
    this.#ports = ports;
    this.#pool = examined.opened.pool;
    this.#timestamps = timestampContext(ports, this.#pool, 'B-LTA');
  }

  /** Augments a signature file to B-LT; `isLast` adds an archive time-stamp to each signer. */
  async raise(file: string, isLast: boolean): Promise<void> {
    const raising = { ports: this.#ports, timestamps: this.#timestamps };
    const opened = openSignature(file, this.#examined, this.#ports);
    const bytes = await augmentCades(this.#read(file), opened, raising, isLast);
    this.files.push({ name: file, bytes });
  }

  /** Collects the data missing from a signature file that must not change. */
  async collect(file: string): Promise<void> {
    const opened = openSignature(file, this.#examined, this.#ports);
    const { certificates, pool, ...own } = opened.describe(this.#read(file));
    const present = mergeData([own.present, this.#allTokens()]);
    this.#homeless.push(await this.#gather(certificates, present, pool));
  }

  /** Collects the data missing from a time-stamp file that must not change. */
  async collectStamp(stamp: CheckedStamp): Promise<void> {
    this.#homeless.push(await this.#gather(authorityOf(stamp), this.#allTokens()));
  }

  /** Adds its authority's validation data to a stamp; the newest also gets the collected data. */
  async raiseStamp(stamp: CheckedStamp, isNewest: boolean): Promise<void> {
    const own = await this.#gather(authorityOf(stamp), stamp.data);
    const data = mergeData(isNewest ? [own, ...this.#homeless] : [own]);
    this.files.push({ name: stamp.file, bytes: addValidationValues(stamp.token, data) });
  }

  #read(file: string): Uint8Array {
    return this.#examined.opened.contents.read(file) as Uint8Array;
  }

  #allTokens() {
    return mergeData(this.#examined.stamps.map(({ data }) => data));
  }

  async #gather(
    certificates: readonly CertificateToCheck[],
    present: ValidationData,
    pool: CertificatePool = this.#pool,
  ): Promise<ValidationData> {
    return missingValidationData(certificates, { present, pool }, this.#ports);
  }
}

/** Signed content of a container's signature file, and its state at each augmentation step. */
export function openSignature(
  file: string,
  { opened, stamps }: ExaminedContainer,
  ports: ArchivePorts,
): RaisedSignature {
  const content = findContent(file, opened);
  if ('code' in content) throw new InnsigliError('container.invalid', content.message);
  const source = memorySource(content.bytes);
  const covering = coveringStamps(file, content.names, stamps);
  const { pool } = opened;
  return {
    content: contentDigest(source),
    describe: (signature) =>
      describeCadesPreservation(signature, source, { ...checkContext(ports, pool), covering }),
  };
}

/** The certificate of the authority of a time-stamp file. */
export function authorityOf({ checked }: CheckedStamp): readonly CertificateToCheck[] {
  const { certificate, info } = checked?.verdict ?? {};
  if (certificate === undefined || info === undefined) return [];
  return [{ certificate, atMs: info.genTimeMs }];
}
