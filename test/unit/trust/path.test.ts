import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { buildName, keyUsageBits } from '../../../src/formats/x509/index.ts';
import { findPath, type PathResult } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import {
  makeTestPki,
  type TestKeyKind,
  type TestMember,
  type TestMemberName,
  type TestRequest,
} from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root');
const ca = pki.member('ca');
const atMs = pki.nowMs;
const caUsage = keyUsageBits.keyCertSign | keyUsageBits.cRLSign;

function find(
  leaf: TestMember,
  others: readonly TestMember[],
  anchors = [root],
  time = atMs,
): PathResult {
  const pool = createCertificatePool(others.map((member) => member.der));
  const trusted = anchors.map(({ certificate }) => certificate);
  return findPath({ certificate: leaf.certificate, pool, anchors: trusted, atMs: time });
}

function issueCa(name: string, issuer: TestMember, extensions: TestRequest['extensions'] = {}) {
  const base = { basicConstraints: { ca: true }, keyUsage: caUsage };
  return pki.issue({ name, issuer, extensions: { ...base, ...extensions } });
}

describe('findPath', () => {
  test.each(['signer', 'rsa', 'pss', 'p384', 'p521', 'ed25519', 'tsa'] as TestMemberName[])(
    'links %s to the root',
    (name) => {
      const result = find(pki.member(name), [ca]);
      expect(result).toMatchObject({ valid: true });
      expect(result.path).toHaveLength(3);
    },
  );

  test.each(['RSA-2048', 'RSA-PSS', 'Ed25519', 'P-521'] as TestKeyKind[])(
    'finds the path when root and CA sign with %s',
    (caKey) => {
      const other = makeTestPki({ caKey });
      const anchors = [other.member('root').certificate];
      const pool = createCertificatePool([other.member('ca').der]);
      const { certificate } = other.member('signer');
      expect(findPath({ certificate, pool, anchors, atMs }).valid).toBe(true);
    },
  );

  test('ignores the expiry of the trust anchor, which is not part of the path', () => {
    const early = pki.issue({ name: 'early', notAfterMs: atMs - 1000 });
    const anchor = issueCa('short', root);
    const leaf = pki.issue({ name: 'leaf', issuer: anchor, notAfterMs: atMs + 9e11 });
    const late = anchor.certificate.notAfterMs + 1_000_000;
    expect(find(leaf, [], [anchor], late)).toMatchObject({ valid: true });
    expect(find(early, [], [early])).toMatchObject({ valid: true });
  });

  test('ends at a trust anchor that is a CA, or at the certificate itself', () => {
    const signer = pki.member('signer');
    expect(find(signer, [], [ca]).path).toHaveLength(2);
    expect(find(signer, [ca, root], [ca, root]).path).toHaveLength(2);
    expect(find(signer, [], [signer])).toMatchObject({ valid: true, path: [signer.certificate] });
  });

  test('tries another issuer if the first leads nowhere', () => {
    const strangeRoot = makeTestPki().issue({
      name: 'strange',
      extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
    });
    const subjectDer = ca.certificate.subjectDer;
    // The same key as the CA, certified by an untrusted issuer.
    const cross = pki.issue({
      name: 'cross',
      issuer: strangeRoot,
      keyOf: ca,
      subjectDer,
      extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
    });
    const result = find(pki.member('signer'), [cross, strangeRoot, ca]);
    expect(result.valid).toBe(true);
    expect(Buffer.from(result.path[1]?.der ?? []).equals(ca.der)).toBe(true);
  });

  test('prefers a valid path to an expired one with the same key', () => {
    const old = pki.issue({
      name: 'ca',
      keyOf: ca,
      issuer: root,
      notBeforeMs: atMs - 1e10,
      notAfterMs: atMs - 1e9,
      extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
    });
    expect(find(pki.member('signer'), [old, ca]).valid).toBe(true);
    expect(find(pki.member('signer'), [old])).toMatchObject({
      problem: 'OUT_OF_BOUNDS_NOT_REVOKED',
    });
  });

  test('uses each name and key once, even if a root is cross-certified', () => {
    const own = makeTestPki().member('root');
    const subjectDer = own.certificate.subjectDer;
    const extensions = { basicConstraints: { ca: true }, keyUsage: caUsage };
    const cross = pki.issue({ name: 'cross', issuer: root, keyOf: own, subjectDer, extensions });
    const leaf = pki.issue({ name: 'leaf', issuer: issueCa('below', own) });
    const below = leaf.chain.map((one) => ({ der: one }) as TestMember);
    // The root's self-signed certificate also verifies with the key of `cross`.
    const result = find(leaf, [...below, own, cross]);
    expect(result.valid).toBe(true);
    expect(result.path).toHaveLength(4);
    expect(find(leaf, [...below, cross, own]).path).toHaveLength(4);
  });

  test('does not run in circles', () => {
    const a = issueCa('loop-a', root);
    const b = issueCa('loop-b', a);
    const again = pki.issue({
      name: 'loop-a',
      keyOf: a,
      issuer: b,
      extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
    });
    const leaf = pki.issue({ name: 'loop-leaf', issuer: b });
    expect(find(leaf, [again, b], [])).toMatchObject({
      valid: false,
      problem: 'NO_CERTIFICATE_CHAIN_FOUND',
    });
    expect(find(leaf, [again, b, a]).valid).toBe(true);
  });

  test('gives up soon among many matching CAs', () => {
    const extensions = { basicConstraints: { ca: true }, keyUsage: caUsage };
    const first = issueCa('crowd', ca);
    const crowd = Array.from({ length: 60 }, () =>
      pki.issue({ name: 'crowd', keyOf: first, issuer: ca, extensions }),
    );
    const more = crowd.map((issuer) =>
      pki.issue({ name: 'crowd', keyOf: first, issuer, extensions }),
    );
    const leaf = pki.issue({ name: 'crowd-leaf', issuer: first });
    const start = cpuMs();
    expect(find(leaf, [...crowd, ...more], []).valid).toBe(false);
    expect(cpuMs() - start).toBeLessThan(2000);
  });
});

describe('an invalid path', () => {
  const leafOf = (issuer: TestMember) => pki.issue({ name: 'leaf', issuer });

  test.each<[string, () => PathResult, string, RegExp]>([
    [
      'the issuer is missing',
      () => find(pki.member('signer'), []),
      'NO_CERTIFICATE_CHAIN_FOUND',
      /neither known nor/,
    ],
    [
      'no anchors',
      () => find(pki.member('signer'), [ca, root], []),
      'NO_CERTIFICATE_CHAIN_FOUND',
      /"CN=root,C=IS" is self-issued and not a trust anchor/,
    ],
    [
      'the issuer has another key',
      () =>
        find(pki.member('signer'), [
          pki.issue({
            name: 'impostor',
            subjectDer: ca.certificate.subjectDer,
            issuer: root,
            extensions: { basicConstraints: { ca: true } },
          }),
        ]),
      'NO_CERTIFICATE_CHAIN_FOUND',
      /no certificate of "CN=ca/,
    ],
    [
      'expired',
      () => find(pki.member('expired'), [ca]),
      'OUT_OF_BOUNDS_NOT_REVOKED',
      /CN=expired.*not at 2026-06-01/,
    ],
    [
      'not yet valid',
      () => find(pki.member('notYetValid'), [ca]),
      'NOT_YET_VALID',
      /CN=notYetValid/,
    ],
    [
      'the root has expired',
      () => find(pki.member('signer'), [ca], [root], atMs + 3e11),
      'OUT_OF_BOUNDS_NOT_REVOKED',
      /not at/,
    ],
    [
      'a leaf as an issuer',
      () => find(leafOf(pki.member('signer')), [pki.member('signer'), ca]),
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /is not a CA/,
    ],
    [
      'a trust anchor without CA as an issuer',
      () => find(leafOf(pki.member('signer')), [], [pki.member('signer')]),
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /is not a CA/,
    ],
    [
      'no keyCertSign',
      () => {
        const odd = issueCa('odd', ca, { keyUsage: keyUsageBits.cRLSign });
        return find(leafOf(odd), [odd, ca]);
      },
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /keyCertSign/,
    ],
    [
      'no basic constraints',
      () => {
        const odd = issueCa('odd', ca, { basicConstraints: undefined });
        return find(leafOf(odd), [odd, ca]);
      },
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /is not a CA/,
    ],
    [
      'path length',
      () => {
        const top = issueCa('top', root, { basicConstraints: { ca: true, pathLength: 0 } });
        const low = issueCa('low', top);
        return find(leafOf(low), [top, low]);
      },
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /exceeds the path length/,
    ],
    [
      'an unknown critical extension',
      () =>
        find(
          pki.issue({
            name: 'odd',
            extensions: { others: [{ name: '1.2.3.4', critical: true, value: der.nil() }] },
          }),
          [ca],
        ),
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
      /1\.2\.3\.4/,
    ],
  ])('is rejected: %s', (_title, run, problem, message) => {
    const result = run();
    expect(result).toMatchObject({ valid: false, problem });
    expect(result.valid ? '' : result.message).toMatch(message);
  });

  test('is one with a tampered signature', () => {
    const bytes = Buffer.from(pki.member('signer').der);
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
    const pool = createCertificatePool([ca.der, bytes]);
    const certificate = pool.all[1] ?? ca.certificate;
    const result = findPath({ certificate, pool, anchors: [root.certificate], atMs });
    expect(result).toMatchObject({ valid: false, problem: 'NO_CERTIFICATE_CHAIN_FOUND' });
  });

  test('is one after the second of notAfter, but not within it', () => {
    const { notAfterMs } = pki.member('expired').certificate;
    const at = (time: number) =>
      find(
        pki.member('expired'),
        [
          pki.issue({
            name: 'ca',
            keyOf: ca,
            issuer: root,
            notBeforeMs: 0,
            extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
          }),
        ],
        [
          pki.issue({
            name: 'root',
            keyOf: root,
            issuer: root,
            subjectDer: root.certificate.subjectDer,
            notBeforeMs: 0,
            extensions: { basicConstraints: { ca: true }, keyUsage: caUsage },
          }),
        ],
        time,
      );
    expect(at(notAfterMs + 999)).toMatchObject({ valid: true });
    expect(at(notAfterMs + 1000)).toMatchObject({ problem: 'OUT_OF_BOUNDS_NOT_REVOKED' });
  });
});

describe('name constraints', () => {
  const general = (tag: number, content: Uint8Array) => der.element(tag, [content]);
  const text = (tag: number, value: string) => general(tag, Buffer.from(value));
  const permit = (base: Uint8Array) => der.explicit(0, der.sequence(base));
  const exclude = (base: Uint8Array) => der.explicit(1, der.sequence(base));
  const altNames = (...names: Uint8Array[]) => ({
    others: [{ name: oids.subjectAltName, critical: false, value: der.sequence(...names) }],
  });
  const org = (name: string) => general(0xa4, buildName({ organizationName: name }));

  test.each<[string, Uint8Array, { subject?: Uint8Array; san?: Uint8Array[] }, boolean]>([
    [
      'directory: inside',
      permit(org('A')),
      { subject: buildName({ organizationName: 'a', commonName: 'x' }) },
      true,
    ],
    [
      'directory: outside',
      permit(org('A')),
      { subject: buildName({ organizationName: 'B', commonName: 'x' }) },
      false,
    ],
    [
      'directory: excluded',
      exclude(org('A')),
      { subject: buildName({ organizationName: 'A', commonName: 'x' }) },
      false,
    ],
    [
      'directory: another name excluded',
      exclude(org('A')),
      { subject: buildName({ organizationName: 'B' }) },
      true,
    ],
    [
      'directory: alternative name outside',
      permit(org('A')),
      { subject: buildName({ organizationName: 'A' }), san: [org('B')] },
      false,
    ],
    ['dns: below', permit(text(0x82, 'example.com')), { san: [text(0x82, 'a.example.com')] }, true],
    [
      'dns: the domain itself',
      permit(text(0x82, 'example.com')),
      { san: [text(0x82, 'EXAMPLE.com')] },
      true,
    ],
    [
      'dns: a name with a longer label',
      permit(text(0x82, 'example.com')),
      { san: [text(0x82, 'badexample.com')] },
      false,
    ],
    ['dns: none claimed', permit(text(0x82, 'example.com')), {}, true],
    ['mail: host', permit(text(0x81, 'example.com')), { san: [text(0x81, 'a@example.com')] }, true],
    [
      'mail: below the host',
      permit(text(0x81, 'example.com')),
      { san: [text(0x81, 'a@b.example.com')] },
      false,
    ],
    [
      'mail: domain',
      permit(text(0x81, '.example.com')),
      { san: [text(0x81, 'a@b.example.com')] },
      true,
    ],
    [
      'mail: address',
      permit(text(0x81, 'a@example.com')),
      { san: [text(0x81, 'b@example.com')] },
      false,
    ],
    [
      'uri: host',
      permit(text(0x86, 'example.com')),
      { san: [text(0x86, 'https://u@example.com:8/x')] },
      true,
    ],
    [
      'uri: no host, excluded',
      exclude(text(0x86, 'example.com')),
      { san: [text(0x86, 'urn:x')] },
      false,
    ],
    [
      'ip: inside',
      permit(general(0x87, Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0))),
      { san: [general(0x87, Uint8Array.of(10, 1, 2, 3))] },
      true,
    ],
    [
      'ip: outside',
      permit(general(0x87, Uint8Array.of(10, 0, 0, 0, 255, 0, 0, 0))),
      { san: [general(0x87, Uint8Array.of(11, 1, 2, 3))] },
      false,
    ],
    ['an unsupported form in use', permit(text(0x88, 'x')), { san: [text(0x88, 'x')] }, false],
    ['an unsupported form not in use', permit(text(0x88, 'x')), {}, true],
    [
      'a maximum',
      der.explicit(0, der.sequence(org('A'), Uint8Array.of(0x81, 1, 5))),
      { subject: buildName({ organizationName: 'A' }) },
      false,
    ],
  ])('are enforced: %s', (_title, subtree, { subject, san }, valid) => {
    const value = der.sequence(subtree);
    const top = issueCa('constrained', root, {
      others: [{ name: oids.nameConstraints, critical: true, value }],
    });
    const leaf = pki.issue({
      name: 'named',
      issuer: top,
      ...(subject === undefined ? {} : { subjectDer: subject }),
      ...(san === undefined ? {} : { extensions: altNames(...san) }),
    });
    const result = find(leaf, [top]);
    expect(result.valid, result.valid ? 'valid' : result.message).toBe(valid);
  });
});
