import { attempt } from '../../base/errors.ts';
import { readOid, readSequence } from '../../formats/asn1/index.ts';
import type {
  CriteriaList,
  Criterion,
  KeyUsageBit,
  ServiceState,
} from '../../formats/tsl/index.ts';
import { type Certificate, keyUsageBits, parseName } from '../../formats/x509/index.ts';

/** Qualifiers that apply to a certificate. `doubt` names an unknown criterion. */
export interface CapturedQualifiers {
  /** Last segments of the URIs: `QCForESig`. */
  readonly names: ReadonlySet<string>;
  readonly doubt?: string;
}

/**
 * Returns the qualifiers of a service whose criteria a certificate meets.
 *
 * @spec ETSI TS 119 612 §5.5.9.2
 */
export function captureQualifiers(
  { qualifications }: ServiceState,
  certificate: Certificate,
): CapturedQualifiers {
  const names = new Set<string>();
  let doubt: string | undefined;
  for (const { qualifiers, criteria } of qualifications) {
    const meets = meetsList(criteria, certificate);
    if (typeof meets === 'string') doubt ??= meets;
    if (meets !== true) continue;
    for (const uri of qualifiers) names.add(uri.slice(uri.lastIndexOf('/') + 1));
  }
  return { names, ...(doubt === undefined ? {} : { doubt }) };
}

/** True, false, or the name of an unknown criterion that would decide. */
type Meets = boolean | string;

function meetsList({ assertion, criteria }: CriteriaList, certificate: Certificate): Meets {
  const answers = criteria.map((each) => meetsCriterion(each, certificate));
  const unknown = answers.find((each) => typeof each === 'string');
  // An empty list decides nothing.
  if (answers.length === 0) return 'no criteria';
  if (assertion === 'all') return answers.includes(false) ? false : (unknown ?? true);
  if (assertion === 'atLeastOne') return answers.includes(true) ? true : (unknown ?? false);
  return answers.includes(true) ? false : (unknown ?? true);
}

function meetsCriterion(criterion: Criterion, certificate: Certificate): Meets {
  const { extensions } = certificate;
  switch (criterion.kind) {
    case 'list':
      return meetsList(criterion.list, certificate);
    case 'key-usage':
      return meetsBits(criterion.bits, extensions.keyUsage);
    case 'policies':
      return hasAll(criterion.oids, policiesOf(certificate));
    case 'extended-key-usage':
      return hasAll(criterion.oids, extensions.extendedKeyUsage ?? []);
    case 'subject-attributes':
      return hasAll(criterion.oids, attributesOf(certificate));
    default:
      return criterion.name;
  }
}

function hasAll(wanted: readonly string[], found: readonly string[]): Meets {
  if (wanted.length === 0) return 'an empty criterion';
  return wanted.every((each) => found.includes(each));
}

/** Key usage bits that path validation does not use. @spec RFC 5280 §4.2.1.3 */
const otherBits = { encipherOnly: 1 << 7, decipherOnly: 1 << 8 };

/** X.509 names. `contentCommitment` is the new name of nonRepudiation, `crlSign` a variant. */
const bitNames = new Map<string, number>(
  Object.entries({
    ...keyUsageBits,
    ...otherBits,
    contentCommitment: keyUsageBits.nonRepudiation,
  }).map(([name, bit]) => [name.toLowerCase(), bit]),
);

function meetsBits(bits: readonly KeyUsageBit[], usage: number | undefined): Meets {
  if (bits.length === 0) return 'an empty criterion';
  for (const { name, isSet } of bits) {
    const bit = bitNames.get(name.toLowerCase());
    if (bit === undefined) return `key usage ${name.slice(0, 40)}`;
    if ((((usage ?? 0) & bit) !== 0) !== isSet) return false;
  }
  return true;
}

/** The certificate policies, as dotted numbers. @throws nothing: malformed ones are ignored */
export function policiesOf({ extensions }: Certificate): readonly string[] {
  const node = extensions.policies.certificatePolicies;
  if (node === undefined) return [];
  const read = () =>
    readSequence(node, 'policies').map((policy) => readOid(readSequence(policy, 'policy')[0]));
  return attempt(read) ?? [];
}

function attributesOf({ subjectDer }: Certificate): readonly string[] {
  return (
    attempt(() =>
      parseName(subjectDer)
        .flat()
        .map(({ type }) => type),
    ) ?? []
  );
}
