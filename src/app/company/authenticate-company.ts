import { timingSafeEqual } from 'node:crypto';
import type { Company } from '../../domain/company/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { ServicePorts } from '../service/index.ts';
import { apiKeyDigest } from './create-company.ts';

/**
 * The company that the API key speaks for, when it is the one that is named and the key is not
 * revoked; undefined otherwise. The key is found by its digest: what a client guesses right of a
 * key tells nothing by the time that the answer takes.
 */
export async function authenticateCompany(
  { store }: Pick<ServicePorts, 'store'>,
  companyKey: string,
  apiKey: string,
): Promise<Company | undefined> {
  const sha256 = apiKeyDigest(apiKey);
  return store.read(async ({ companies }) => {
    const record = await companies.findApiKey(sha256);
    const isKey = isEqual(record?.sha256 ?? '', sha256);
    const isOwn = isEqual(record?.companyKey ?? '', companyKey);
    if (record === undefined || !isKey || !isOwn || record.revokedAtMs !== undefined) {
      return undefined;
    }
    return companies.find(record.companyKey);
  });
}

/** True when `key` is the key of the published webhook signature of the company. */
export async function isWebhookSignatureKey(
  { store }: Pick<ServicePorts, 'store'>,
  companyKey: CompanyKey,
  key: string,
): Promise<boolean> {
  const known = await store.read(({ companies }) => companies.webhookSignatureKey(companyKey));
  return known !== undefined && isEqual(known, key);
}

/** The company of a process, sequence or flow; undefined when there is none of that key. */
export async function companyOf(
  { store }: Pick<ServicePorts, 'store'>,
  what: 'process' | 'sequence' | 'flow',
  key: string,
): Promise<Company | undefined> {
  return store.read(async ({ companies, processes, sequences, flows }) => {
    const found =
      what === 'process'
        ? await processes.find(asKey('process', key))
        : what === 'sequence'
          ? await sequences.find(asKey('sequence', key))
          : await flows.find(asKey('flow', key));
    return found === undefined ? undefined : companies.find(found.companyKey);
  });
}

// Digests have one length, whatever the texts are.
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => Buffer.from(apiKeyDigest(text), 'hex');
  return timingSafeEqual(digest(a), digest(b));
}
