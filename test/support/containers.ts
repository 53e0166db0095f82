import type { SealContainerRequest } from '../../src/app/documents/container/seal-container.ts';
import { sealContainer } from '../../src/app/documents/container/seal-container.ts';
import type { SealPorts } from '../../src/app/documents/seal-ports.ts';
import { asicMimeTypes } from '../../src/formats/asic/index.ts';
import { readZip, writeZip, type ZipFile } from '../../src/formats/zip/index.ts';
import { newSignatureIds, signXades } from '../../src/seal/xades/index.ts';
import { type ContainerContext, verifyContainer } from '../../src/verify/container/index.ts';
import type { ContainerVerificationReport } from '../../src/verify/report/report.ts';
import type { TestMember, TestPki } from './pki.ts';
import { countingRandom, signerOf } from './sealing.ts';
import { testAuthority } from './tsa.ts';
import { anyStatus } from './verify-document.ts';

/** A file for containers. */
export const fileOf = (name: string, text = `content of ${name}\n`) => ({
  name,
  content: new Uint8Array(Buffer.from(text)),
});

/** Ports of the test PKI with a fixed clock; each has a separate random stream. */
export function containerPorts(
  pki: TestPki,
  member: TestMember = pki.member('signer'),
  // Two parties with the same random bytes would create the same Ids.
  salt: number = member === pki.member('signer') ? 0 : 0x5a,
): SealPorts {
  const random = countingRandom();
  return {
    signer: signerOf(member),
    authority: testAuthority(pki),
    revocation: pki.revocation,
    anchors: [pki.member('root').certificate],
    now: () => pki.nowMs,
    random: (count) => random(count).map((octet) => octet ^ salt),
  };
}

/** A container with one or two files; entries of `changes` replace the request. */
export async function containerBy(
  pki: TestPki,
  changes: Partial<SealContainerRequest> = {},
  ports: SealPorts = containerPorts(pki),
): Promise<Uint8Array> {
  const { container = 'asic-e' } = changes;
  const files = [fileOf('a.txt'), ...(container === 'asic-e' ? [fileOf('d/é b.xml', '<b/>')] : [])];
  const request = { files, container, format: 'xades', level: 'B-B', ...changes } as const;
  return (await sealContainer(request, ports)).bytes;
}

/** The conclusion with the root of the PKI as anchor. */
export function judgeContainer(
  pki: TestPki,
  bytes: Uint8Array,
  changes: Partial<ContainerContext> = {},
): ContainerVerificationReport {
  const anchors = [pki.member('root').certificate];
  const context = { anchors, nowMs: pki.nowMs, revocation: anyStatus };
  return verifyContainer(bytes, { ...context, ...changes });
}

/** The files of a container in their order, `mimetype` included. */
export function filesOf(container: Uint8Array): readonly ZipFile[] {
  return readZip(container).entries.map(({ name, read, method }) => ({
    name,
    bytes: read(),
    stored: method === 'stored',
  }));
}

/** The container with its files changed: undefined removes a file, a string renames it. */
export function withFiles(
  container: Uint8Array,
  changes: Readonly<Record<string, Uint8Array | string | undefined>>,
): Uint8Array {
  const left = new Map(Object.entries(changes));
  const files = filesOf(container).flatMap((file): ZipFile[] => {
    if (!left.has(file.name)) return [file];
    const change = left.get(file.name);
    left.delete(file.name);
    if (change === undefined) return [];
    return [typeof change === 'string' ? { ...file, name: change } : { ...file, bytes: change }];
  });
  for (const [name, bytes] of left) {
    if (!(bytes instanceof Uint8Array)) throw new Error(`no file ${name}`);
    files.push({ name, bytes });
  }
  return writeZip(files);
}

/** The content of a file of a container. */
export function contentOf(container: Uint8Array, name: string): Uint8Array {
  const entry = readZip(container).find(name);
  if (entry === undefined) throw new Error(`no file ${name}`);
  return entry.read();
}

/** The container with the text of one file edited. */
export function withText(
  container: Uint8Array,
  name: string,
  edit: (text: string) => string,
): Uint8Array {
  const before = Buffer.from(contentOf(container, name)).toString();
  const after = edit(before);
  if (after === before) throw new Error('nothing was changed');
  return withFiles(container, { [name]: Buffer.from(after) });
}

/** A detached XAdES signature that claims these bytes as the content of the URI. */
export async function xadesOver(
  pki: TestPki,
  signed: { readonly uri: string; readonly bytes: Uint8Array; readonly transforms?: string },
): Promise<Uint8Array> {
  const { uri, bytes, transforms = '' } = signed;
  const member = pki.member('signer');
  const signature = await signXades({
    ids: newSignatureIds(countingRandom()),
    objects: [{ uri, transforms, mimeType: 'text/plain', feed: (take) => take(bytes) }],
    claims: {},
    signedAtMs: pki.nowMs,
    signer: signerOf(member),
    certificate: member.certificate,
  });
  return signature.bytes;
}

/** The container with the media type of the other kind. */
export function asKind(container: Uint8Array, kind: keyof typeof asicMimeTypes): Uint8Array {
  return withFiles(container, { mimetype: Buffer.from(asicMimeTypes[kind]) });
}
