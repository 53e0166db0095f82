import { equalBytes, memorySource } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { SealLevel } from '../../../base/level.ts';
import {
  type AsicKind,
  addXadesSignature,
  buildAsicManifest,
  buildXadesSignatures,
  mimeTypeOfName,
  nextCadesNames,
  nextXadesName,
  simpleNames,
} from '../../../formats/asic/index.ts';
import { der, derOf, readDer, readSet } from '../../../formats/asn1/index.ts';
import { joinSignedData, splitSignedData } from '../../../formats/cms/index.ts';
import { digestUri } from '../../../formats/xmldsig/index.ts';
import type { ZipFile } from '../../../formats/zip/index.ts';
import { signCades } from '../../../seal/cades/index.ts';
import { strongDigest } from '../../../seal/signing.ts';
import type { XadesClaims } from '../../../seal/xades/index.ts';
import { type ContentDigest, contentDigest } from '../../../trust/content-digest.ts';
import type { SigningParty } from '../check-signer.ts';
import { timestampContext } from '../long-term-steps.ts';
import type { SealPorts } from '../seal-ports.ts';
import type { FileObject } from '../xml/request.ts';
import { sealFiles } from '../xml/seal-xml.ts';

/** Parameters of a new signature in a container, with the existing entries. */
export interface ContainerPlan {
  readonly container: AsicKind;
  readonly format: 'xades' | 'cades';
  readonly level: SealLevel;
  readonly claims: XadesClaims;
  readonly dataFiles: readonly FileObject[];
  /** Names of all entries. */
  readonly taken: readonly string[];
  /** The content of the signature file that the new signature joins. */
  find(name: string): Uint8Array | undefined;
}

/** A new signature as files of a container. */
export interface ContainerSignature {
  /** Name of the file that contains it, as the last signature in it. */
  readonly file: string;
  /** Id of an XML signature. */
  readonly id?: string;
  readonly metaFiles: readonly ZipFile[];
}

/**
 * Signs all data files of a container.
 *
 * @throws usage.invalid, key.*, tsa.*, revocation.*, certificate.*, network.*
 * @spec ETSI EN 319 162-1 §4.3, §4.4
 */
export async function signInContainer(
  plan: ContainerPlan,
  party: SigningParty,
  ports: SealPorts,
): Promise<ContainerSignature> {
  if (plan.format === 'xades') return signXadesFile(plan, ports);
  requireNoClaims(plan.claims);
  return plan.container === 'asic-s'
    ? signDataFile(plan, party, ports)
    : signManifest(plan, party, ports);
}

async function signXadesFile(plan: ContainerPlan, ports: SealPorts): Promise<ContainerSignature> {
  const { container: kind, level, claims, dataFiles, taken, find } = plan;
  const file = kind === 'asic-s' ? simpleNames.xades : nextXadesName(taken);
  const { signature, id } = await sealFiles({ ...claims, files: dataFiles, level }, ports);
  const present = find(file);
  const bytes =
    present === undefined
      ? buildXadesSignatures([signature])
      : addXadesSignature(present, signature);
  return { file, id, metaFiles: [{ name: file, bytes }] };
}

/** In an ASiC-S, the signature covers the data file itself. */
async function signDataFile(
  { level, dataFiles, find }: ContainerPlan,
  party: SigningParty,
  ports: SealPorts,
): Promise<ContainerSignature> {
  const file = simpleNames.cades;
  const [data] = dataFiles;
  if (data === undefined) throw new InnsigliError('usage.invalid', 'expected a file, found none');
  const digest = contentDigest(memorySource(data.content));
  const signature = await signContent(digest, level, party, ports);
  const present = find(file);
  const bytes = present === undefined ? signature : joinSigners(present, signature);
  return { file, metaFiles: [{ name: file, bytes }] };
}

/**
 * In an ASiC-E, the signature covers a manifest of the data files. An archive time-stamp covers the
 * files themselves, so it belongs to the container rather than the signature.
 */
async function signManifest(
  { level, dataFiles, taken }: ContainerPlan,
  party: SigningParty,
  ports: SealPorts,
): Promise<ContainerSignature> {
  const names = nextCadesNames(taken);
  const algorithm = strongDigest(ports.signer.algorithm.digest);
  const dataObjects = dataFiles.map(({ name, content, mimeType }) => ({
    name,
    mimeType: mimeType ?? mimeTypeOfName(name),
    digestMethod: digestUri(algorithm),
    digestValue: contentDigest(memorySource(content))(algorithm),
  }));
  const target = { name: names.signature, mimeType: mimeTypeOfName(names.signature) };
  const manifest = buildAsicManifest({ signature: target, dataObjects });
  const digest = contentDigest(memorySource(manifest));
  const own = level === 'B-LTA' ? 'B-LT' : level;
  const bytes = await signContent(digest, own, party, ports);
  return {
    file: names.signature,
    metaFiles: [
      { name: names.manifest, bytes: manifest },
      { name: names.signature, bytes },
    ],
  };
}

/** @throws usage.invalid for claims that are not supported in CAdES signatures here */
function requireNoClaims({ roles, place, commitments, policy }: XadesClaims): void {
  const claims = { roles: roles?.length || undefined, place, commitments, policy };
  const lists = { ...claims, commitments: commitments?.length || undefined };
  const given = Object.entries(lists).find(([, value]) => value !== undefined);
  if (given === undefined) return;
  throw new InnsigliError('usage.invalid', `${given[0]} cannot be used with CAdES signatures`, {
    hint: 'use XAdES, or omit it',
  });
}

/**
 * Creates a CAdES signature over content in a separate file.
 *
 * @throws as `signCades`
 */
async function signContent(
  content: ContentDigest,
  level: SealLevel,
  { certificate, pool, nowMs }: SigningParty,
  ports: SealPorts,
): Promise<Uint8Array> {
  const { signer, revocation, isListedResponder } = ports;
  const timestamps = level === 'B-B' ? undefined : timestampContext(ports, pool, level);
  const made = await signCades(content, {
    ...{ signer, certificate, level, signingTimeMs: nowMs, timestamps },
    ...{ revocation, isListedResponder },
  });
  return made.signature;
}

/**
 * Merges two SignedData over the same content into one with all signers, certificates and
 * revocation values. Archive time-stamps remain valid: they list what they cover.
 *
 * @throws cms.invalid if one of them is not a SignedData
 */
function joinSigners(present: Uint8Array, added: Uint8Array): Uint8Array {
  const first = splitSignedData(present);
  const second = splitSignedData(added);
  const digests = union(membersOf(first.digestAlgorithms), membersOf(second.digestAlgorithms));
  return joinSignedData({
    ...first,
    digestAlgorithms: der.setOf(...digests),
    certificates: union(first.certificates, second.certificates),
    revocation: union(first.revocation, second.revocation),
    signers: [...first.signers, ...second.signers],
  });
}

function membersOf(set: Uint8Array): readonly Uint8Array[] {
  return readSet(readDer(set), 'digest algorithms').map(derOf);
}

function union(a: readonly Uint8Array[], b: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...a, ...b.filter((value) => !a.some((known) => equalBytes(known, value)))];
}
