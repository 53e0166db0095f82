import { createHash } from 'node:crypto';
import { der, oids, readDer } from '../../../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData } from '../../../../src/formats/cms/index.ts';
import {
  parseSignatureAlgorithm,
  type SignatureAlgorithm,
} from '../../../../src/formats/x509/index.ts';
import { signWith, type TestMember } from '../../pki.ts';
import type { Grant } from './authorization-server.ts';
import { type DigestScheme, signDigest } from './digest-signer.ts';
import { answer, refuse, type ServerAnswer } from './messages.ts';
import { type CscServerState, cscFacts } from './provider-state.ts';

/** An asynchronous signature: its owner and its response. */
export interface Job {
  readonly token: string;
  make(): unknown;
}

/** Body of `signatures/signHash`, and members of `signDoc`. */
interface SignBody {
  readonly credentialID?: string;
  readonly SAD?: string;
  readonly operationMode?: string;
  readonly hashes?: readonly string[];
  readonly hashAlgorithmOID?: string;
  readonly signAlgo?: string;
  readonly signAlgoParams?: string;
  readonly documentDigests?: readonly SignBody[];
  readonly signature_format?: string;
  readonly conformance_level?: string;
  readonly requestID?: string;
  readonly responseID?: string;
}

type Hash = 'sha256' | 'sha384' | 'sha512';
const hashes: Readonly<Record<string, Hash>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const schemes: Readonly<Record<string, readonly [DigestScheme, Hash | undefined]>> = {
  '1.2.840.113549.1.1.1': ['rsa-pkcs1', undefined],
  '1.2.840.113549.1.1.11': ['rsa-pkcs1', 'sha256'],
  '1.2.840.113549.1.1.12': ['rsa-pkcs1', 'sha384'],
  '1.2.840.113549.1.1.13': ['rsa-pkcs1', 'sha512'],
  '1.2.840.113549.1.1.10': ['rsa-pss', undefined],
  '1.2.840.10045.2.1': ['ecdsa', undefined],
  '1.2.840.10045.4.3.2': ['ecdsa', 'sha256'],
};
const PENDING =
  'The previous asynchronous signature request has been accepted for processing, ' +
  'but the processing has not yet been completed.';

/** The methods below `signatures/`. */
export function signatureMethods(
  state: CscServerState,
  method: string,
  body: SignBody,
  token: string,
  grant: Grant,
): ServerAnswer {
  if (state.has('redirect')) {
    return { status: 302, headers: { location: 'https://evil.example/' }, body: Buffer.alloc(0) };
  }
  if (state.has('unknown-refusal')) return refuse(400, 'something_new');
  if (method === 'signatures/signPolling') return pollJob(state, body, token);
  const isDocument = method === 'signatures/signDoc';
  if (!isDocument && method !== 'signatures/signHash') return refuse(501, 'not_implemented');
  const [first, second] = isDocument ? (body.documentDigests ?? []) : [body];
  if (first === undefined || second !== undefined) return refuse(400, 'invalid_request');
  if (isDocument && (first.signature_format !== 'P' || !first.conformance_level)) {
    return refuse(400, 'invalid_request');
  }
  if (body.credentialID !== cscFacts.credentialId) return refuse(400, 'invalid_request');
  const algorithm = algorithmOf(state, first);
  if (algorithm === undefined) return refuse(400, 'invalid_request');
  const refused = spend(state, body.SAD, first, grant);
  if (refused !== undefined) return refused;
  const values = first.hashes ?? [];
  const make = () =>
    isDocument ? documents(state, values, algorithm) : raw(state, values, algorithm);
  if (body.operationMode === 'A') {
    if (state.options.isAsynchronous !== true) return refuse(400, 'invalid_request');
    const responseID = `job-${state.jobs.size + 1}`;
    state.jobs.set(responseID, { token, make });
    return answer(200, { responseID });
  }
  return answer(200, state.has('response-id') ? { responseID: 'job-0' } : make());
}

function pollJob(state: CscServerState, body: SignBody, token: string): ServerAnswer {
  const { pollingMember = 'requestID' } = state.options;
  const job = state.jobs.get(body[pollingMember] ?? '');
  if (job === undefined || job.token !== token) return refuse(400, 'invalid_request');
  if (!state.isApproved()) return refuse(400, 'invalid_request', PENDING);
  state.jobs.delete(body[pollingMember] ?? '');
  return answer(200, state.has('response-id') ? { responseID: 'job-0' } : job.make());
}

/** Uses up the authorization: for exactly these hashes, once, before it expires. */
function spend(
  state: CscServerState,
  sad: string | undefined,
  { hashes: asked = [], hashAlgorithmOID }: SignBody,
  grant: Grant,
): ServerAnswer | undefined {
  const isExplicit = grant.scope === 'service';
  const found = isExplicit ? state.activations.get(sad ?? '') : grant;
  if (found === undefined || found.isUsed === true) return refuse(400, 'invalid_request');
  if (state.options.now() >= found.expiresAtMs) return refuse(400, 'expired_token');
  const isBound =
    asked.length > 0 &&
    asked.length === found.hashes?.length &&
    asked.every((hash) => found.hashes?.includes(hash)) &&
    found.hashAlgorithmOID === hashAlgorithmOID;
  if (!isBound) return refuse(403, 'access_denied', 'the hash is not authorised');
  found.isUsed = true;
  return undefined;
}

function algorithmOf(
  { options }: CscServerState,
  { signAlgo = '', signAlgoParams, hashAlgorithmOID = '' }: SignBody,
): { readonly scheme: DigestScheme; readonly hash: Hash } | undefined {
  const [scheme, own] = schemes[signAlgo] ?? [];
  const hash = hashes[hashAlgorithmOID];
  if (scheme === undefined || hash === undefined || !options.algo.includes(signAlgo)) {
    return undefined;
  }
  if (own !== undefined && own !== hash) return undefined;
  if (scheme === 'rsa-pss') {
    if (signAlgoParams === undefined) return undefined;
    const parameters = Buffer.from(signAlgoParams, 'base64');
    const stated = parseSignatureAlgorithm(
      readDer(der.sequence(der.oid(oids.rsassaPss), parameters)),
    );
    const isSalted = stated.saltLengthBytes === createHash(hash).digest().length;
    if (stated.digest !== hash || !isSalted) return undefined;
  }
  return { scheme, hash };
}

type Chosen = NonNullable<ReturnType<typeof algorithmOf>>;

function raw(state: CscServerState, asked: readonly string[], chosen: Chosen): unknown {
  const { member, stranger } = state.options;
  const signer = state.has('other-key') ? stranger : member;
  const values = asked.map((text) => {
    const digest = Buffer.from(text, 'base64');
    if (state.has('changed-hash')) digest[0] = (digest[0] as number) ^ 1;
    return signDigest(schemeOf(state, chosen), chosen.hash, digest, signer.privateKey);
  });
  const texts = values.map((value) => Buffer.from(value).toString('base64'));
  if (state.has('missing-member')) return { signature: texts };
  if (state.has('missing-signature')) return { signatures: [] };
  if (state.has('extra-signature')) return { signatures: [...texts, ...texts] };
  if (state.has('reordered')) return { signatures: ['AAAA', ...texts] };
  if (state.has('no-base64')) return { signatures: ['<signature>'] };
  return { signatures: texts };
}

function schemeOf(state: CscServerState, { scheme }: Chosen): DigestScheme {
  if (!state.has('wrong-algorithm') || scheme === 'ecdsa') return scheme;
  return scheme === 'rsa-pss' ? 'rsa-pkcs1' : 'rsa-pss';
}

function documents(state: CscServerState, asked: readonly string[], chosen: Chosen): unknown {
  const { member, stranger } = state.options;
  const values = asked.map((text) => {
    const digest = Buffer.from(text, 'base64');
    if (state.has('changed-hash')) digest[0] = (digest[0] as number) ^ 1;
    const value = cmsOf(state, state.has('other-person') ? stranger : member, digest, chosen);
    return Buffer.from(value).toString('base64');
  });
  if (state.has('missing-member')) return { DocumentWithSignature: values };
  if (state.has('missing-signature')) return { SignatureObject: [] };
  if (state.has('extra-signature')) return { SignatureObject: [...values, ...values] };
  if (state.has('reordered')) return { SignatureObject: ['AAAA', ...values] };
  if (state.has('no-base64')) return { SignatureObject: ['<signature>'] };
  return { SignatureObject: values };
}

function cmsOf(
  state: CscServerState,
  member: TestMember,
  messageDigest: Uint8Array,
  { scheme, hash }: Chosen,
): Uint8Array {
  const { stranger } = state.options;
  const { certificate } = member;
  const digest = state.has('wrong-algorithm') ? 'sha512' : hash;
  const pss = scheme === 'rsa-pss' ? { saltLengthBytes: messageDigest.length } : {};
  const algorithm: SignatureAlgorithm = { scheme, digest, ...pss };
  const named = state.has('cms-other-certificate') ? stranger.certificate : certificate;
  const signedAttributes = buildSignedAttributes({
    contentType: oids.data,
    messageDigest,
    certificate: named,
    certificateDigest: 'sha256',
  });
  const { privateKey } = state.has('other-key') ? stranger : member;
  return buildSignedData({
    digest,
    signedAttributes,
    signatureAlgorithm: algorithm,
    signature: signWith({ algorithm, privateKey }, signedAttributes),
    certificate,
    certificates: [member.der, ...member.chain],
    ...(state.has('cms-attached')
      ? { encapsulated: { type: oids.data, content: Buffer.from('content') } }
      : {}),
  });
}
