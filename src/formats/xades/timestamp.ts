import type { XmlElement } from '../xml/index.ts';
import { namespaces, readBase64, readPrefixList, requireAttribute } from '../xmldsig/index.ts';

/** The time-stamp properties; `V2` and `archive141` are those of EN 319 132-1. */
export type XadesTimestampKind =
  | 'signature'
  | 'archive141'
  | 'archive132'
  | 'sigAndRefs'
  | 'sigAndRefsV2'
  | 'refsOnly'
  | 'refsOnlyV2'
  | 'allDataObjects'
  | 'individualDataObjects';

/** Data that an explicit time-stamp includes: a property, or the data digested by a reference. */
export interface TimestampInclude {
  readonly element: XmlElement;
  readonly uri: string;
  /** True for the data that the reference digests; false for the element itself. */
  readonly isReferencedData: boolean;
}

/** Facts that determine which bytes a time-stamp covers. */
export interface ImprintForm {
  readonly kind: XadesTimestampKind;
  /** Canonicalisation identifier; undefined for Canonical XML 1.0. */
  readonly canonicalUri: string | undefined;
  /** Prefixes that exclusive canonicalisation treats inclusively. */
  readonly prefixList: readonly string[];
  /** Empty if the kind determines what is covered. */
  readonly includes: readonly TimestampInclude[];
  /** Undefined for a time-stamp that will be appended to the unsigned properties. */
  readonly element: XmlElement | undefined;
}

/** A time-stamp property; tokens are not parsed. */
export interface XadesTimestamp extends ImprintForm {
  readonly element: XmlElement;
  readonly id: string | undefined;
  /** DER, in document order; all of them cover the same bytes. */
  readonly tokens: readonly Uint8Array[];
  /** Whether there are also XML tokens, which are not supported. */
  readonly hasXmlTokens: boolean;
}

/**
 * Parses a time-stamp property.
 *
 * @throws xml.signature.invalid if a token is not base64, or an include has no URI
 * @spec ETSI EN 319 132-1 §5.1.4.3 (XAdESTimeStampType), ETSI TS 101 903 v1.2.2 §7.1.4 (old form)
 */
export function parseXadesTimestamp(element: XmlElement, kind: XadesTimestampKind): XadesTimestamp {
  let canonical: XmlElement | undefined;
  const tokens: Uint8Array[] = [];
  const includes: TimestampInclude[] = [];
  let hasXmlTokens = false;
  for (const child of element.children) {
    const { localName } = child;
    if (child.is(namespaces.dsig, 'CanonicalizationMethod')) canonical = child;
    else if (localName === 'EncapsulatedTimeStamp') tokens.push(readBase64(child));
    else if (localName === 'XMLTimeStamp') hasXmlTokens = true;
    else if (localName === 'Include') includes.push(readInclude(child, 'URI'));
    else if (localName === 'HashDataInfo') includes.push(readInclude(child, 'uri'));
  }
  return {
    kind,
    element,
    id: element.attribute('Id'),
    canonicalUri: canonical && requireAttribute(canonical, 'Algorithm'),
    prefixList: canonical === undefined ? [] : readPrefixList(canonical),
    includes,
    tokens,
    hasXmlTokens,
  };
}

function readInclude(element: XmlElement, attribute: string): TimestampInclude {
  const referenced = element.attribute('referencedData');
  return {
    element,
    uri: requireAttribute(element, attribute),
    isReferencedData: referenced === 'true' || referenced === '1',
  };
}
