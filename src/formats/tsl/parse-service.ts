import type { XmlElement } from '../xml/index.ts';
import {
  englishText,
  listed,
  readIdentityCertificates,
  requireChild,
  requireText,
  requireTimeMs,
} from './list-elements.ts';
import { tslNamespaces } from './names.table.ts';
import { parseQualifications } from './parse-qualifications.ts';
import type { Qualification, ServiceState, TrustService } from './trusted-list.types.ts';

const { list: ns, qualifications: sie } = tslNamespaces;

/** A TSPService of the provider. @throws trust.list.invalid */
export function parseService(
  element: XmlElement,
  { provider, providerIndex }: Pick<TrustService, 'provider' | 'providerIndex'>,
): TrustService {
  const information = requireChild(element, 'ServiceInformation');
  const present = parseState(information);
  const earlier = listed(element, 'ServiceHistory', 'ServiceHistoryInstance').map(parseState);
  // Independent of the order in the list: a state ends when the next one begins.
  const states = [present, ...earlier.sort((a, b) => b.fromMs - a.fromMs)];
  const isLater = states.some(({ fromMs }) => fromMs > present.fromMs);
  return {
    ...{ provider, providerIndex },
    name: englishText(information.child(ns, 'ServiceName')),
    certificates: readIdentityCertificates(requireChild(information, 'ServiceDigitalIdentity')),
    states: states.map((state, index) => {
      const next = states[index - 1];
      const end = next === undefined ? {} : { untilMs: next.fromMs };
      // A state later than the present one makes the history unusable.
      const doubt = isLater ? { unknownCritical: ['ServiceHistory'] } : {};
      return { ...state, ...end, ...doubt };
    }),
  };
}

function parseState(element: XmlElement): ServiceState {
  const extensions = listed(element, 'ServiceInformationExtensions', 'Extension');
  const information: string[] = [];
  const qualifications: Qualification[] = [];
  const unknownCritical: string[] = [];
  for (const extension of extensions) {
    const isCritical = ['true', '1'].includes(extension.attribute('Critical')?.trim() ?? '');
    for (const content of extension.children) {
      if (content.is(ns, 'AdditionalServiceInformation')) {
        information.push(requireText(content, 'URI'));
      } else if (content.is(sie, 'Qualifications')) {
        qualifications.push(...parseQualifications(content));
      } else if (isCritical && !knownExtensions.has(content.localName)) {
        unknownCritical.push(content.localName.slice(0, 60));
      }
    }
  }
  return {
    type: requireText(element, 'ServiceTypeIdentifier'),
    status: requireText(element, 'ServiceStatus'),
    fromMs: requireTimeMs(element, requireText(element, 'StatusStartingTime')),
    information,
    qualifications,
    unknownCritical,
  };
}

/** Extensions that say nothing about which certificates are qualified. */
const knownExtensions = new Set(['ExpiredCertsRevocationInfo', 'TakenOverBy']);
