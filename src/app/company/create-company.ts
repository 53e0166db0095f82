import { sha256Of } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import {
  type ApiKeyRecord,
  type ApiKeyScope,
  apiKeyScopes,
  type Company,
} from '../../domain/company.ts';
import { asKey, type CompanyKey, newKey, newToken } from '../../domain/keys.ts';
import { isMailAddress } from '../../domain/message/index.ts';
import { firstAnchorJob } from '../activity/index.ts';
import { useCase } from '../operation.ts';
import type { StorePorts } from '../ports/index.ts';
import { requireCompany } from '../required.ts';
import type { ServicePorts } from '../service/index.ts';

/** A company to be created. */
export interface CompanyRequest {
  readonly name: string;
  readonly ssn?: string;
  /** E-mail address of the first user. */
  readonly user?: string;
  readonly trialEndsAtMs?: number;
}

/** A new company with its secrets, which are shown only once. */
export interface CreatedCompany {
  readonly company: Company;
  /** Password for programs; the user name is the company key. */
  readonly apiKey: string;
  readonly apiKeyId: string;
  /** Key of the published webhook signature. */
  readonly webhookSignatureKey: string;
}

const NAME_MAX = 200;

/**
 * Creates a company with its first API key and the key of its webhook signatures. Only a digest of
 * the API key is stored.
 *
 * @throws validation.error without a name
 */
export async function createCompany(
  ports: ServicePorts,
  { name, ssn, user, trialEndsAtMs }: CompanyRequest,
): Promise<CreatedCompany> {
  const nowMs = ports.now();
  const known = typeof name === 'string' ? name.trim() : '';
  if (known === '' || known.length > NAME_MAX) {
    invalid('name', `expected 1 to ${NAME_MAX} characters`);
  }
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(known)) invalid('name', 'expected one line of text');
  if (user !== undefined && !(typeof user === 'string' && isMailAddress(user.trim()))) {
    invalid('user', 'expected an e-mail address');
  }
  if (ssn !== undefined && !/^\d{6}-?\d{4}$/.test(String(ssn))) {
    invalid('ssn', 'expected ten digits');
  }
  const company: Company = {
    key: newKey('company', ports.random),
    name: known,
    createdAtMs: nowMs,
    ...defined({ ssn, trialEndsAtMs }),
  };
  const { apiKey, record } = newApiKey(ports, company.key, 'first key', nowMs);
  const webhookSignatureKey = newToken(ports.random);
  await ports.store.write(async (unit) => {
    await unit.companies.add(company);
    await unit.companies.addApiKey(record);
    await unit.jobs.put(firstAnchorJob(company.key, nowMs));
    await unit.companies.setWebhookSignatureKey(company.key, webhookSignatureKey);
    if (user !== undefined) {
      const email = user.trim().toLowerCase();
      const name = email.split('@')[0] ?? email;
      await unit.companies.addUser({ companyKey: company.key, email, name, createdAtMs: nowMs });
    }
  });
  return { company, apiKey, apiKeyId: record.id, webhookSignatureKey };
}

/** Terms of an API key. */
export interface ApiKeyTerms {
  /** Scopes of the key. Absent: all. */
  readonly scopes?: readonly ApiKeyScope[];
  /** Epoch milliseconds. Absent: valid until it is revoked. */
  readonly expiresAtMs?: number;
}

/**
 * Issues a further API key of a company; existing keys remain valid.
 *
 * @throws company.not_found, validation.error
 */
export const issueApiKey = useCase(
  ['company.not_found'],
  async (
    ports: ServicePorts,
    companyKey,
    label: string,
    terms: ApiKeyTerms = {},
  ): Promise<{ readonly id: string; readonly apiKey: string }> => {
    const known = typeof label === 'string' ? label.trim() : '';
    if (known === '' || known.length > NAME_MAX) {
      invalid('label', `expected 1 to ${NAME_MAX} characters`);
    }
    const nowMs = ports.now();
    const { apiKey, record: plain } = newApiKey(ports, companyKey, known, nowMs);
    const record = { ...plain, ...readTerms(terms, nowMs) };
    await ports.store.write(async (unit) => {
      await requireCompany(unit, companyKey);
      await unit.companies.addApiKey(record);
    });
    return { id: record.id, apiKey };
  },
);

function readTerms({ scopes, expiresAtMs }: ApiKeyTerms, nowMs: number): ApiKeyTerms {
  const words: readonly string[] = apiKeyScopes;
  const isKnown =
    Array.isArray(scopes) && scopes.length > 0 && scopes.every((each) => words.includes(each));
  if (scopes !== undefined && !isKnown) {
    invalid('scopes', `expected some of ${words.join(', ')}`);
  }
  if (expiresAtMs !== undefined && !(Number.isSafeInteger(expiresAtMs) && expiresAtMs > nowMs)) {
    invalid('expiresAtMs', 'expected a time in the future');
  }
  return {
    ...(scopes === undefined ? {} : { scopes: [...new Set(scopes)] }),
    ...defined({ expiresAtMs }),
  };
}

function newApiKey(
  ports: ServicePorts,
  companyKey: CompanyKey,
  label: string,
  nowMs: number,
): { readonly apiKey: string; readonly record: ApiKeyRecord } {
  const apiKey = `api-${newToken(ports.random)}`;
  const id = Buffer.from(ports.random(6)).toString('hex');
  const sha256 = sha256Of(apiKey);
  return { apiKey, record: { id, companyKey, sha256, label, createdAtMs: nowMs } };
}

/**
 * Returns the named company, or the only existing one.
 *
 * @throws company.not_found if there is none, or if several exist and none is named
 */
export async function chooseCompany(
  { store }: Pick<StorePorts, 'store'>,
  named: string | undefined,
): Promise<Company> {
  const found = await store.read(async ({ companies }) =>
    named === undefined
      ? companies.list()
      : [await companies.find(asKey('company', named))].flatMap((each) => each ?? []),
  );
  const [only, other] = found;
  if (only !== undefined && other === undefined) return only;
  if (only === undefined) {
    const [which, hint] =
      named === undefined
        ? ['', 'create one with innsigli init']
        : [` ${named.slice(0, 40)}`, 'list them with innsigli company list'];
    throw new InnsigliError('company.not_found', `there is no company${which}`, { hint });
  }
  throw new InnsigliError('company.not_found', `expected one company, found ${found.length}`, {
    hint: 'use --company KEY or INNSIGLI_COMPANY; list them with innsigli company list',
  });
}
