import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { plainProviderCode } from '../../domain/auth/index.ts';
import type { Identity } from '../../domain/person/index.ts';
import type {
  EidCertificates,
  EidDriver,
  EidEnvironment,
  EidEvidence,
  EidIdentity,
  EidPoll,
  EidRequest,
  EidSignature,
  EidState,
  IdentityAnswer,
  IdentityProvider,
  IdentityRequest,
  IdentitySession,
  Vault,
} from '../ports/index.ts';
import { type EidChannel, EidError } from '../ports/index.ts';

/** Options of {@link drivenIdentity}. */
export interface DrivenIdentityOptions {
  /** Name of the provider in evidence and sessions. Default: that of the driver. */
  readonly name?: string;
  readonly environment: EidEnvironment;
  /** Encrypts the session state. The result is the session reference, the only stored copy. */
  readonly vault: Pick<Vault, 'encrypt' | 'decrypt'>;
  /** Channel to the person. Default: that of the request, `Sim` or `App`. */
  readonly channel?: EidChannel;
  /**
   * Error code if the provider refuses to start a session. With `authentication.error.idp.start`, a
   * provider that has a different person registered under the number causes
   * `authentication.error.signee.logon.mismatch`.
   */
  readonly startError: 'authentication.error.idp.start' | 'eid.provider.error';
  readonly minAssurance?: EidRequest['minAssurance'];
  /** Language of the person if it is unknown. Default: `is`. */
  readonly language?: string;
  readonly isSimulated?: boolean;
  /** True for a number assigned to no one. */
  isTestNumber?(loginHint: string): boolean;
}

/** Content of a reference: a pending session, or its result. */
type Held =
  | { readonly state: EidState }
  | {
      readonly identity: EidIdentity;
      readonly evidence: EidEvidence;
      readonly signature?: Portable<EidSignature>;
      readonly certificates?: Portable<EidCertificates>;
    };

/** A value as JSON, with bytes as base64 text under `$bytes`. */
type Portable<T> = { readonly portable: unknown; readonly of?: T };

/** Upper limit for one poll of a provider over the network, in milliseconds. */
const POLL_MS = 15_000;

/**
 * Creates an identity provider that follows the protocol of a driver. The reference of a session
 * contains its state, encrypted and authenticated, so that any process with the same vault can
 * continue it.
 */
export function drivenIdentity(
  driver: EidDriver,
  options: DrivenIdentityOptions,
): IdentityProvider {
  const { environment, vault, startError, isSimulated = false } = options;
  const { name = driver.name } = options;
  const context = `eid session ${name}`;
  const seal = (held: Held) => vault.encrypt(JSON.stringify(held), context);
  const open = (ref: string) => openReference(vault, ref, context);
  const requestOf = (request: IdentityRequest) => eidRequest(request, options);

  const start = async (request: IdentityRequest): Promise<IdentitySession> => {
    const begin = () => driver.start(requestOf(request), environment);
    const started = await refusable(startError, name, begin);
    return sessionOf(seal({ state: started.state }), started);
  };
  const poll = async (ref: string): Promise<IdentityAnswer> => {
    const held = open(ref);
    if ('identity' in held) return { state: 'done', identity: plainIdentity(held.identity) };
    return answerOf(await pollQuietly(driver, held.state, environment), seal);
  };
  const refresh = async (ref: string): Promise<string> => {
    const held = open(ref);
    if ('identity' in held) return '';
    const { qrData, sameDeviceLink } = driver.refresh?.(held.state, environment.now()) ?? {};
    return qrData ?? sameDeviceLink ?? '';
  };
  const cancel = async (ref: string): Promise<void> => {
    const held = open(ref);
    if ('identity' in held) return;
    await driver.cancel(held.state, environment).catch(() => undefined);
  };
  const callback = async (ref: string, url: URL): Promise<string> => {
    const held = open(ref);
    if ('identity' in held) return ref;
    const come = async () => driver.callback?.(held.state, url, environment);
    const next = await refusable('authentication.token.invalid', name, come);
    return next === undefined ? ref : seal({ state: next });
  };
  const findCertificates = async (request: IdentityRequest): Promise<EidCertificates> => {
    const find = async () => driver.findCertificates?.(requestOf(request), environment);
    return (await refusable(startError, name, find)) ?? { certificates: [] };
  };
  return {
    ...{ name, isSimulated, pollMs: isSimulated ? 0 : POLL_MS },
    phoneChannels: driver.tellsPhone ? ['Sim'] : [],
    ...defined({ signing: driver.signing, isTestNumber: options.isTestNumber }),
    ...{ start, poll, cancel },
    ...(driver.refresh && { refresh }),
    ...(driver.callback && { callback }),
    ...(driver.findCertificates && { findCertificates }),
    certificates: async (ref) => certificatesIn(open(ref)),
    check: () => driver.check(environment),
    signature: async (ref) => signatureIn(open(ref)),
    evidence: async (ref) => evidenceIn(open(ref)),
    subject: async (ref) => subjectIn(open(ref)),
    ...(driver.verifyEvidence && {
      verifyEvidence: (evidence, login) =>
        driver.verifyEvidence?.(evidence, login, environment.trust) ?? Promise.resolve([]),
    }),
  };
}

function signatureIn(held: Held): EidSignature {
  const kept = 'identity' in held ? held.signature : undefined;
  if (kept === undefined) throw noResult('the session has no signature');
  return unpacked(kept);
}

function certificatesIn(held: Held): EidCertificates {
  const kept = 'identity' in held ? held.certificates : undefined;
  if (kept === undefined) throw noResult('the session has no certificate');
  return unpacked(kept);
}

function evidenceIn(held: Held): EidEvidence {
  if (!('identity' in held)) throw noResult('the session has no result');
  return held.evidence;
}

function subjectIn(held: Held): string {
  if (!('identity' in held)) throw noResult('the session has no result');
  return held.identity.subject;
}

function eidRequest(
  { channel, language, ...request }: IdentityRequest,
  { channel: own, language: usual = 'is', minAssurance }: DrivenIdentityOptions,
): EidRequest {
  const facts = { channel: own ?? channel, language: language ?? usual };
  return { ...request, ...facts, ...defined({ minAssurance }) };
}

function sessionOf(
  ref: string,
  { challenge, pollingMs }: Awaited<ReturnType<EidDriver['start']>>,
): IdentitySession {
  const { verificationCode = '', autoStartToken, redirectUrl } = challenge;
  const qrData = challenge.qrData ?? challenge.sameDeviceLink;
  const pollingIntervalSeconds = Math.ceil(pollingMs / 1000);
  // Without a QR code, the link itself is shown as one.
  const sameDeviceLink = challenge.qrData && challenge.sameDeviceLink;
  const shown = defined({ autoStartToken, qrData, sameDeviceLink, redirectUrl });
  return { ref, verificationCode, pollingIntervalSeconds, ...shown };
}

/** An unavailable provider does not end the session; only its expiry does. */
async function pollQuietly(
  driver: EidDriver,
  state: EidState,
  environment: EidEnvironment,
): Promise<EidPoll> {
  try {
    return await driver.poll(state, environment);
  } catch (error) {
    if (!(error instanceof EidError)) throw error;
    const { code, providerCode } = error;
    if (code !== 'providerUnavailable')
      return { status: 'failed', code, ...defined({ providerCode }) };
    return { status: 'pending', hint: code };
  }
}

function answerOf(answer: EidPoll, seal: (held: Held) => string): IdentityAnswer {
  if (answer.status === 'failed') {
    const { code: hint, providerCode } = answer;
    const told = providerCode && plainProviderCode(providerCode);
    return { state: 'failed', hint, ...(told ? { providerCode: told } : {}) };
  }
  if (answer.status === 'pending') {
    const { hint, state, challenge } = answer;
    const ref = state === undefined ? undefined : seal({ state });
    const verificationCode = challenge?.verificationCode;
    return { state: 'waiting', hint, ...defined({ ref, verificationCode }) };
  }
  const { identity, evidence, signature, certificates, linked } = answer;
  const given = certificates && { certificates, ...defined({ linked }) };
  const ref = seal({
    identity,
    evidence,
    ...(signature === undefined ? {} : { signature: packed(signature) }),
    ...(given === undefined ? {} : { certificates: packed(given) }),
  });
  return { state: 'done', identity: plainIdentity(identity), ref };
}

/** The data that use cases receive about a person; the rest remains in the evidence. */
function plainIdentity({ ssn, name, phoneNumber }: EidIdentity): Identity {
  return { ssn, name, ...defined({ phoneNumber }) };
}

function packed<T>(value: T): Portable<T> {
  const portable = JSON.parse(
    JSON.stringify(value, (_, each: unknown) => {
      const isBytes = each instanceof Uint8Array;
      return isBytes ? { $bytes: Buffer.from(each).toString('base64') } : bufferJson(each);
    }),
  ) as unknown;
  return { portable };
}

/** Converts the JSON form of a Buffer: `toJSON` runs before the replacer. */
function bufferJson(each: unknown): unknown {
  const made = each as { type?: unknown; data?: unknown } | null;
  const isBuffer = made?.type === 'Buffer' && Array.isArray(made.data);
  return isBuffer ? { $bytes: Buffer.from(made.data as number[]).toString('base64') } : each;
}

function unpacked<T>({ portable }: Portable<T>): T {
  return JSON.parse(JSON.stringify(portable), (_, each: unknown) => {
    const text = (each as { $bytes?: unknown } | null)?.$bytes;
    return typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : each;
  }) as T;
}

async function refusable<T>(code: ErrorCode, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EidError)) throw error;
    const { code: reason, message, providerCode } = error;
    const isOther = reason === 'identityMismatch' && code === 'authentication.error.idp.start';
    const shown = isOther ? 'authentication.error.signee.logon.mismatch' : code;
    throw new InnsigliError(shown, `${name}: ${message}`, {
      cause: error,
      details: { reason, ...defined({ providerCode }) },
    });
  }
}

function openReference(vault: Pick<Vault, 'decrypt'>, ref: string, context: string): Held {
  try {
    return JSON.parse(vault.decrypt(ref, context)) as Held;
  } catch (cause) {
    const message = 'the session belongs to a different provider';
    throw new InnsigliError('authentication.token.invalid', message, { cause });
  }
}

function noResult(message: string): InnsigliError {
  return new InnsigliError('authentication.token.invalid', message);
}
