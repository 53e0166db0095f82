import { createHash } from 'node:crypto';
import { signToken } from '../../src/adapters/tsa/index.ts';
import { concatBytes, latin1Bytes, memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import {
  addUnsignedAttribute,
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
} from '../../src/formats/cms/index.ts';
import { listSignatureFields, openPdf } from '../../src/formats/pdf/index.ts';
import { buildMessageImprint, type TstInfoInput } from '../../src/formats/tsp/index.ts';
import {
  buildCrl,
  type DigestAlgorithm,
  keyUsageBits,
  type SignatureAlgorithm,
} from '../../src/formats/x509/index.ts';
import { sealPdf } from '../../src/index.ts';
import { addValidationData } from '../../src/seal/document-security-store.ts';
import { stampPdf } from '../../src/seal/document-timestamp.ts';
import { chooseField } from '../../src/seal/field/signature-field.ts';
import type { ValidationData } from '../../src/seal/validation-data.ts';
import { createCertificatePool } from '../../src/trust/pool.ts';
import { membersOf } from './crafted-cms.ts';
import { makeTestPki, signWith, type TestMember, type TestPki } from './pki.ts';
import { countingRandom, fixture, sealOptions } from './sealing.ts';
import { issuerOf, testAuthority, testPolicy } from './tsa.ts';

/** One day in milliseconds. */
export const dayMs = 24 * 3_600_000;

/** Extensions of an issuing CA. */
export const caExtensions = {
  basicConstraints: { ca: true },
  keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
} as const;

/** Extensions of a valid time-stamp authority. */
export const tsaExtensions = {
  extendedKeyUsage: [oids.timeStamping],
  extendedKeyUsageCritical: true,
} as const;

/** Any key as a member that `issue({ keyOf })` of a test PKI certifies. */
export function keyHolder(privateKey: TestMember['privateKey'], algorithm: SignatureAlgorithm) {
  return { privateKey, algorithm } as TestMember;
}

const roomy = makeTestPki();
let blank: Promise<Uint8Array> | undefined;

/** A sealed file with some thousand bytes reserved for another signature. */
function blankForm(): Promise<Uint8Array> {
  blank ??= sealPdf(fixture('agreement.pdf'), sealOptions(roomy, { level: 'B-T' })).then(
    ({ bytes }) => bytes,
  );
  return blank;
}

/** Creates the bytes for `/Contents` from the covered ones. */
export type MakeContents = (covered: Uint8Array) => Uint8Array;

/** The file with its last signature value replaced; the value is not checked. */
export function refill(file: Uint8Array, make: MakeContents): Uint8Array {
  const bytes = Buffer.from(file);
  const ranges = [...bytes.toString('latin1').matchAll(/\/ByteRange ?\[0 (\d+) (\d+) (\d+) *\]/g)];
  const [, start = 0, end = 0, rest = 0] = (ranges.at(-1) ?? []).map(Number);
  const contents = make(concatBytes([bytes.subarray(0, start), bytes.subarray(end, end + rest)]));
  const room = end - start - 2;
  const hex = Buffer.from(contents).toString('hex');
  if (hex.length > room) throw new Error(`${hex.length} digits do not fit into ${room}`);
  bytes.write(hex.padEnd(room, '0'), start + 1, 'latin1');
  return new Uint8Array(bytes);
}

/** A file with one signature in which the test controls every octet. */
export async function signedFile(
  make: MakeContents,
  edit: (text: string) => string = (text) => text,
): Promise<Uint8Array> {
  const form = await blankForm();
  const edited = latin1Bytes(edit(Buffer.from(form).toString('latin1')));
  if (edited.length !== form.length) throw new Error('an edit must keep the length');
  return refill(edited, make);
}

/** An edit for {@link signedFile}: sets the claimed signing time. */
export function claiming(timeMs: number): (text: string) => string {
  const digits = new Date(timeMs).toISOString().replace(/\D/g, '').slice(0, 14);
  return (text) => text.replace(/(\/M ?\(D:)\d{14}/, `$1${digits}`);
}

/** Deviations of a signature of {@link cmsBy}. */
export interface CmsOptions {
  /** Digest over the covered bytes. Default: that of the algorithm. */
  readonly digest?: DigestAlgorithm;
  readonly algorithm?: SignatureAlgorithm;
  /** Signed attributes besides the usual ones. */
  readonly attributes?: readonly Uint8Array[];
  /** The certificate bound by the attributes. */
  readonly bound?: TestMember;
  /** Creates a signature time-stamp over the signature value. */
  readonly stamp?: (signature: Uint8Array) => Uint8Array;
}

/** A CMS by the member, regardless of the purpose of its certificate. */
export function cmsBy(member: TestMember, options: CmsOptions = {}): MakeContents {
  const { algorithm = member.algorithm, attributes = [], stamp, bound = member } = options;
  const digest = options.digest ?? algorithm.digest;
  return (covered) => {
    const usual = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createHash(digest).update(covered).digest(),
      certificate: bound.certificate,
      certificateDigest: 'sha256',
    });
    const signedAttributes = withAttributes(usual, attributes);
    const signature = signWith({ algorithm, privateKey: member.privateKey }, signedAttributes);
    const cms = buildSignedData({
      digest,
      signedAttributes,
      signatureAlgorithm: algorithm,
      signature,
      certificate: member.certificate,
      certificates: [member.der, ...member.chain],
    });
    if (stamp === undefined) return cms;
    return addUnsignedAttribute(
      cms,
      buildAttribute(oids.signatureTimeStampToken, stamp(signature)),
    );
  };
}

/** The SET OF with more members, in DER order. */
export function withAttributes(set: Uint8Array, more: readonly Uint8Array[]): Uint8Array {
  return der.setOf(...membersOf(set), ...more);
}

/** Deviations of a token of {@link tokenBy}. */
export interface TokenOptions {
  /** Digest of the imprint. Default: SHA-256. */
  readonly imprint?: DigestAlgorithm;
  /** Digest used by the authority's signature. Default: SHA-256. */
  readonly digest?: DigestAlgorithm;
}

/** A token by the member that states the time, regardless of the purpose of its certificate. */
export function tokenBy(
  pki: TestPki,
  member: TestMember,
  genTimeMs: number,
  options: TokenOptions = {},
): (data: Uint8Array) => Uint8Array {
  const { imprint = 'sha256', digest = 'sha256' } = options;
  return (data) => {
    const statement: TstInfoInput = {
      policy: testPolicy,
      imprintDer: buildMessageImprint(imprint, createHash(imprint).update(data).digest()),
      serialNumber: Uint8Array.of(9),
      genTimeMs,
      accuracySeconds: 1,
    };
    return signToken({ ...issuerOf(pki, member), digest }, true, statement);
  };
}

/** The file with an update that adds validation data. */
export function withStore(file: Uint8Array, data: Partial<ValidationData>): Uint8Array {
  const all = { certificates: [], ocsp: [], crls: [], ...data };
  const update = addValidationData(openPdf(memorySource(file)), all);
  return update === undefined ? file : concatBytes([file, update]);
}

/** The file with a document time-stamp whose token is created by `make`. */
export async function withStamp(file: Uint8Array, make: MakeContents): Promise<Uint8Array> {
  const pdf = openPdf(memorySource(file));
  const choice = chooseField(pdf, listSignatureFields(pdf), undefined, 'Timestamp');
  const { container } = await stampPdf(pdf, choice, {
    authority: testAuthority(roomy),
    anchors: [roomy.member('root').certificate],
    pool: createCertificatePool([]),
    random: countingRandom(),
    now: () => roomy.nowMs,
  });
  return refill(concatBytes([file, container.tail]), make);
}

/** A CRL of the issuer that revokes members, each at its time. */
export function crlOf(
  issuer: TestMember,
  nowMs: number,
  revoked: readonly (readonly [member: TestMember, revokedAtMs: number])[] = [],
): Uint8Array {
  return buildCrl(
    {
      issuerDer: issuer.certificate.subjectDer,
      thisUpdateMs: nowMs - dayMs,
      nextUpdateMs: nowMs + 7 * dayMs,
      crlNumber: 1,
      authorityKeyId: issuer.certificate.extensions.subjectKeyId ?? new Uint8Array(20),
      algorithm: issuer.algorithm,
      revoked: revoked.map(([{ certificate }, revokedAtMs]) => ({
        serialNumber: certificate.serialNumber,
        revokedAtMs,
        reasonCode: 1,
      })),
    },
    (tbsDer) => signWith(issuer, tbsDer),
  );
}
