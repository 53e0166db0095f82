import { fitsDigest } from './authorization-server.ts';
import { answer, refuse, type ServerAnswer } from './messages.ts';
import { type CscServerState, cscFacts } from './provider-state.ts';

/** Signature activation data: for these hashes, once. */
export interface Activation {
  readonly hashes: readonly string[];
  readonly hashAlgorithmOID: string;
  readonly expiresAtMs: number;
  isUsed: boolean;
}

const ACTIVATION_SECONDS = 120;
const MOST_WRONG_PINS = 3;

/** `credentials/list` and `credentials/info`. */
export function describeCredential(
  state: CscServerState,
  method: string,
  body: { credentialID?: string; certificates?: string; maxResults?: number; onlyValid?: boolean },
): ServerAnswer {
  const { credentialId } = cscFacts;
  if (method === 'credentials/list') {
    const all = [credentialId, ...(state.has('several-credentials') ? ['GX0112349'] : [])];
    return answer(200, { credentialIDs: all.slice(0, body.maxResults ?? 100) });
  }
  if (method !== 'credentials/info') return refuse(501, 'not_implemented');
  if (body.credentialID !== credentialId) return refuse(400, 'invalid_request');
  const { options } = state;
  const { member, stranger, foreign, mode, objects = {}, expression, algo } = options;
  const other = state.has('other-person') ? stranger : member;
  const shown = state.has('foreign-issuer') ? foreign : other;
  const chain = body.certificates === 'chain' ? [shown.der, ...shown.chain] : [shown.der];
  const keyAlgo = state.has('algorithms-do-not-fit') ? ['1.2.840.10045.4.3.2'] : algo;
  const status = state.has('revoked-status') ? 'revoked' : undefined;
  const types = Object.keys(objects).map((id) => ({
    type: 'Password',
    id,
    format: 'N',
    label: id,
  }));
  return answer(200, {
    description: 'A credential',
    signatureQualifier: 'eu_eidas_qes',
    key: { status: state.has('disabled-key') ? 'disabled' : 'enabled', algo: keyAlgo, len: 2048 },
    cert: {
      status: status ?? (state.has('expired-status') ? 'expired' : 'valid'),
      certificates: chain.map((der) => Buffer.from(der).toString('base64')),
    },
    auth: {
      mode,
      ...(expression === undefined ? {} : { expression }),
      ...(types.length === 0 ? {} : { objects: types }),
    },
    SCAL: state.has('weak-control') ? '1' : (options.scal ?? '2'),
    multisign: options.multisign ?? 1,
  });
}

/** `credentials/authorize`: a PIN that locks, one-time passwords, hashes of this transaction. */
export function authorizeCredential(
  state: CscServerState,
  body: {
    credentialID?: string;
    numSignatures?: number;
    hashes?: readonly string[];
    hashAlgorithmOID?: string;
    authData?: readonly { readonly id: string; readonly value: string }[];
  },
): ServerAnswer {
  const { mode, objects = {}, expression, multisign = 1, now } = state.options;
  const { credentialID, numSignatures = 0, hashes = [], hashAlgorithmOID = '', authData } = body;
  if (mode !== 'explicit') return refuse(400, 'invalid_request');
  if (credentialID !== cscFacts.credentialId) return refuse(400, 'invalid_request');
  if (numSignatures < 1 || numSignatures > multisign) return refuse(400, 'invalid_request');
  const isBound = hashes.length === numSignatures;
  if (!isBound || !hashes.every((hash) => fitsDigest(hash, hashAlgorithmOID))) {
    return refuse(400, 'invalid_request');
  }
  if (state.wrongPins.count >= MOST_WRONG_PINS) return refuse(400, 'invalid_pin');
  const given = new Map(authData?.map(({ id, value }) => [id, value]));
  const isOr = expression !== undefined && /\bX?OR\b/.test(expression);
  const needed = Object.keys(objects);
  const missing = needed.filter((id) => !given.has(id));
  if (isOr ? missing.length === needed.length : missing.length > 0) {
    return refuse(400, 'invalid_request');
  }
  for (const [id, value] of given) {
    if (objects[id] !== value) {
      if (id === 'PIN') state.wrongPins.count++;
      return refuse(400, id === 'OTP' ? 'invalid_otp' : 'invalid_pin');
    }
    if (id === 'OTP' && state.spent.has(value)) return refuse(400, 'invalid_otp');
    if (id === 'OTP') state.spent.add(value);
  }
  const sad = `_TiHRG-${Buffer.from(hashes.join()).toString('base64url')}-${state.activations.size}`;
  const expiresAtMs = now() + ACTIVATION_SECONDS * 1_000;
  state.activations.set(sad, { hashes, hashAlgorithmOID, expiresAtMs, isUsed: false });
  return answer(200, { SAD: sad, expiresIn: ACTIVATION_SECONDS });
}
