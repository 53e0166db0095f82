import {
  type AsicContainer,
  buildAsicManifest,
  mimeTypeOfName,
  namesInUse,
  nextArchiveNames,
} from '../../../formats/asic/index.ts';
import { digestUri } from '../../../formats/xmldsig/index.ts';
import { updateZip, type ZipFile } from '../../../formats/zip/index.ts';
import { requestTimestamp, type TimestampContext } from '../../../seal/timestamp-client.ts';
import { digestOf } from '../../../trust/signature.ts';

const DIGEST = 'sha256';

/** Further options of {@link addArchiveStamp}. */
export interface ArchiveStampOptions {
  /** Files that are rewritten at the same time; they are covered too. */
  readonly changes?: readonly ZipFile[];
  /** Signature files that must remain extensible: a covered file may never change again. */
  readonly open?: ReadonlySet<string>;
}

/**
 * Returns the container with a time-stamp over its contents, by means of an ASiCArchiveManifest:
 * data, signatures, their manifests, and earlier archive time-stamps, whose newest manifest is
 * renamed with a number. XAdES signatures are excluded: they have their own archive time-stamps.
 *
 * @throws tsa.*, container.limit
 * @spec ETSI EN 319 162-1 Annex A.7
 */
export async function addArchiveStamp(
  container: AsicContainer,
  timestamps: TimestampContext,
  { changes = [], open = new Set() }: ArchiveStampOptions = {},
): Promise<Uint8Array> {
  const { archive, signatureFiles } = container;
  const changed = new Map(changes.map((file) => [file.name, file.bytes]));
  const present = archive.entries.filter(({ isFolder }) => !isFolder);
  const { taken, listed } = namesInUse(container);
  const all = [...new Set([...taken, ...changed.keys()])];
  const { signature, manifest, renamed } = nextArchiveNames(all, listed);
  const contents = new Map<string, () => Uint8Array>();
  for (const { name, read } of present) contents.set(renamed.get(name) ?? name, read);
  for (const [name, bytes] of changed) contents.set(name, () => bytes);
  contents.delete('mimetype');
  for (const { name, type } of signatureFiles) {
    if (type === 'xades' || open.has(name)) contents.delete(name);
  }
  const roots = new Set(renamed.values());
  const dataObjects = [...contents].map(([name, read]) => ({
    name,
    mimeType: mimeTypeOfName(name),
    digestMethod: digestUri(DIGEST),
    digestValue: digestOf(DIGEST, read()),
    rootfile: roots.has(name),
  }));
  const target = { name: signature, mimeType: mimeTypeOfName(signature) };
  const bytes = buildAsicManifest({ signature: target, dataObjects });
  const { token } = await requestTimestamp(timestamps, DIGEST, digestOf(DIGEST, bytes));
  const files = [...changes, { name: manifest, bytes }, { name: signature, bytes: token }];
  return updateZip(archive, { files, renamed }, { modified: new Date(timestamps.now()) });
}
