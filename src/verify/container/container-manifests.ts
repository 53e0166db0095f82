import { isInnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import {
  type AsicContainer,
  type AsicManifest,
  parseAsicManifest,
} from '../../formats/asic/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { ContainerContents } from './contents.ts';

/** A manifest of a signature or time-stamp. */
export interface ReadManifest {
  readonly name: string;
  readonly type: 'signature' | 'archive';
  readonly bytes: Uint8Array;
  readonly manifest: AsicManifest;
}

/** The manifests of a container by their signature files. */
export interface ContainerManifests {
  /** The only manifest that refers to the signature file, or the reason why there is none. */
  find(signatureFile: string, types: readonly ReadManifest['type'][]): ReadManifest | Finding;
  /** One finding for each manifest whose signature or time-stamp is missing. */
  readonly orphans: readonly Finding[];
}

/** Reads the manifests of all signatures and time-stamps. */
export function readManifests(
  { manifests, signatureFiles }: AsicContainer,
  contents: ContainerContents,
): ContainerManifests {
  const bySignature = new Map<string, ReadManifest[]>();
  const faults: string[] = [];
  for (const { name, type } of manifests) {
    if (type !== 'signature' && type !== 'archive') continue;
    const bytes = contents.read(name) as Uint8Array;
    try {
      const manifest = parseAsicManifest(bytes);
      const signature = manifest.signature.name ?? '';
      getOrCompute(bySignature, signature, () => []).push({ name, type, bytes, manifest });
    } catch (error) {
      if (!isInnsigliError(error)) throw error;
      faults.push(`${name}: ${error.message}`);
    }
  }
  const present = new Set(signatureFiles.map(({ name }) => name));
  const orphans = [...bySignature].flatMap(([signature, group]) =>
    present.has(signature) ? [] : group.map(({ name, manifest }) => orphan(name, manifest)),
  );
  return {
    orphans,
    find(signatureFile, types) {
      const found = (bySignature.get(signatureFile) ?? []).filter(({ type }) =>
        types.includes(type),
      );
      const [first, second] = found;
      if (first !== undefined && second === undefined) return first;
      if (second !== undefined) {
        const names = found.slice(0, 3).map(({ name }) => name);
        const message = `several manifests belong to this signature: ${names.join(', ')}`;
        return buildFinding('container.manifest.ambiguous', message);
      }
      const because = faults.length === 0 ? '' : `; ${faults.slice(0, 3).join('; ')}`;
      const message = `no manifest belongs to this signature${because}`;
      return buildFinding('container.manifest.missing', message);
    },
  };
}

function orphan(name: string, { signature }: AsicManifest): Finding {
  const message = `${name} is for "${signature.uri.slice(0, 100)}", which is missing`;
  return buildFinding('container.manifest.orphan', message);
}
