import { createHash } from 'node:crypto';
import { parseOcspRequest } from '../../../src/formats/x509/index.ts';
import type { Account, SmartIdWorld } from './smart-id/account.ts';
import {
  completed,
  openLink,
  returnAddress,
  type ServiceSession,
  type StartBody,
  service,
} from './smart-id/phone.ts';

/** A request to the service. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** An answer of the service. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | Uint8Array;
}

/** The service with its app, in memory. */
export interface SmartIdService {
  readonly sessions: ServiceSession[];
  readonly log: ServiceRequest[];
  readonly faults: Set<string>;
  nowMs: number;
  handle(request: ServiceRequest): ServiceAnswer;
  /** The app opens a link, and the person approves. @throws when the app rejects the link */
  approve(link: string, account?: Account): void;
  /** URL to which the app redirects the browser, after {@link approve} on the same device. */
  returnAddress(): URL;
  /** The newest session ends with this result. */
  end(endResult: string): void;
  /** The next start, or each request about a session, is answered with this status. */
  refuse(status: number): void;
}

const IDEMPOTENCE_MS = 15_000;
const KEPT_MS = 300_000;
const members = [
  'relyingPartyUUID',
  'relyingPartyName',
  'certificateLevel',
  'signatureProtocol',
  'signatureProtocolParameters',
  'interactions',
  'initialCallbackUrl',
];

/** A service as the public documentation of version 3 describes it. */
export function smartIdService(world: SmartIdWorld): SmartIdService {
  const state: SmartIdService = {
    sessions: [],
    log: [],
    faults: new Set(),
    nowMs: world.pki.nowMs,
    handle(request) {
      state.log.push(request);
      return answer(request, state, world, refused);
    },
    approve(link, account) {
      const session = newest();
      const fault = openLink(link, session, state.nowMs);
      if (fault !== undefined) throw new Error(`the app refuses the link: ${fault}`);
      session.endResult = 'OK';
      if (account !== undefined) session.account = account;
    },
    returnAddress: () => returnAddress(newest()),
    end(endResult) {
      newest().endResult = endResult;
    },
    refuse(status) {
      refused.status = status;
    },
  };
  const refused: Refused = {};
  const newest = (): ServiceSession => {
    const session = state.sessions.at(-1);
    if (session === undefined) throw new Error('no session was started');
    return session;
  };
  return state;
}

interface Refused {
  status?: number;
}

function answer(
  request: ServiceRequest,
  state: SmartIdService,
  world: SmartIdWorld,
  refused: Refused,
): ServiceAnswer {
  const { method, url } = request;
  if (url.pathname === '/ocsp') return ocsp(request, state, world);
  if (refused.status !== undefined) return { status: refused.status, body: {} };
  if (method === 'POST' && url.pathname === '/v3/authentication/device-link/anonymous') {
    return start(request, state);
  }
  const [, id] = /^\/v3\/session\/([\w-]+)$/.exec(url.pathname) ?? [];
  if (method !== 'GET' || id === undefined) return { status: 404, body: {} };
  const timeoutMs = Number(url.searchParams.get('timeoutMs') ?? 60_500);
  if (!(timeoutMs >= 1_000 && timeoutMs <= 120_000)) return { status: 400, body: {} };
  const session = state.sessions.find((each) => each.id === id);
  const isKept = session !== undefined && state.nowMs - session.startedAtMs <= KEPT_MS;
  if (!isKept) return { status: 404, body: { type: 'about:blank', title: 'Not Found' } };
  if (session.endResult === undefined) return { status: 200, body: { state: 'RUNNING' } };
  if (session.endResult !== 'OK') {
    const { endResult } = session;
    return { status: 200, body: { state: 'COMPLETE', result: { endResult } } };
  }
  if (state.faults.has('http: redirection')) {
    return { status: 302, headers: { location: 'https://attacker.example/' } };
  }
  const more = state.faults.has('http: huge') ? { more: 'x'.repeat(600_000) } : {};
  const body = completed(session, world, state.faults, session.account);
  return { status: 200, body: { ...body, ...more } };
}

function start(request: ServiceRequest, state: SmartIdService): ServiceAnswer {
  if (request.headers['content-type'] !== 'application/json') return { status: 415 };
  const text = Buffer.from(request.body).toString('utf8');
  const body = JSON.parse(text) as StartBody;
  if (body.relyingPartyUUID !== service.relyingPartyUuid) return { status: 401, body: {} };
  if (body.relyingPartyName !== service.relyingPartyName) return { status: 401, body: {} };
  if (!isSchema(body)) return { status: 400, body: { title: 'Bad Request' } };
  const same = state.sessions.find(
    (each) => each.body === text && state.nowMs - each.startedAtMs < IDEMPOTENCE_MS,
  );
  const count = state.sessions.length;
  const random = (what: string) => createHash('sha256').update(`${what} ${count}`).digest();
  const session: ServiceSession = same ?? {
    id: `0000000${count}-0000-4000-8000-00000000000${count}`.slice(-36),
    token: random('token').toString('base64url').slice(0, 24),
    secret: random('secret'),
    startedAtMs: state.nowMs,
    request: body,
    body: text,
  };
  if (same === undefined) state.sessions.push(session);
  return {
    status: 200,
    body: {
      sessionID: session.id,
      sessionToken: session.token,
      sessionSecret: session.secret.toString('base64'),
      deviceLinkBase: service.deviceLinkBase,
    },
  };
}

function isSchema(body: StartBody): boolean {
  const { rpChallenge, signatureAlgorithm, signatureAlgorithmParameters } =
    body.signatureProtocolParameters;
  const challenge = Buffer.from(rpChallenge, 'base64');
  const isChallenge =
    challenge.toString('base64') === rpChallenge &&
    challenge.length >= 32 &&
    challenge.length <= 64;
  const { initialCallbackUrl: back } = body;
  const isBack = back === undefined || (/^https:\/\/[^|#]+$/.test(back) && back.length <= 1_800);
  return (
    Object.keys(body).every((member) => members.includes(member)) &&
    ['ADVANCED', 'QUALIFIED'].includes(body.certificateLevel) &&
    body.signatureProtocol === 'ACSP_V2' &&
    signatureAlgorithm === 'rsassa-pss' &&
    /^SHA3?-(256|384|512)$/.test(signatureAlgorithmParameters.hashAlgorithm) &&
    isChallenge &&
    isBack &&
    areInteractions(body.interactions)
  );
}

function areInteractions(base64: string): boolean {
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const list = JSON.parse(text) as readonly Readonly<Record<string, string>>[];
  if (JSON.stringify(list) !== text || list.length === 0) return false;
  return list.every(({ type, displayText60, displayText200 }) => {
    if (type === 'displayTextAndPIN') return [...(displayText60 ?? '')].length <= 60;
    return type === 'confirmationMessage' && [...(displayText200 ?? '')].length <= 200;
  });
}

function ocsp(request: ServiceRequest, state: SmartIdService, world: SmartIdWorld): ServiceAnswer {
  if (state.faults.has('ocsp: down')) return { status: 503 };
  const { nonce } = parseOcspRequest(request.body);
  const status = state.faults.has('ocsp: revoked') ? 'revoked' : 'good';
  const shown = state.faults.has('ocsp: other nonce') ? new Uint8Array(34).fill(4) : nonce;
  const old = state.faults.has('ocsp: old') ? { thisUpdateMs: state.nowMs - 3 * 86_400_000 } : {};
  const body = world.pki.ocsp(world.usual.member.certificate, {
    status,
    ...old,
    ...(shown === undefined || state.faults.has('ocsp: no nonce') ? {} : { nonce: shown }),
  });
  return { status: 200, headers: { 'content-type': 'application/ocsp-response' }, body };
}
