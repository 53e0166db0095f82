import { constants, createHash, sign } from 'node:crypto';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import { buildName, keyUsageBits } from '../../../../src/formats/x509/index.ts';
import { makeTestPki, type TestMember, type TestPki } from '../../pki.ts';

const authentication = '1.3.6.1.4.1.62306.5.7.0';
const policies = {
  QUALIFIED: ['1.3.6.1.4.1.10015.17.2', '0.4.0.2042.1.2'],
  ADVANCED: ['1.3.6.1.4.1.10015.17.1', '0.4.0.2042.1.1'],
} as const;

/** An account of a person with its certificate for logins. */
export interface Account {
  readonly identifier: string;
  readonly documentNumber: string;
  readonly member: TestMember;
}

/** Certificates of accounts by their special property. */
export interface SmartIdWorld {
  readonly pki: TestPki;
  readonly usual: Account;
  readonly icelandic: Account;
  readonly passport: Account;
  readonly variants: Readonly<Record<string, Account>>;
}

interface Variant {
  readonly policies?: readonly string[];
  readonly extendedKeyUsage?: readonly string[];
  readonly keyUsage?: number;
  readonly notAfterMs?: number;
  readonly key?: 'RSA-2048' | 'P-256';
  readonly twice?: boolean;
}

function account(pki: TestPki, identifier: string, variant: Variant = {}): Account {
  const name = {
    countryName: 'EE',
    commonName: 'TESTNUMBER,OK',
    surname: 'TESTNUMBER',
    givenName: 'OK',
    serialNumber: identifier,
  };
  const once = buildName(name);
  const second = buildName({ serialNumber: 'PNOEE-99999999999' });
  const parts = [once, second].map((each) => each.subarray(headerLength(each)));
  const subjectDer = variant.twice === true ? der.sequence(...parts) : once;
  const member = pki.issue({
    name: 'account',
    key: variant.key ?? 'RSA-2048',
    subjectDer,
    ...(variant.notAfterMs === undefined ? {} : { notAfterMs: variant.notAfterMs }),
    extensions: {
      keyUsage: variant.keyUsage ?? keyUsageBits.digitalSignature,
      extendedKeyUsage: variant.extendedKeyUsage ?? [authentication],
      policies: variant.policies ?? policies.QUALIFIED,
    },
  });
  return { identifier, documentNumber: `${identifier}-MOCK-Q`, member };
}

/** Bytes of tag and length. */
function headerLength(element: Uint8Array): number {
  const first = element[1] ?? 0;
  return first < 0x80 ? 2 : 2 + (first & 0x7f);
}

const DAY_MS = 24 * 3_600_000;
const person = 'PNOEE-40404040009';

/** Creates a world; use one per file. */
export function makeSmartIdWorld(): SmartIdWorld {
  const pki = makeTestPki();
  const foreign = makeTestPki();
  return {
    pki,
    usual: account(pki, person),
    icelandic: account(pki, 'PNOIS-010390-1099'),
    passport: account(pki, 'PASEE-K1234567'),
    variants: {
      'certificate: of a foreign CA': account(foreign, person),
      'certificate: expired': account(pki, person, { notAfterMs: pki.nowMs - DAY_MS }),
      'certificate: of the lower level': account(pki, person, { policies: policies.ADVANCED }),
      'certificate: one policy missing': account(pki, person, {
        policies: policies.QUALIFIED.slice(0, 1),
      }),
      'certificate: for servers': account(pki, person, { extendedKeyUsage: [oids.serverAuth] }),
      'certificate: for signatures': account(pki, person, {
        keyUsage: keyUsageBits.nonRepudiation,
      }),
      'certificate: with an EC key': account(pki, person, { key: 'P-256' }),
      'certificate: two serial numbers': account(pki, person, { twice: true }),
    },
  };
}

/** What the app signs; `salt` in bytes. */
export function signAcsp(
  { member }: Account,
  parts: readonly string[],
  { hash = 'sha512', salt = 64 } = {},
): string {
  const data = Buffer.from(parts.join('|'), 'utf8');
  const { privateKey } = member;
  if (privateKey.asymmetricKeyType !== 'rsa')
    return sign(hash, data, privateKey).toString('base64');
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  return sign(hash, data, { key: privateKey, padding, saltLength: salt }).toString('base64');
}

/** Base64 of the SHA-256 of a text. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
