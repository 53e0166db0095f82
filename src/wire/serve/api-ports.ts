import { documentTexts } from '../../adapters/pdf-text/index.ts';
import type { ApiPorts, Counters, DocumentService } from '../../api/index.ts';
import type { CompanyService } from '../../app/company-service.ts';
import type { DocumentTexts } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import { putBounded } from '../service/known/known-companies.ts';
import type { Service } from '../service/service.types.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';
import { apiDocuments } from './api-documents.ts';
import { readinessOf } from './readiness.ts';

/** Time for which counters are cached, since reading them writes to the database. */
const COUNTERS_MS = 3000;

/** Dependencies of the HTTP interface, from a toolkit and its service. */
export function apiPorts(
  toolkit: Toolkit,
  service: Service,
  io: Pick<ToolkitIo, 'now' | 'random' | 'clock'>,
  version: string,
  documents: DocumentService = apiDocuments(toolkit),
  texts: DocumentTexts = documentTexts(),
): ApiPorts {
  const trust = toolkit.trustService();
  const { idempotency, drafts, identity } = service;
  return {
    now: io.now,
    random: io.random,
    version,
    authenticate: (companyKey, apiKey, scope) => service.openFor(companyKey, apiKey, scope),
    companyOfProcess: remembered((key) => ownerOf(service, 'process', key, 'process.not_found')),
    companyOfSequence: (key) => ownerOf(service, 'sequence', key, 'process.not_found'),
    companyOfFlow: (key) => ownerOf(service, 'flow', key, 'flow.not_found'),
    // If the database is unavailable, the request itself reports it.
    placesBehind: (key) => service.placesBehind(key).catch(() => 0),
    allowsOrigin: (origin, companyKey) => service.allowsOrigin(origin, companyKey),
    ...{ documents, texts, pages: toolkit.pages },
    ...{ idempotency, drafts, identity },
    readiness: readinessOf(toolkit, service, io),
    counters: cachedFor(COUNTERS_MS, io.now, () => countersOf(service, io.now)),
    ...defined({ trust }),
  };
}

/**
 * Number of processes whose company is cached, since it never changes. Only the key of the cached
 * company is reliable; its name may have changed since.
 */
const OWNERS_MAX = 10_000;

function remembered(
  find: (key: string) => Promise<CompanyService>,
): (key: string) => Promise<CompanyService> {
  const owners = new Map<string, CompanyService>();
  return async (key) => {
    const known = owners.get(key);
    if (known !== undefined) return known;
    const owner = await find(key);
    putBounded(owners, key, owner, OWNERS_MAX);
    return owner;
  };
}

async function ownerOf(
  service: Service,
  what: 'process' | 'sequence' | 'flow',
  key: string,
  code: ErrorCode,
): Promise<CompanyService> {
  const owner = await service.openOwner(what, key);
  if (owner !== undefined) return owner;
  throw new InnsigliError(code, `there is no ${what} ${key.slice(0, 40)}`);
}

/** Caches the result of `look` for this time, so that frequent requests cannot raise its cost. */
function cachedFor<T>(ageMs: number, now: () => number, look: () => Promise<T>): () => Promise<T> {
  let kept: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = now();
    if (kept === undefined || Math.abs(nowMs - kept.atMs) > ageMs) {
      kept = { atMs: nowMs, answer: look() };
      // A failed look-up is repeated by the next request.
      kept.answer.catch(() => {
        kept = undefined;
      });
    }
    return kept.answer;
  };
}

async function countersOf(service: Service, now: () => number): Promise<Counters> {
  const { due } = await service.health();
  return {
    ...service.worked,
    held: await service.held(),
    due: due.map(({ kind, count, sinceMs }) => ({
      kind,
      count,
      lagSeconds: Math.max(0, (now() - sinceMs) / 1000),
    })),
  };
}
