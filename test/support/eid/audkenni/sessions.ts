import { createHash } from 'node:crypto';
import type { Person, World } from './persons.ts';

/** A request to the provider. */
export interface ProviderRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An answer of the provider. */
export interface ProviderAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: object | string;
}

/** Purpose of a session. */
export type ProviderUse = 'sim-auth' | 'sim-sign' | 'app-auth' | 'app-sign' | 'app-choice';

/** A session of a person, over either interface. */
export interface ProviderSession {
  readonly use: ProviderUse;
  readonly person: Person;
  /** The object to sign: a hash, and the text shown on the phone. */
  readonly hash: Uint8Array;
  readonly text: string;
  readonly startedAtMs: number;
  status: 'waiting' | 'approved' | 'refused';
  /** Code of the provider for {@link status} `refused`. */
  code?: string;
  nonce?: string;
  accessToken?: string;
}

/** State shared by the parts of the provider. */
export interface ProviderState {
  readonly world: World;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly simSigns: 'hash' | 'text';
  nowMs: number;
  /** Codes with which the next start is rejected. */
  readonly refusals: string[];
  readonly faults: Set<string>;
  readonly sessions: ProviderSession[];
  /** Every secret that was issued. */
  readonly issued: string[];
  readonly log: ProviderRequest[];
  nextId: number;
}

/** A new identifier, deterministic per run. */
export function newId(state: ProviderState, what: string): string {
  const id = createHash('sha256')
    .update(`${what} ${state.nextId++}`)
    .digest('base64url');
  state.issued.push(id);
  return id;
}

/** The person with a phone number or national number. */
export function findPerson({ world }: ProviderState, hint: string): Person | undefined {
  return [world.person, world.other].find(({ ssn, phone }) => [ssn, phone].includes(hint));
}

/** A rejection of the callback interface. */
export function chainRefusal(code: string): ProviderAnswer {
  const body = { code: 401, reason: 'Unauthorized', message: code, detail: { failureUrl: code } };
  return { status: 401, body };
}

/** A rejection of OAuth. */
export function oauthRefusal(error: string, description?: string, status = 400): ProviderAnswer {
  const more = description === undefined ? {} : { error_description: description };
  return { status, body: { ...more, error } };
}

/** The bytes of base64; undefined for other text. */
export function base64Bytes(text: string): Uint8Array | undefined {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0;
  return isBase64 ? Buffer.from(text, 'base64') : undefined;
}

/** The form of a body. */
export function formOf(request: ProviderRequest): URLSearchParams | undefined {
  const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? new URLSearchParams(request.body) : undefined;
}

/** The cookies of a request by name. */
export function cookiesOf(request: ProviderRequest): Readonly<Record<string, string>> {
  const pairs = (request.headers['cookie'] ?? '').split('; ').filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}
