import { failureOf, type IdentityApiPorts, type Readiness } from '../api/index.ts';
import { CoreError, type ErrorCode } from '../base/errors.ts';
import type { Service, ServiceToolkit } from './service.types.ts';
import type { Toolkit, ToolkitIo } from './toolkit.types.ts';

/** Time that a look at keys and authorities holds: it signs, and may ask others. */
const READINESS_MS = 30_000;

/** What the HTTP face stands on, over a toolkit and its service. */
export function apiPorts(
  toolkit: Toolkit,
  service: Service,
  io: Pick<ToolkitIo, 'now' | 'random'>,
  version: string,
): IdentityApiPorts {
  return {
    now: io.now,
    random: io.random,
    version,
    authenticate: (companyKey, apiKey) => service.openFor(companyKey, apiKey),
    companyOfProcess: remembered((key) => ownerOf(service, 'process', key, 'process.not_found')),
    companyOfSequence: (key) => ownerOf(service, 'sequence', key, 'process.not_found'),
    companyOfFlow: (key) => ownerOf(service, 'flow', key, 'flow.not_found'),
    documents: toolkit,
    repeats: service.repeats,
    tokens: service.identity,
    identity: service.identity,
    readiness: readinessOf(toolkit, service, io.now),
  };
}

/** Processes whose owner is remembered: it never changes. */
const OWNERS_MAX = 10_000;

function remembered(
  find: (key: string) => Promise<ServiceToolkit>,
): (key: string) => Promise<ServiceToolkit> {
  const owners = new Map<string, ServiceToolkit>();
  return async (key) => {
    const known = owners.get(key);
    if (known !== undefined) return known;
    const owner = await find(key);
    if (owners.size >= OWNERS_MAX) owners.delete(owners.keys().next().value as string);
    owners.set(key, owner);
    return owner;
  };
}

async function ownerOf(
  service: Service,
  what: 'process' | 'sequence' | 'flow',
  key: string,
  code: ErrorCode,
): Promise<ServiceToolkit> {
  const owner = await service.openOwner(what, key);
  if (owner !== undefined) return owner;
  throw new CoreError(code, `there is no ${what} ${key.slice(0, 40)}`);
}

// What is answered is open to everybody: names and states, no paths and no addresses.
function readinessOf(
  toolkit: Toolkit,
  service: Service,
  now: () => number,
): () => Promise<Readiness> {
  let kept: { readonly atMs: number; readonly checks: Promise<Readiness['checks']> } | undefined;
  const look = async () => {
    const found = await toolkit.diagnose();
    return found.map(({ name, status }) => ({ name, ok: status !== 'failed', message: status }));
  };
  return async () => {
    const nowMs = now();
    if (kept === undefined || nowMs - kept.atMs > READINESS_MS) {
      kept = { atMs: nowMs, checks: look() };
    }
    const checks = [...(await kept.checks), await databaseCheck(service)];
    return { ready: checks.every(({ ok }) => ok), checks };
  };
}

async function databaseCheck(service: Service): Promise<Readiness['checks'][number]> {
  const name = 'database';
  try {
    const { store, dueJobs } = await service.health();
    return { name, ok: true, message: `${store.engine}, ${dueJobs} jobs are due` };
  } catch (error) {
    return { name, ok: false, message: failureOf(error).code };
  }
}
