import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTimestampRequest } from '../../../src/adapters/tsa/index.ts';
import {
  buildTimestampRequest,
  parseTimestampRequest,
  parseTimestampResponse,
  requireToken,
} from '../../../src/formats/tsp/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { requireTimestamp } from '../../../src/trust/timestamp.ts';
import { hasOpenssl, opensslNote, pem } from '../../support/openssl.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { issuerOf } from '../../support/tsa.ts';
import { type OpensslRoom, openRoom } from '../../support/tsa-openssl.ts';

const data = Buffer.from('bytes to prove the age of\n');

/** Configuration for `openssl ts -reply`. */
const configuration = `
[tsa]
default_tsa = here
[here]
serial = serial
crypto_device = builtin
signer_cert = tsa.pem
certs = chain.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 2.999.1
digests = sha256, sha512
accuracy = secs:1, millisecs:500, microsecs:100
ordering = yes
tsa_name = yes
ess_cert_id_chain = no
ess_cert_id_alg = sha256
`;

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  // openssl uses the real clock.
  const pki = makeTestPki({ nowMs: Date.now() });
  const extensions = {
    keyUsage: 1,
    extendedKeyUsage: ['1.3.6.1.5.5.7.3.8'],
    extendedKeyUsageCritical: true,
  };
  const members: Record<string, TestMember> = {
    'P-256': pki.member('tsa'),
    'P-384': pki.issue({ name: 'tsa 384', key: 'P-384', extensions }),
    'RSA-2048': pki.issue({ name: 'tsa rsa', key: 'RSA-2048', extensions }),
  };
  let room: OpensslRoom;

  beforeAll(() => {
    room = openRoom();
    room.put('data', data);
    room.put('root.pem', pem('CERTIFICATE', pki.member('root').der));
    room.put('chain.pem', pem('CERTIFICATE', pki.member('ca').der, pki.member('root').der));
    room.put('tsa.cnf', configuration);
    room.put('serial', '01\n');
  });
  afterAll(() => room.clear());

  const digests = ['sha256', 'sha384', 'sha512'] as const;
  const cases = Object.keys(members).flatMap((key) => digests.map((digest) => [key, digest]));

  test.each(cases)('creates a request and accepts our token: %s, %s', (key, digest) => {
    const policy = ['-tspolicy', '2.999.1'];
    room.run('ts', '-query', '-data', 'data', `-${digest}`, '-cert', ...policy, '-out', 'q');
    const response = answerTimestampRequest(room.get('q'), issuerOf(pki, members[key]!));
    room.put('r', response);
    const trust = ['-CAfile', 'root.pem'];
    expect(room.run('ts', '-verify', '-queryfile', 'q', '-in', 'r', ...trust)).toMatch(/OK/);
    const token = requireToken(response, 'ours');
    room.put('t', token);
    const asToken = ['-in', 't', '-token_in', ...trust];
    expect(room.run('ts', '-verify', '-data', 'data', ...asToken)).toMatch(/OK/);
  });

  test('understands our token without certificates and our rejection', () => {
    room.run('ts', '-query', '-data', 'data', '-sha256', '-out', 'q');
    const member = members['P-256']!;
    const issuer = issuerOf(pki, member);
    room.put('r', answerTimestampRequest(room.get('q'), issuer));
    room.put('untrusted.pem', pem('CERTIFICATE', member.der, pki.member('ca').der));
    const trust = ['-CAfile', 'root.pem', '-untrusted', 'untrusted.pem'];
    expect(room.run('ts', '-verify', '-queryfile', 'q', '-in', 'r', ...trust)).toMatch(/OK/);
    room.run('ts', '-query', '-data', 'data', '-sha1', '-out', 'q');
    room.put('r', answerTimestampRequest(room.get('q'), issuer));
    const text = room.run('ts', '-reply', '-in', 'r', '-text');
    expect(text).toMatch(/Status: Rejected/i);
    expect(text).toMatch(/unrecognized or unsupported algorithm/i);
  });

  test.each(Object.keys(members))('issues a valid token for our request: %s', (key) => {
    const member = members[key]!;
    const imprint = createHash('sha256').update(data).digest();
    const nonce = Buffer.from('00f0f1f2f3f4f5f6', 'hex');
    const request = buildTimestampRequest({ digest: 'sha256', imprint, nonce, policy: '2.999.1' });
    expect(parseTimestampRequest(request).certReq).toBe(true);
    room.put('q', request);
    room.put('tsa.pem', pem('CERTIFICATE', member.der));
    room.put('tsa.key', member.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    room.run('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'q', '-out', 'r');
    const verdict = requireTimestamp({
      token: requireToken(room.get('r'), 'openssl'),
      imprint: { digest: 'sha256', value: imprint },
      nonce,
      policy: '2.999.1',
      pool: createCertificatePool(),
      anchors: [pki.member('root').certificate],
      nowMs: Date.now(),
    });
    expect(verdict).toMatchObject({ valid: true, trusted: true });
    expect(verdict.info).toMatchObject({ accuracyMs: 1500.1, ordering: true });
    expect(verdict.info?.tsa).toBeDefined();
  });

  test('issues a rejection that we can read', () => {
    const imprint = new Uint8Array(48);
    room.put('q', buildTimestampRequest({ digest: 'sha384', imprint }));
    room.run('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'q', '-out', 'r');
    const answer = parseTimestampResponse(room.get('r'));
    expect(answer).toMatchObject({ status: 'rejection', failure: 'badAlg', token: undefined });
    expect(answer.statusText).not.toBe('');
    expect(() => requireToken(room.get('r'), 'openssl')).toThrow(
      expect.objectContaining({ code: 'tsa.refused' }),
    );
  });
});
