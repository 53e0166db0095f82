import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlDocument, XmlElement } from '../xml/index.ts';
import {
  englishText,
  listed,
  listInvalid,
  readIdentityCertificates,
  requireChild,
  requireNumber,
  requireText,
  requireTimeMs,
} from './list-elements.ts';
import { tslNamespaces } from './names.table.ts';
import { parseService } from './parse-service.ts';
import type { ListPointer, TrustedList, TrustService } from './trusted-list.types.ts';

const { list: ns, additional } = tslNamespaces;
const agreement = 'MutualRecognitionAgreementInformation';

/** Supported versions of the format. @spec ETSI TS 119 612 §5.3.1 */
const versions = [5, 6];

/**
 * Parses a trusted list, without verification.
 *
 * @throws trust.list.invalid if the document is not a trusted list, or its version is unsupported
 * @spec ETSI TS 119 612 §5.2–§5.6
 */
export function parseTrustedList(document: XmlDocument): TrustedList {
  const { root } = document;
  if (!root.is(ns, 'TrustServiceStatusList')) {
    const found = root.localName.slice(0, 60);
    const message = `expected a TrustServiceStatusList (ETSI TS 119 612), found "${found}"`;
    throw new InnsigliError('trust.list.invalid', message);
  }
  const scheme = requireChild(root, 'SchemeInformation');
  const version = requireNumber(scheme, 'TSLVersionIdentifier');
  if (!versions.includes(version)) {
    throw listInvalid(scheme, `expected version ${versions.join(' or ')}, found ${version}`);
  }
  const type = requireText(scheme, 'TSLType');
  const providers = listed(root, 'TrustServiceProviderList', 'TrustServiceProvider');
  return {
    version,
    sequenceNumber: requireNumber(scheme, 'TSLSequenceNumber'),
    type,
    isListOfLists: /listofthelists$/i.test(type),
    territory: requireText(scheme, 'SchemeTerritory').toUpperCase(),
    operator: englishText(requireChild(scheme, 'SchemeOperatorName')),
    issuedMs: requireTimeMs(scheme, requireText(scheme, 'ListIssueDateTime')),
    nextUpdateMs: parseNextUpdate(requireChild(scheme, 'NextUpdate')),
    informationUris: listed(scheme, 'SchemeInformationURI', 'URI').map(({ text }) => text.trim()),
    pointers: parsePointers(scheme),
    providerCount: providers.length,
    services: parseServices(root, providers),
  };
}

/** Undefined if the scheme was closed. @spec ETSI TS 119 612 §5.3.15 */
function parseNextUpdate(element: XmlElement): number | undefined {
  const time = element.child(ns, 'dateTime')?.text ?? '';
  return time.trim() === '' ? undefined : requireTimeMs(element, time);
}

function parsePointers(scheme: XmlElement): readonly ListPointer[] {
  const pointers = listed(scheme, 'PointersToOtherTSL', 'OtherTSLPointer');
  if (pointers.length > limits.trustListPointers) {
    throw listInvalid(scheme, `more than ${limits.trustListPointers} pointers`);
  }
  return pointers.map((pointer) => {
    const identities = listed(pointer, 'ServiceDigitalIdentities', 'ServiceDigitalIdentity');
    const others = listed(pointer, 'AdditionalInformation', 'OtherInformation');
    const find = (uri: string, name: string) => {
      for (const other of others) {
        const text = other.child(uri, name)?.text.trim();
        if (text !== undefined && text !== '') return text;
      }
      return undefined;
    };
    return {
      location: requireText(pointer, 'TSLLocation'),
      type: find(ns, 'TSLType'),
      territory: find(ns, 'SchemeTerritory')?.toUpperCase(),
      mimeType: find(additional, 'MimeType')?.toLowerCase(),
      isByAgreement: others.some(namesAgreement),
      certificates: identities.flatMap(readIdentityCertificates),
    };
  });
}

/** Whether it contains an agreement element of any namespace version: all are outside our scope. */
function namesAgreement(information: XmlElement): boolean {
  return information.children.some(({ localName }) => localName === agreement);
}

function parseServices(
  root: XmlElement,
  providers: readonly XmlElement[],
): readonly TrustService[] {
  const services: TrustService[] = [];
  for (const [providerIndex, provider] of providers.entries()) {
    const information = requireChild(provider, 'TSPInformation');
    const name = englishText(information.child(ns, 'TSPName'));
    for (const service of listed(provider, 'TSPServices', 'TSPService')) {
      if (services.length >= limits.trustListServices) {
        throw listInvalid(root, `more than ${limits.trustListServices} services`);
      }
      services.push(parseService(service, { provider: name, providerIndex }));
    }
  }
  return services;
}
