import { type ServiceState, serviceTypes, statusPrefix } from '../../formats/tsl/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { ListEvidence } from './qualification.types.ts';
import { indexServices, type ListedService } from './service-index.ts';

/** Statuses of a service that is active. @spec ETSI TS 119 612 §5.5.4 */
const activeStatuses: ReadonlySet<string> = new Set(
  [
    'granted',
    'recognisedatnationallevel',
    'undersupervision',
    'supervisionincessation',
    'accredited',
  ].map((status) => statusPrefix + status),
);

/**
 * Returns a function that decides whether an OCSP responder is authorised for an authority because
 * a trusted list contains both as services of one provider. The responder is identified by its name
 * and key and needs an active status at that time; the status of the authority does not matter. A
 * list with a problem authorises no responder.
 *
 * @spec RFC 6960 §4.2.2.2; ETSI TS 119 612 §5.5.1
 */
export function listedResponders(
  lists: readonly ListEvidence[],
): (responder: Certificate, issuer: Certificate, atMs: number) => boolean {
  const sound = lists.filter(({ problem }) => problem === undefined);
  const responders = indexServices(sound, isResponder);
  const issuers = indexServices(sound, ({ type }) => type.startsWith(serviceTypes.caPrefix));
  return (responder, issuer, atMs) => {
    const active = responders.find(responder).filter((listed) => isActive(listed, atMs));
    if (active.length === 0) return false;
    const authorities = issuers.find(issuer);
    return active.some((one) => authorities.some((other) => isSameProvider(one, other)));
  };
}

function isResponder({ type }: ServiceState): boolean {
  return type === serviceTypes.ocsp || type === serviceTypes.ocspQc;
}

function isActive({ service }: ListedService, atMs: number): boolean {
  const state = service.states.find(({ fromMs }) => fromMs <= atMs);
  if (state === undefined || !isResponder(state)) return false;
  return activeStatuses.has(state.status) && state.unknownCritical.length === 0;
}

function isSameProvider(one: ListedService, other: ListedService): boolean {
  return one.list === other.list && one.service.providerIndex === other.service.providerIndex;
}
