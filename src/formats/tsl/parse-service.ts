import { limits } from '../../base/limits.ts';
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
import type {
  CriteriaList,
  Criterion,
  KeyUsageBit,
  Qualification,
  ServiceState,
  TrustService,
} from './trusted-list.types.ts';

const { list: ns, qualifications: sie, additional, xades } = tslNamespaces;

/** Parses a TSPService of the provider. @throws trust.list.invalid */
export function parseService(
  element: XmlElement,
  { provider, providerIndex }: Pick<TrustService, 'provider' | 'providerIndex'>,
): TrustService {
  const information = requireChild(element, 'ServiceInformation');
  const present = parseState(information);
  const earlier = listed(element, 'ServiceHistory', 'ServiceHistoryInstance').map(parseState);
  // Independent of the list order: a state ends when the next one starts.
  const states = [present, ...earlier.sort((a, b) => b.fromMs - a.fromMs)];
  const isLater = states.some(({ fromMs }) => fromMs > present.fromMs);
  return {
    ...{ provider, providerIndex },
    name: englishText(information.child(ns, 'ServiceName')),
    certificates: readIdentityCertificates(requireChild(information, 'ServiceDigitalIdentity')),
    states: states.map((state, index) => {
      const next = states[index - 1];
      const end = next === undefined ? {} : { untilMs: next.fromMs };
      // A state that starts after the current one makes the history unusable.
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

/** Extensions that do not affect which certificates are qualified. */
const knownExtensions = new Set(['ExpiredCertsRevocationInfo', 'TakenOverBy']);

/** Maximum nesting depth of criteria lists. */
const MAX_DEPTH = 8;

/** Qualifiers of a Qualifications extension, with the criteria of certificates they apply to. */
function parseQualifications(element: XmlElement): readonly Qualification[] {
  return element
    .childrenNamed(sie, 'QualificationElement')
    .slice(0, limits.trustListCriteria)
    .map((each): Qualification => {
      const qualifiers = each.child(sie, 'Qualifiers')?.childrenNamed(sie, 'Qualifier') ?? [];
      const criteria = each.child(sie, 'CriteriaList');
      return {
        qualifiers: qualifiers.flatMap((one) => one.attribute('uri')?.trim() ?? []),
        criteria: criteria === undefined ? unknownList('no criteria') : parseList(criteria, 0),
      };
    });
}

function unknownList(name: string): CriteriaList {
  return { assertion: 'all', criteria: [{ kind: 'unknown', name }] };
}

function parseList(element: XmlElement, depth: number): CriteriaList {
  const assertion = element.attribute('assert')?.trim();
  if (assertion !== 'all' && assertion !== 'atLeastOne' && assertion !== 'none') {
    return unknownList('assert');
  }
  if (depth >= MAX_DEPTH) return unknownList('nested lists');
  const { children } = element;
  if (children.length > limits.trustListCriteria) return unknownList('too many criteria');
  return { assertion, criteria: children.flatMap((each) => parseCriterion(each, depth)) };
}

function parseCriterion(element: XmlElement, depth: number): readonly Criterion[] {
  if (element.is(sie, 'KeyUsage')) return [{ kind: 'key-usage', bits: parseBits(element) }];
  if (element.is(sie, 'PolicySet')) {
    const named = element.childrenNamed(sie, 'PolicyIdentifier');
    return [{ kind: 'policies', oids: named.map(readIdentifier) }];
  }
  if (element.is(sie, 'CriteriaList'))
    return [{ kind: 'list', list: parseList(element, depth + 1) }];
  // Informative only.
  if (element.is(sie, 'Description')) return [];
  if (element.is(sie, 'otherCriteriaList')) return element.children.map(parseOther);
  return [{ kind: 'unknown', name: element.localName }];
}

function parseOther(element: XmlElement): Criterion {
  if (element.is(additional, 'ExtendedKeyUsage')) {
    const named = element.childrenNamed(additional, 'KeyPurposeId');
    return { kind: 'extended-key-usage', oids: named.map(readIdentifier) };
  }
  if (element.is(additional, 'CertSubjectDNAttribute')) {
    const named = element.childrenNamed(additional, 'AttributeOID');
    return { kind: 'subject-attributes', oids: named.map(readIdentifier) };
  }
  return { kind: 'unknown', name: element.localName };
}

function parseBits(element: XmlElement): readonly KeyUsageBit[] {
  return element.childrenNamed(sie, 'KeyUsageBit').map((bit) => ({
    name: bit.attribute('name')?.trim() ?? '',
    isSet: ['true', '1'].includes(bit.text.trim()),
  }));
}

/** An object identifier, written in dotted decimal form or as a URN. @spec RFC 3061 */
function readIdentifier(element: XmlElement): string {
  const text = element.child(xades, 'Identifier')?.text.trim() ?? '';
  return text.replace(/^urn:oid:/i, '');
}
