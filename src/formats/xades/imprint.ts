import { isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { canonicalMethods, type XmlElement } from '../xml/index.ts';
import {
  canonicalUris,
  createReferenceBudget,
  feedCanonical,
  feedReference,
  type NodeSetForm,
  namespaces,
  type ReferenceBudget,
  type ReferenceContext,
  type ReferenceMissing,
  type ReferenceRefused,
  referenceTypes,
  signatureInvalid,
  type XmlReference,
  type XmlSignature,
} from '../xmldsig/index.ts';
import type { QualifyingProperties } from './qualifying-properties.ts';
import type { ImprintForm, XadesTimestampKind } from './timestamp.ts';

/** A time-stamp, and the signature that contains it or will contain it. */
export interface ImprintInput {
  readonly signature: XmlSignature;
  readonly properties: QualifyingProperties;
  readonly timestamp: ImprintForm;
  readonly context: ReferenceContext;
}

/** All bytes were passed to `take`. */
export interface ImprintFound {
  /** Unsigned properties of the signature whose bytes are covered. */
  readonly covered: readonly XmlElement[];
}

/** Result; distinguish the variants by `'covered' in`, `'refused' in`, `'missing' in`. */
export type ImprintResult = ImprintFound | ReferenceRefused | ReferenceMissing;

type Take = (piece: Uint8Array) => void;

/**
 * Passes the bytes that a time-stamp covers to `take`, piece by piece in order; a piece is valid
 * only during the call. Creation and verification of a time-stamp digest the same bytes. `take` may
 * have been called even if the result is a refusal.
 *
 *     signature      SignatureValue
 *     sigAndRefs     SignatureValue, signature time-stamps and references before it
 *     refsOnly       references to certificates and revocation data before it
 *     archive        data digested by the ds:References, SignedInfo, SignatureValue, KeyInfo,
 *                    unsigned properties before it, other ds:Objects
 *     dataObjects    data digested by the ds:References, except the SignedProperties
 *
 * @spec ETSI EN 319 132-1 §5.2.8, §5.3, §5.5.2, A.1.5; ETSI TS 101 903 v1.4.2 §7.2.9 to §7.7, §8.2
 */
export function timestampImprintPieces(input: ImprintInput, take: Take): ImprintResult {
  const { signature, properties, timestamp, context } = input;
  const method = canonicalMethods.get(timestamp.canonicalUri ?? canonicalUris.c14n10);
  if (method === undefined) return { refused: 'the canonicalisation is not supported' };
  const budget = context.budget ?? createReferenceBudget(context.document);
  const form = { method, prefixList: timestamp.prefixList };
  const writer: ImprintWriter = { form, budget, context: { ...context, budget }, take };
  const { signedInfo, signatureValue, keyInfo } = signature;
  try {
    if (timestamp.kind === 'signature') {
      requireOnlySignatureValue(timestamp, signature);
      writeElements([signatureValue.element], writer);
      return { covered: [] };
    }
    const references = referencesOf(input);
    for (const reference of references) {
      const answer = feedReference(reference, writer.context, take, form);
      if (!('scope' in answer)) return answer;
    }
    const isArchive = timestamp.kind.startsWith('archive');
    const covered = coveredProperties(timestamp, properties);
    if (isArchive) writeElements([signedInfo.element], writer);
    if (isArchive || timestamp.kind.startsWith('sigAndRefs')) {
      writeElements([signatureValue.element], writer);
    }
    if (isArchive && keyInfo !== undefined) writeElements([keyInfo.element], writer);
    writeElements(covered, writer);
    if (isArchive) writeElements(coveredObjects(input), writer);
    return { covered };
  } catch (error) {
    if (!isInnsigliError(error) || !error.code.startsWith('xml.')) throw error;
    return { refused: error.message };
  }
}

interface ImprintWriter {
  readonly form: NodeSetForm;
  readonly budget: ReferenceBudget;
  readonly context: ReferenceContext;
  readonly take: Take;
}

function writeElements(
  elements: readonly XmlElement[],
  { form, budget, take }: ImprintWriter,
): void {
  const { method, prefixList = [] } = form;
  for (const element of elements) feedCanonical(element, method, { prefixList }, budget, take);
}

/** Some include the signature value explicitly although implied; anything else is rejected. */
function requireOnlySignatureValue({ includes }: ImprintForm, signature: XmlSignature): void {
  const { id, element } = signature.signatureValue;
  for (const include of includes) {
    if (include.uri === `#${id}` && !include.isReferencedData) continue;
    throw signatureInvalid(element, 'a signature time-stamp over different data');
  }
}

/** The references whose data is covered, in order. */
function referencesOf({ signature, timestamp, properties }: ImprintInput): readonly XmlReference[] {
  const { references } = signature.signedInfo;
  const { kind, includes } = timestamp;
  if (kind.startsWith('archive')) return references;
  if (kind === 'allDataObjects') {
    if (includes.length > 0)
      throw signatureInvalid(signature.element, 'a time-stamp of an old format');
    const id = properties.signed?.id;
    return references.filter((reference) => !isSignedProperties(reference, id));
  }
  if (kind !== 'individualDataObjects') return [];
  if (includes.length === 0 || includes.length > limits.xmlReferences) {
    throw signatureInvalid(signature.element, 'a time-stamp without a reference');
  }
  const byUri = new Map(references.map((reference) => [`#${reference.id}`, reference]));
  return includes.map(({ uri, element, isReferencedData }) => {
    const reference = byUri.get(uri);
    if (reference?.id !== undefined && isReferencedData) return reference;
    throw signatureInvalid(element, 'a time-stamp over data that no reference covers');
  });
}

/** The type of the reference to the signed properties; old versions use different URIs. */
export const signedPropertiesType =
  /^http:\/\/uri\.etsi\.org\/01903(?:\/v[0-9.]+)?#SignedProperties$/;

/** The type of that reference in the XAdES version with this namespace. */
export function signedPropertiesTypeIn(namespaceUri: string): string {
  const isOlder = namespaceUri === namespaces.xades122 || namespaceUri === namespaces.xades111;
  return isOlder ? `${namespaceUri}SignedProperties` : referenceTypes.signedProperties;
}

function isSignedProperties({ type, uri }: XmlReference, id: string | undefined): boolean {
  if (type !== undefined && signedPropertiesType.test(type)) return true;
  return id !== undefined && uri === `#${id}`;
}

/**
 * The ds:Objects that an archive time-stamp covers: all except that of the properties, and in the
 * older form only those that no reference digests.
 */
function coveredObjects({ signature, timestamp, properties }: ImprintInput): readonly XmlElement[] {
  const named = new Set(
    timestamp.kind === 'archive132' ? signature.signedInfo.references.map(({ uri }) => uri) : [],
  );
  return signature.objects.filter((object) => {
    const id = object.attribute('Id');
    if (object.contains(properties.element)) return false;
    return id === undefined || !named.has(`#${id}`);
  });
}

const references = [
  'CompleteCertificateRefs',
  'CompleteRevocationRefs',
  'AttributeCertificateRefs',
  'AttributeRevocationRefs',
];
const referencesV2 = [
  'CompleteCertificateRefsV2',
  'CompleteRevocationRefs',
  'AttributeCertificateRefsV2',
  'AttributeRevocationRefs',
];
const none: readonly string[] = [];

/** Names of the properties that each kind of time-stamp covers; undefined for all properties. */
const coveredNames: Readonly<Record<XadesTimestampKind, readonly string[] | undefined>> = {
  signature: none,
  allDataObjects: none,
  individualDataObjects: none,
  sigAndRefs: ['SignatureTimeStamp', ...references],
  sigAndRefsV2: ['SignatureTimeStamp', ...referencesV2],
  refsOnly: references,
  refsOnlyV2: referencesV2,
  archive132: undefined,
  archive141: undefined,
};

/**
 * The unsigned properties that a time-stamp covers, in digest order: those before it.
 *
 * @throws xml.signature.invalid in the distributed case, where the time-stamp includes properties
 * located elsewhere
 * @spec ETSI EN 319 132-1 §5.5.2, A.1.5
 */
function coveredProperties(
  timestamp: ImprintForm,
  properties: QualifyingProperties,
): readonly XmlElement[] {
  const { kind, includes, element } = timestamp;
  const names = coveredNames[kind];
  if (names === none) return [];
  if (includes.length > 0) {
    throw signatureInvalid(properties.element, 'a time-stamp over properties of other elements');
  }
  const before: XmlElement[] = [];
  for (const property of properties.unsigned) {
    if (property.element.index === element?.index) break;
    if (names?.includes(property.element.localName) !== false) before.push(property.element);
  }
  return before;
}
