import { getOrCompute } from '../../base/memo.ts';
import {
  contentOf,
  type DerNode,
  readOid,
  readSequence,
  readSmallInteger,
} from '../../formats/asn1/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { namesOf } from '../certificates.ts';

const ANY_POLICY = '2.5.29.32.0';

/** Policy inputs of path validation. @spec RFC 5280 §6.1.1 (c), (e)-(g) */
export interface InitialPolicies {
  /** user-initial-policy-set: object identifiers. Default: any policy. */
  readonly accepted?: readonly string[];
  /** initial-explicit-policy: the path must be valid for one of them. Default: false. */
  readonly explicitPolicy?: boolean;
  /** initial-policy-mapping-inhibit. Default: false. */
  readonly inhibitMapping?: boolean;
  /** initial-any-policy-inhibit. Default: false. */
  readonly inhibitAnyPolicy?: boolean;
}

/** A policy that is valid at one depth of the path. */
interface PolicyNode {
  /** Policies by which the next certificate may refer to it. */
  readonly expected: ReadonlySet<string>;
  /** In the anchor's domain it is one of the policies that the caller accepts, or any policy. */
  readonly isAccepted: boolean;
}
type PolicyLevel = Map<string, PolicyNode>;

/** State variables of RFC 5280 §6.1.2 that count certificates down to zero. */
interface PolicyState {
  level: PolicyLevel;
  explicitPolicy: number;
  inhibitAnyPolicy: number;
  policyMapping: number;
  /** Whether a policy of the anchor's domain is accepted. */
  readonly accepts: (policy: string) => boolean;
}

/**
 * The reason that the certificate policies along a path (leaf first, anchor last) violate a
 * requirement of the caller or of a CA on the path; undefined if they do not. Policies matter only
 * if one is required. A graph with at most one node per policy keeps the work linear.
 *
 * @throws asn1.invalid if an extension is malformed
 * @spec RFC 5280 §6.1.3 (d)-(f), §6.1.4 (a), (b), (h)-(j), §6.1.5; RFC 9618 §5
 */
export function checkPolicies(
  path: readonly Certificate[],
  initial: InitialPolicies = {},
): string | undefined {
  const depth = path.length - 1;
  const isDemanded = initial.explicitPolicy === true || path.some(demandsPolicies);
  if (!isDemanded) return undefined;
  const state = initialState(initial, depth);
  for (let i = depth - 1; i >= 0; i--) {
    const certificate = path[i] as Certificate;
    const names = namesOf(certificate);
    const selfIssued = names.subject === names.issuer;
    descend(state, certificate, i > 0 && selfIssued);
    if (state.explicitPolicy === 0 && state.level.size === 0) return NO_POLICY;
    if (i === 0) break;
    const fault = applyMappings(state, certificate);
    if (fault !== undefined) return fault;
    if (!selfIssued) {
      state.explicitPolicy = Math.max(0, state.explicitPolicy - 1);
      state.policyMapping = Math.max(0, state.policyMapping - 1);
      state.inhibitAnyPolicy = Math.max(0, state.inhibitAnyPolicy - 1);
    }
    applyConstraints(state, certificate);
  }
  return wrapUp(state, path[0] as Certificate);
}

function initialState(initial: InitialPolicies, depth: number): PolicyState {
  const accepted = initial.accepted && new Set(initial.accepted);
  const isAny = accepted === undefined || accepted.has(ANY_POLICY);
  const root = { expected: new Set([ANY_POLICY]), isAccepted: isAny || accepted.size > 0 };
  const count = (isZero: boolean | undefined) => (isZero === true ? 0 : depth + 1);
  return {
    level: new Map([[ANY_POLICY, root]]),
    explicitPolicy: count(initial.explicitPolicy),
    inhibitAnyPolicy: count(initial.inhibitAnyPolicy),
    policyMapping: count(initial.inhibitMapping),
    accepts: (policy) => isAny || accepted.has(policy),
  };
}

/**
 * The fault of a path that is not valid for any policy accepted by the caller; otherwise undefined.
 *
 * @spec RFC 5280 §6.1.5
 */
function wrapUp(state: PolicyState, leaf: Certificate): string | undefined {
  const required = constraintOf(leaf.extensions.policies.policyConstraints, 0x80);
  const explicitPolicy = required === 0 ? 0 : Math.max(0, state.explicitPolicy - 1);
  if (explicitPolicy > 0) return undefined;
  for (const { isAccepted } of state.level.values()) if (isAccepted) return undefined;
  return state.level.size === 0
    ? NO_POLICY
    : 'the path is valid only for other certificate policies';
}

const NO_POLICY = 'a certificate policy is required, and none is valid for the whole path';

function demandsPolicies({ extensions: { policies } }: Certificate): boolean {
  return policies.policyConstraints !== undefined || policies.policyMappings !== undefined;
}

function descend(state: PolicyState, certificate: Certificate, exempt: boolean): void {
  const { certificatePolicies } = certificate.extensions.policies;
  const next: PolicyLevel = new Map();
  if (certificatePolicies !== undefined) {
    const own = readSequence(certificatePolicies, 'certificate policies').map((information) =>
      readOid(readSequence(information, 'policy information')[0], 'policy'),
    );
    const expected = expectedNames(state.level);
    for (const policy of own) {
      if (policy === ANY_POLICY) continue;
      const isAccepted =
        expected.get(policy) ?? (state.level.has(ANY_POLICY) ? state.accepts(policy) : undefined);
      if (isAccepted !== undefined) next.set(policy, nodeOf(policy, isAccepted));
    }
    if (own.includes(ANY_POLICY) && (state.inhibitAnyPolicy > 0 || exempt)) {
      for (const [policy, isAccepted] of expected) {
        if (!next.has(policy)) next.set(policy, nodeOf(policy, isAccepted));
      }
    }
  }
  state.level = next;
}

function nodeOf(policy: string, isAccepted: boolean): PolicyNode {
  return { expected: new Set([policy]), isAccepted };
}

/** Policies that the next certificate may state, each with whether it means an accepted policy. */
function expectedNames(level: PolicyLevel): Map<string, boolean> {
  const names = new Map<string, boolean>();
  for (const { expected, isAccepted } of level.values()) {
    for (const name of expected) names.set(name, isAccepted || names.get(name) === true);
  }
  return names;
}

function applyMappings(state: PolicyState, certificate: Certificate): string | undefined {
  const { policyMappings } = certificate.extensions.policies;
  if (policyMappings === undefined) return undefined;
  const mapped = new Map<string, Set<string>>();
  for (const mapping of readSequence(policyMappings, 'policy mappings')) {
    const [from, to] = readSequence(mapping, 'policy mapping').map((node) => readOid(node));
    if (from === undefined || to === undefined || from === ANY_POLICY || to === ANY_POLICY) {
      return 'a policy mapping from or to any policy';
    }
    getOrCompute(mapped, from, () => new Set()).add(to);
  }
  for (const [from, targets] of mapped) {
    const node = state.level.get(from);
    if (state.policyMapping === 0) state.level.delete(from);
    else if (node !== undefined) state.level.set(from, { ...node, expected: targets });
    else if (state.level.has(ANY_POLICY)) {
      state.level.set(from, { expected: targets, isAccepted: state.accepts(from) });
    }
  }
  return undefined;
}

function applyConstraints(state: PolicyState, certificate: Certificate): void {
  const { policyConstraints, inhibitAnyPolicy } = certificate.extensions.policies;
  const required = constraintOf(policyConstraints, 0x80);
  const inhibited = constraintOf(policyConstraints, 0x81);
  if (required !== undefined) state.explicitPolicy = Math.min(state.explicitPolicy, required);
  if (inhibited !== undefined) state.policyMapping = Math.min(state.policyMapping, inhibited);
  if (inhibitAnyPolicy !== undefined) {
    const skip = readSmallInteger(inhibitAnyPolicy, 'inhibitAnyPolicy');
    state.inhibitAnyPolicy = Math.min(state.inhibitAnyPolicy, Math.max(0, skip));
  }
}

/** `SEQUENCE { [0] requireExplicitPolicy, [1] inhibitPolicyMapping }`, both IMPLICIT INTEGER. */
function constraintOf(node: DerNode | undefined, tag: number): number | undefined {
  if (node === undefined) return undefined;
  const field = readSequence(node, 'policy constraints').find((one) => one.tag === tag);
  if (field === undefined) return undefined;
  const count = contentOf(field);
  // A count above 255 exceeds the length of any path that is examined.
  return count.length === 1 ? (count[0] as number) : Number.MAX_SAFE_INTEGER;
}
