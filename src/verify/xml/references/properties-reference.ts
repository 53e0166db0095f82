import {
  type QualifyingProperties,
  signedPropertiesType,
  signedPropertiesTypeIn,
} from '../../../formats/xades/index.ts';
import { buildFinding } from '../../findings/index.ts';
import type { Finding } from '../../report/index.ts';
import type { XmlSignatureObject } from '../signature-object.ts';
import type { CheckedReference } from './check-references.ts';
import { coversAll } from './reference-scope.ts';

/**
 * The reason why the signature does not cover its own SignedProperties. Undefined if it does. A
 * reference whose Type states that it covers them must refer to those of this signature and not to
 * others in the document.
 *
 * @spec ETSI EN 319 132-1 §4.4.2
 */
export function checkPropertiesReference(
  { form, properties }: XmlSignatureObject,
  references: readonly CheckedReference[],
): Finding | undefined {
  const direct = references.filter(({ report }) => report.listedBy === undefined);
  const typed = references.filter(isTyped);
  const own = properties?.signed?.element;
  if (form === 'xmldsig') {
    return typed.length === 0
      ? undefined
      : fault('a reference has the type SignedProperties, but the signature has no properties');
  }
  // Malformed properties are reported separately.
  if (own === undefined) return undefined;
  const isOwn = ({ reference, scope }: CheckedReference): boolean => {
    const target = scope?.target;
    const isSame =
      target !== undefined &&
      'index' in target &&
      target.document === own.document &&
      target.index === own.index;
    return isSame && coversAll(reference, scope);
  };
  if (typed.length === 0) {
    return direct.some(isOwn) ? undefined : fault('no reference covers the SignedProperties');
  }
  if (typed.every(isOwn)) return undefined;
  return fault('the reference to SignedProperties does not cover those of the signature');
}

/**
 * The reason why no reference of the signature has the Type of SignedProperties in their version of
 * XAdES. Undefined if one has.
 *
 * @spec ETSI EN 319 132-1 §4.4.2
 */
export function findTypeFault(
  properties: QualifyingProperties | undefined,
  references: readonly CheckedReference[],
): string | undefined {
  const typed = references.filter(isTyped);
  if (typed.length === 0) return 'the reference to the SignedProperties lacks its Type';
  const expected = signedPropertiesTypeIn(properties?.namespaceUri ?? '');
  if (typed.some(({ reference }) => reference.type === expected)) return undefined;
  return (
    `Type of the reference to the SignedProperties: expected ${expected}, found a different ` +
    'one'
  );
}

/** Whether this is a reference of the signature with the SignedProperties Type in any version. */
export function isTyped({ reference, report }: CheckedReference): boolean {
  return report.listedBy === undefined && signedPropertiesType.test(reference.type ?? '');
}

function fault(message: string): Finding {
  return buildFinding('signature.properties.uncovered', message);
}
