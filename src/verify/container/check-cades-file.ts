import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { verifyCades } from '../cades/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import { checkManifest, type ManifestVerdict, withManifest } from './check-manifest.ts';
import type { CheckedStamp } from './check-timestamps.ts';
import { coveringStamps } from './check-timestamps.ts';
import { type CheckedSignature, type OpenedContainer, simpleContent } from './open-container.ts';
import { uncheckedCms } from './outcome.ts';

/** Content of a CAdES signature. */
export interface SignedContent {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Undefined if the content is the data file itself. */
  readonly manifest: ManifestVerdict | undefined;
  /** Names of all files involved: the content and the entries of a manifest. */
  readonly names: ReadonlySet<string>;
}

/** Verifies each signer of a CAdES signature file. */
export function checkCadesFile(
  file: string,
  opened: OpenedContainer,
  stamps: readonly CheckedStamp[],
): readonly CheckedSignature[] {
  const { contents, nowMs } = opened;
  const content = findContent(file, opened);
  if ('code' in content) {
    const report = uncheckedCms(file, 'cms', content, nowMs);
    return [{ file, role: 'signature', report, covers: new Set(), touches: new Set() }];
  }
  const { name: contentName, bytes, manifest } = content;
  const covering = coveringStamps(file, content.names, stamps);
  const context = { ...opened, contentName, covering };
  const signature = contents.read(file) as Uint8Array;
  return verifyCades(signature, memorySource(bytes), context).map((found) => {
    const own = { ...found, file };
    const report = manifest === undefined ? own : withManifest(own, manifest);
    const covers = new Set(report.intact ? content.names : []);
    return { file, role: 'signature', report, contentName, covers, touches: covers };
  });
}

/** The content of a CAdES signature, or the reason why it is ambiguous. */
export function findContent(file: string, opened: OpenedContainer): SignedContent | Finding {
  const { contents, manifests, container, nowMs, algorithms } = opened;
  if (container.kind === 'asic-s') {
    const name = simpleContent(opened);
    const bytes = name === undefined ? undefined : contents.lend(name);
    if (name !== undefined && bytes !== undefined) {
      return { name, bytes, manifest: undefined, names: new Set([name]) };
    }
    const message = 'the signature does not identify the file it covers';
    return buildFinding('container.file.none', message);
  }
  const found = manifests.find(file, ['signature']);
  if ('code' in found) return found;
  const { name, bytes, manifest } = found;
  const verdict = checkManifest(name, manifest, {
    contents,
    when: { atMs: nowMs, ...defined({ table: algorithms }) },
    refusal: (listed) =>
      listed.startsWith('META-INF/') || listed === 'mimetype'
        ? 'the manifest of a signature may only list data files'
        : undefined,
  });
  return { name, bytes, manifest: verdict, names: verdict.covers };
}
