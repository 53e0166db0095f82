import { asBuffer } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import type { ServiceState, TrustService } from '../../formats/tsl/index.ts';
import { type Certificate, parseCertificate } from '../../formats/x509/index.ts';
import { namesOf } from '../../trust/certificates.ts';
import type { ListEvidence } from './qualification.types.ts';

/** A service with its list. */
export interface ListedService {
  readonly list: ListEvidence;
  readonly service: TrustService;
}

/** The state of a service at one time. */
export interface StateAt extends ListedService {
  readonly state: ServiceState;
}

/** Services by the certificates that identify them. */
export interface ServiceIndex {
  /** Every readable certificate, once. */
  readonly certificates: readonly Certificate[];
  /** Services with the name and the public key of the certificate. */
  find(certificate: Certificate): readonly ListedService[];
}

/**
 * Indexes the services that had one of the types at any time. A service is identified by name and
 * key, whatever else its certificate contains.
 *
 * @spec ETSI TS 119 615 §4.3
 */
export function indexServices(
  lists: readonly ListEvidence[],
  isWanted: (state: ServiceState) => boolean,
): ServiceIndex {
  const certificates = new Map<string, Certificate>();
  const services = new Map<string, Set<ListedService>>();
  for (const list of lists) {
    for (const service of list.services) {
      if (!service.states.some(isWanted)) continue;
      const listed = { list, service };
      for (const der of service.certificates) {
        const certificate = findListedCertificate(der);
        if (certificate === undefined) continue;
        const text = asBuffer(der).toString('latin1');
        if (!certificates.has(text)) certificates.set(text, certificate);
        const key = identityOf(certificate);
        const group = services.get(key) ?? new Set();
        services.set(key, group.add(listed));
      }
    }
  }
  return {
    certificates: [...certificates.values()],
    find: (certificate) => [...(services.get(identityOf(certificate)) ?? [])],
  };
}

/** The states of services of a type at a time. */
export function statesAt(
  services: readonly ListedService[],
  type: string,
  timeMs: number,
): readonly StateAt[] {
  return services.flatMap((listed) => {
    const state = listed.service.states.find(({ fromMs }) => fromMs <= timeMs);
    return state === undefined || state.type !== type ? [] : [{ ...listed, state }];
  });
}

function identityOf(certificate: Certificate): string {
  const key = asBuffer(certificate.spkiDer).toString('latin1');
  return `${namesOf(certificate).subject}|${key}`;
}

/** By array identity: lists contain thousands of certificates, and several indexes examine each. */
const parsed = new WeakMap<Uint8Array, Certificate | 'unreadable'>();

/** A certificate of a service, the same object each time. Undefined if it cannot be read. */
export function findListedCertificate(der: Uint8Array): Certificate | undefined {
  const known = parsed.get(der) ?? readCertificate(der);
  parsed.set(der, known);
  return known === 'unreadable' ? undefined : known;
}

function readCertificate(der: Uint8Array): Certificate | 'unreadable' {
  return attempt(() => parseCertificate(der)) ?? 'unreadable';
}
