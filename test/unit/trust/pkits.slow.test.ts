import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defined } from '../../../src/base/defined.ts';
import { type CertificatePool, findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';

const folder = new URL(
  '../../../../shared/corpora/pyhanko-certvalidator/pkgs/pyhanko-certvalidator/tests/fixtures/nist_pkits/',
  import.meta.url,
).pathname;
const present = existsSync(folder);

/** A time inside the validity of the PKITS certificates and CRLs. */
const atMs = Date.UTC(2022, 4, 1);

/** A test of the suite: one certificate, the available data, and the inputs of path validation. */
interface Case {
  readonly id: string;
  readonly name: string;
  readonly cert: string;
  readonly other_certs?: readonly string[];
  readonly crls?: readonly string[];
  readonly params?: {
    readonly user_initial_policy_set?: readonly string[];
    readonly initial_explicit_policy?: boolean;
    readonly initial_policy_mapping_inhibit?: boolean;
    readonly initial_any_policy_inhibit?: boolean;
  };
  /** Present if the path is invalid. */
  readonly error?: object;
}

const read = (kind: 'certs' | 'crls', name: string) => readFileSync(join(folder, kind, name));
const readAll = (kind: 'certs' | 'crls') =>
  readdirSync(join(folder, kind))
    .filter((file) => /\.(crt|crl)$/.test(file))
    .map((file) => read(kind, file));

/** `valid`, or the reason: first the path, then the status of each certificate below the anchor. */
function check(
  { cert, params = {} }: Case,
  pool: CertificatePool,
  crls: readonly Uint8Array[],
): string {
  const certificate = pool.add(read('certs', cert));
  const root = pool.add(read('certs', 'TrustAnchorRootCertificate.crt'));
  if (certificate === undefined || root === undefined) return 'unreadable';
  const anchors = [root];
  const policies = defined({
    accepted: params.user_initial_policy_set,
    explicitPolicy: params.initial_explicit_policy,
    inhibitMapping: params.initial_policy_mapping_inhibit,
    inhibitAnyPolicy: params.initial_any_policy_inhibit,
  });
  const result = findPath({ certificate, pool, anchors, atMs, policies });
  if (!result.valid) return `${result.problem}: ${result.message}`;
  for (const [index, member] of result.path.entries()) {
    const issuer = result.path[index + 1];
    if (issuer === undefined) break;
    const data = { ocsp: [], crls };
    const verdict = checkRevocation({ certificate: member, issuer, data, pool, anchors, atMs });
    if (verdict.status !== 'good') return `${verdict.status}: ${verdict.message}`;
  }
  return 'valid';
}

describe.skipIf(!present)(
  `NIST PKITS${present ? '' : ' (skipped: ../shared/corpora is absent)'}`,
  () => {
    const cases: readonly Case[] = present
      ? JSON.parse(readFileSync(join(folder, 'pkits.json'), 'utf8'))
      : [];
    const everything = present
      ? { certificates: readAll('certs'), crls: readAll('crls') }
      : { certificates: [], crls: [] };
    const pool = createCertificatePool(everything.certificates);

    test('contains the expected number of cases', () => {
      expect(cases).toHaveLength(246);
    });

    const rows = cases.map((row) => [row.id, row.name, row] as const);
    test.each(rows)('%s %s: the path has the expected result', (_, __, row) => {
      const expected = row.error === undefined;
      const own = createCertificatePool((row.other_certs ?? []).map((name) => read('certs', name)));
      const listed = ['TrustAnchorRootCRL.crl', ...(row.crls ?? [])].filter((name) =>
        existsSync(join(folder, 'crls', name)),
      );
      const found = check(
        row,
        own,
        listed.map((name) => read('crls', name)),
      );
      expect(found === 'valid', `with its own data: ${found}`).toBe(expected);
      // Additional data must not change the result.
      const among = check(row, pool, everything.crls);
      expect(among === 'valid', `with all data: ${among}`).toBe(expected);
    });
  },
);
