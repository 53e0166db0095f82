import {
  contentOf,
  type DerNode,
  readOid,
  readSequence,
  readSmallInteger,
} from '../formats/asn1/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { namesOf } from './certificates.ts';

const ANY_POLICY = '2.5.29.32.0';

/** Policies valid at one depth of the path, each with what the next certificate may call it. */
type PolicyLevel = Map<string, ReadonlySet<string>>;

/** State variables of RFC 5280 §6.1.2 that count certificates down to zero. */
interface PolicyState {
  level: PolicyLevel;
  explicitPolicy: number;
  inhibitAnyPolicy: number;
  policyMapping: number;
}

/**
 * Why the certificate policies along a path (leaf first, anchor last) break what a CA of the path
 * demands, or undefined when they do not. Any policy is acceptable to us; it matters only where a
 * CA requires that there is one. The graph form keeps the work linear.
 *
 * @throws asn1.invalid when an extension is damaged
 * @spec RFC 5280 §6.1.3 (d)-(f), §6.1.4 (a), (b), (h)-(j), §6.1.5; RFC 9618 §5
 */
export function checkPolicies(path: readonly Certificate[]): string | undefined {
  const depth = path.length - 1;
  if (!path.some((certificate) => demandsPolicies(certificate))) return undefined;
  const state: PolicyState = {
    level: new Map([[ANY_POLICY, new Set([ANY_POLICY])]]),
    explicitPolicy: depth + 1,
    inhibitAnyPolicy: depth + 1,
    policyMapping: depth + 1,
  };
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
  const leaf = path[0] as Certificate;
  const required = constraintOf(leaf.extensions.policies.policyConstraints, 0x80);
  const explicitPolicy = required === 0 ? 0 : Math.max(0, state.explicitPolicy - 1);
  return explicitPolicy === 0 && state.level.size === 0 ? NO_POLICY : undefined;
}

const NO_POLICY = 'a CA requires a certificate policy, and none is valid for the whole path';

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
    const expected = new Set([...state.level.values()].flatMap((names) => [...names]));
    for (const policy of own) {
      if (policy !== ANY_POLICY && (expected.has(policy) || state.level.has(ANY_POLICY))) {
        next.set(policy, new Set([policy]));
      }
    }
    if (own.includes(ANY_POLICY) && (state.inhibitAnyPolicy > 0 || exempt)) {
      for (const policy of expected) {
        if (!next.has(policy)) next.set(policy, new Set([policy]));
      }
    }
  }
  state.level = next;
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
    const targets = mapped.get(from);
    if (targets === undefined) mapped.set(from, new Set([to]));
    else targets.add(to);
  }
  for (const [from, targets] of mapped) {
    if (state.policyMapping === 0) state.level.delete(from);
    else if (state.level.has(from) || state.level.has(ANY_POLICY)) state.level.set(from, targets);
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
  // A count above 255 is further than any path that is looked at.
  return count.length === 1 ? (count[0] as number) : Number.MAX_SAFE_INTEGER;
}
