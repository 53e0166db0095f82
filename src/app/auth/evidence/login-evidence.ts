import { isSameSecret } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import {
  integer,
  isRecord,
  list,
  number,
  object,
  oneOf,
  optional,
  type Read,
  refuse,
  singleLine,
  string,
} from '../../../base/input.ts';
import { EidError, eidMethods, type LoginScheme } from '../../../domain/auth/index.ts';
import { operation, useCase } from '../../operation.ts';
import type { EidEvidence, EidFinding, EidShownLogin } from '../../ports/index.ts';
import { providerNamed } from '../../signing/index.ts';
import { requireLogin } from '../company-login.ts';
import { providerOf } from '../login-session.ts';
import type { AuthPorts } from '../ports.ts';

/**
 * Evidence that a person has logged in. The session is deleted after a day; the evidence can be
 * retained as long as needed, and verified without the provider.
 */
export interface LoginEvidence {
  readonly version: 1;
  /** Name of the provider. */
  readonly provider: string;
  readonly scheme: LoginScheme;
  readonly flowKey: string;
  /** Identifies the login: SHA-256 of its token, hexadecimal. */
  readonly login: string;
  readonly person: Pick<EidShownLogin, 'ssn' | 'name' | 'subject'>;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly evidence: EidEvidence;
  /** MAC over the other members, with the key of the data directory. */
  readonly mac: string;
}

const schemes = [...eidMethods.filter((each) => each !== 'sim' && each !== 'app'), 'sim-app'];
const formats = ['xmldsig', 'raw-signature', 'cms', 'jwt'] as const;

/** The range of `Date`. */
const epochMs = integer(0, 8.64e15);

const members = {
  version: number,
  provider: singleLine(100),
  scheme: oneOf(schemes),
  flowKey: singleLine(100),
  login: singleLine(64),
  person: object({ ssn: singleLine(40), name: singleLine(200), subject: singleLine(400) }),
  startedAtMs: epochMs,
  endedAtMs: epochMs,
  evidence: object({
    scheme: singleLine(100),
    format: oneOf(formats),
    data: string,
    ocsp: optional(string),
    certificates: optional(list(string)),
    message: optional(string),
    keys: optional(string),
    asked: optional(object({ nonce: optional(string), text: optional(string) })),
  }),
};

const readContent = object(members);
const kept: Read<object> = object({ ...members, mac: singleLine(64) });
const readKept: Read<LoginEvidence> = (value, path) => {
  const read = kept(value, path) as LoginEvidence;
  refuseUnknownMembers(value, read, path);
  return read;
};

/** Input of the verification. */
const evidenceInput = object({ evidence: readKept });

/** Creates and verifies evidence of logins. */
export const evidenceOperations = {
  /**
   * Returns evidence that the person of a login has responded, verifiable without the provider. It
   * is deleted with the login after a day: store it if it is needed longer.
   *
   * @throws authentication.token.invalid for a login that is unknown, pending or failed
   * @example
   * const kept = await acme.auth.evidence(login.token);
   */
  evidence: useCase(
    ['authentication.token.invalid'],
    async (ports: AuthPorts, companyKey, token: string): Promise<LoginEvidence> => {
      const login = await requireLogin(ports, companyKey, token);
      const { state, identity, providerRef, endedAtMs } = login;
      if (state === 'waiting') throw noEvidence('the login is still pending');
      if (state !== 'done' || identity === undefined || endedAtMs === undefined) {
        throw noEvidence('the login failed: no one logged in');
      }
      const provider = providerOf(ports, login);
      const { ssn, name } = identity;
      const content = {
        ...{ version: 1, provider: provider.name, scheme: login.scheme, flowKey: login.flowKey },
        login: login.key,
        person: { ssn, name, subject: (await provider.subject?.(providerRef)) ?? ssn },
        ...{ startedAtMs: login.createdAtMs, endedAtMs },
        evidence: await provider.evidence(providerRef),
      };
      return { ...content, mac: macOf(ports, content) } as LoginEvidence;
    },
  ),
  /**
   * Verifies stored evidence of a login: its integrity, the signature, its certificate or key, the
   * person and the session. The provider is not contacted, but its trust anchors must be
   * configured.
   *
   * @example
   * const findings = await acme.auth.verifyEvidence({ evidence: kept });
   * const holds = findings.every(({ isOk }) => isOk);
   */
  verifyEvidence: operation(evidenceInput, {
    errors: [],
    run: async (
      ports: AuthPorts,
      _companyKey,
      { evidence: given }: { readonly evidence: LoginEvidence },
    ): Promise<readonly EidFinding[]> => {
      const { mac, ...content } = given;
      const isOurs = isSameSecret(mac, macOf(ports, content));
      const record = {
        name: 'record',
        isOk: isOurs && content.version === 1,
        message: isOurs
          ? 'this data directory wrote the file, and it is unchanged'
          : 'the file was written by a different data directory, or was changed',
      };
      return [record, ...(await shownBy(ports, content))];
    },
  }),
};

async function shownBy(
  ports: AuthPorts,
  { provider: name, person, startedAtMs, endedAtMs, evidence }: Omit<LoginEvidence, 'mac'>,
): Promise<readonly EidFinding[]> {
  const provider = providerNamed(ports, name);
  if (provider?.verifyEvidence === undefined) {
    const message = 'no provider with this name that can verify evidence is configured here';
    return [{ name: 'provider', isOk: false, message }];
  }
  try {
    return await provider.verifyEvidence(evidence, { ...person, startedAtMs, endedAtMs });
  } catch (error) {
    if (!(error instanceof EidError)) throw error;
    return [{ name: 'evidence', isOk: false, message: error.message }];
  }
}

function noEvidence(message: string): InnsigliError {
  return new InnsigliError('authentication.token.invalid', message, {
    hint: 'only a completed login has evidence; innsigli auth poll shows the state of a login',
  });
}

/** MAC over the members in a fixed order, whatever their order in the file. */
function macOf({ vault }: Pick<AuthPorts, 'vault'>, content: object): string {
  return vault.mac(JSON.stringify(readContent(content, '')), 'evidence of a login');
}

/** Rejects unknown members: the MAC does not cover them. */
function refuseUnknownMembers(value: unknown, read: unknown, path: string): void {
  if (!isRecord(value) || !isRecord(read)) return;
  for (const [name, each] of Object.entries(value)) {
    const isRead = Object.hasOwn(read, name);
    if (!isRead && each !== undefined && each !== null && each !== '') {
      refuse(`${path}.${name}`, 'no such member', each);
    }
    if (isRead) refuseUnknownMembers(each, read[name], `${path}.${name}`);
  }
}
