import { InnsigliError } from '../../base/errors.ts';
import type { Flow } from '../../domain/flow/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import type { StoreUnit } from '../ports/index.ts';

/** The flow of a company, active or not. @throws flow.not_found */
export async function requireFlow(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<Flow> {
  return requireOwn(await unit.flows.find(asKey('flow', key)), companyKey, key);
}

/** As {@link requireFlow}; other writers of the flow and of what belongs to it wait. */
export async function lockFlow(
  unit: StoreUnit,
  companyKey: CompanyKey,
  key: string,
): Promise<Flow> {
  return requireOwn(await unit.flows.lock(asKey('flow', key)), companyKey, key);
}

function requireOwn(flow: Flow | undefined, companyKey: CompanyKey, key: string): Flow {
  if (flow?.companyKey === companyKey) return flow;
  throw unknownFlow(key);
}

/** The error for a flow, or a version of its schema, that is not there. */
export function unknownFlow(key: string, version?: string): InnsigliError {
  const what = version === undefined ? '' : ` with version ${version.slice(0, 64)}`;
  return new InnsigliError('flow.not_found', `the company has no flow ${key.slice(0, 40)}${what}`, {
    hint: 'list the flows with innsigli flow list',
  });
}
