import { createHash } from 'node:crypto';
import {
  EidError,
  type EidRequest,
  type EidSignOrder,
  type EidStarted,
} from '../../../app/ports/index.ts';
import { equalBytes } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { digestLengths } from '../../../formats/x509/index.ts';
import { base64Of, responseFault } from '../provider-answer.ts';
import { clientToken, requestAuthorization } from './authorization.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import { type Credential, findCredential } from './credential.ts';
import { requireMethod } from './info.ts';
import { requireText, secondsOf } from './members.ts';
import type { CscSettings } from './options.ts';
import { personOf } from './person.ts';
import { callMethod } from './requests.ts';
import { type CscState, type OrderState, stateOf } from './session-state.ts';

/** What the certificate phase passes on to the signature. */
export interface LinkedState {
  readonly credentialId: string;
  /** Token with scope `service` of the person who granted access to their credentials. */
  readonly token: string;
}

/** Sends a person to the provider to grant access to their credentials. @throws EidError */
export async function startCertificates(
  client: CscClient,
  info: CscInfo,
  request: EidRequest,
): Promise<EidStarted> {
  const begun = begunState(client, info, request);
  const { url, authorization } = await requestAuthorization(client, info, request);
  return started(client.settings, { ...begun, phase: 'authorize', authorization }, url);
}

/**
 * Has the signature authorised, either with configured values or by the person at the provider.
 *
 * @throws EidError
 */
export async function startSignature(
  client: CscClient,
  info: CscInfo,
  request: EidRequest,
): Promise<EidStarted> {
  const { settings } = client;
  const given = requireOrder(settings, request.order);
  const linked = linkedOf(settings, given);
  const token = linked.token ?? (await clientToken(client, info.authorizationServer)).token;
  const wanted = linked.credentialId ?? settings.credentialId;
  const credential = await findCredential(client, info, token, wanted);
  personOf(credential.certificate, credential.id, request.loginHint, settings);
  const order = orderState(settings, given, credential);
  const begun = begunState(client, info, request);
  if (credential.mode === 'explicit') {
    requireMethod(info, 'credentials/authorize');
    const { sad, untilMs } = await authorizeExplicitly(client, credential, order, token);
    const ready = { ...begun, order, phase: 'ready', token, tokenUntilMs: untilMs, sad } as const;
    return started(settings, ready);
  }
  const { url, authorization } = await requestAuthorization(client, info, request, order);
  return started(settings, { ...begun, order, phase: 'authorize', authorization }, url);
}

function begunState(
  { settings, environment }: CscClient,
  info: CscInfo,
  { purpose, loginHint }: EidRequest,
): Omit<CscState, 'phase'> {
  return {
    scheme: 'csc',
    purpose: purpose === 'certificate' ? 'certificate' : 'sign',
    expiresAtMs: environment.now() + settings.sessionMs,
    loginHint,
    server: info.authorizationServer,
    canRevoke: info.methods.has('oauth2/revoke'),
  };
}

function started({ pollingMs }: CscSettings, state: CscState, redirectUrl?: string): EidStarted {
  const challenge = defined({ redirectUrl });
  return { state: stateOf(state), challenge, pollingMs, expiresAtMs: state.expiresAtMs };
}

/** Requires an order that matches the configured delivery. */
function requireOrder(
  { digest, delivery }: CscSettings,
  order: EidSignOrder | undefined,
): EidSignOrder {
  if (order?.digest.length !== digestLengths[digest]) {
    throw new EidError('internalError', `the order has no ${digest} digest`);
  }
  if (delivery === 'cms') return order;
  const { signedBytes } = order;
  if (signedBytes === undefined) {
    const message = 'the order has no signed bytes: expected with delivery raw';
    throw new EidError('internalError', message);
  }
  if (!equalBytes(createHash(digest).update(signedBytes).digest(), order.digest)) {
    throw new EidError('internalError', 'the digest of the order does not match its signed bytes');
  }
  return order;
}

function linkedOf({ access }: CscSettings, { linked }: EidSignOrder): Partial<LinkedState> {
  const { credentialId, token } = linked ?? {};
  if (access === 'client') return typeof credentialId === 'string' ? { credentialId } : {};
  if (typeof credentialId === 'string' && typeof token === 'string') return { credentialId, token };
  throw new EidError('internalError', 'the order has no state of the certificate phase');
}

/** The order in the state. With `raw`, its certificate must match that of the signed attributes. */
function orderState(
  { delivery }: CscSettings,
  given: EidSignOrder,
  { id, certificate, certificates, choice }: Credential,
): OrderState {
  const promised = given.certificates?.[0];
  if (delivery === 'raw' && (promised === undefined || !equalBytes(promised, certificate.der))) {
    throw responseFault('the certificate of the credential is not the one of the order');
  }
  return {
    credentialId: id,
    certificates: certificates.map(base64Of),
    choice,
    digest: base64Of(given.digest),
    label: given.label,
    ...defined({ signedBytes: given.signedBytes && base64Of(given.signedBytes) }),
  };
}

/** Signature activation data with its expiry time. */
interface Activation {
  readonly sad: string;
  readonly untilMs: number;
}

/** Lifetime of signature activation data without `expiresIn`. @spec CSC API §11.6 */
const USUAL_SECONDS = 3_600;

/**
 * Authorises one signature with configured values. A person cannot be prompted for a value, so a
 * credential that requires this is rejected.
 *
 * @throws EidError `internalError` if the configured values do not suffice
 * @throws EidError `accountUnusable` if the provider rejects a value
 */
async function authorizeExplicitly(
  client: CscClient,
  credential: Credential,
  order: OrderState,
  token: string,
): Promise<Activation> {
  const { settings, environment } = client;
  const values = settings.authorizationValues ?? {};
  const ids = requireObjects(credential, Object.keys(values));
  const body = {
    credentialID: credential.id,
    numSignatures: 1,
    hashes: [order.digest],
    hashAlgorithmOID: order.choice.hashAlgorithmOID,
    authData: ids.map((id) => ({ id, value: values[id] })),
    description: order.label,
  };
  const answer = await callMethod(client, 'credentials/authorize', body, token);
  const seconds = secondsOf(answer, 'expiresIn') ?? USUAL_SECONDS;
  return { sad: requireText(answer, 'SAD'), untilMs: environment.now() + seconds * 1_000 };
}

/**
 * The smallest set of objects with configured values that satisfies the expression of the
 * credential; all objects if there is no expression.
 *
 * @throws EidError `internalError` if there is no such set
 */
function requireObjects(
  { objectIds, expression }: Pick<Credential, 'objectIds' | 'expression'>,
  known: readonly string[],
): readonly string[] {
  const usable = objectIds.filter((id) => known.includes(id)).slice(0, 8);
  const rule = expression ?? objectIds.join(' AND ');
  const sets = Array.from({ length: 2 ** usable.length }, (_, bits) =>
    usable.filter((_, index) => (bits >> index) % 2 === 1),
  ).sort((a, b) => a.length - b.length);
  const found = sets.find((set) => set.length > 0 && holds(rule, new Set(set)));
  if (found !== undefined) return found;
  const message =
    'the credential needs a value that is not configured: see option authorizationValues';
  throw new EidError('internalError', message);
}

/** Whether the objects satisfy an expression of AND, OR, XOR and parentheses. */
function holds(expression: string, given: ReadonlySet<string>): boolean {
  const tokens = expression.slice(0, 1_024).match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = (depth: number): boolean | undefined => {
    const token = tokens[at++];
    if (token === undefined || token === ')' || depth > 16) return undefined;
    if (token !== '(') return given.has(token);
    const inner = chain(depth + 1);
    return tokens[at++] === ')' ? inner : undefined;
  };
  // Operators have equal precedence and associate to the left: the API does not specify otherwise.
  const chain = (depth: number): boolean | undefined => {
    let value = term(depth);
    while (value !== undefined && /^(AND|OR|XOR)$/i.test(tokens[at] ?? '')) {
      const operator = (tokens[at++] as string).toUpperCase();
      const next = term(depth);
      if (next === undefined) return undefined;
      if (operator === 'AND') value = value && next;
      else value = operator === 'OR' ? value || next : value !== next;
    }
    return value;
  };
  const value = chain(0);
  return at === tokens.length && value === true;
}
