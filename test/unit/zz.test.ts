import { execFileSync } from 'node:child_process';
import { createHash, createPrivateKey, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { it, expect } from 'vitest';
import { pemSigner, readCertificates, readPrivateKey } from '../../src/adapters/keys/index.ts';
import { localTimestampAuthority } from '../../src/adapters/tsa/index.ts';
import { oids } from '../../src/formats/asn1/index.ts';
import { buildSignedAttributes, buildSignedData, maxSignatureLength, measureSignedData, parseSignedData, buildAttribute, addUnsignedAttribute } from '../../src/formats/cms/index.ts';
import { parseCertificate } from '../../src/formats/x509/index.ts';
import { buildTimestampRequest } from '../../src/formats/tsp/index.ts';
import { createCertificatePool } from '../../src/trust/pool.ts';
import { requireTimestamp, requireToken } from '../../src/trust/timestamp.ts';
import { digestOf } from '../../src/trust/signature.ts';
const d = '/tmp/k/';
const pem = (n: string) => readFileSync(d + n, 'utf8');
for (const [n, scheme] of [['rsa'], ['rsa', 'rsa-pss'], ['pss'], ['p256'], ['p384'], ['p521'], ['ed']] as const)
  it(n + (scheme ?? ''), async () => {
    const s = pemSigner({ key: pem(n + '.key'), certificate: pem('root.crt') + pem(n + '.crt'), ...(scheme ? { scheme } : {}) });
    const certificate = parseCertificate(s.certificate);
    const data = randomBytes(100);
    const at = buildSignedAttributes({ contentType: oids.data, messageDigest: digestOf(s.algorithm.digest, data), certificate, certificateDigest: 'sha256' });
    const signature = await s.sign(at);
    const input = { digest: s.algorithm.digest, signedAttributes: at, signatureAlgorithm: s.algorithm, certificate, certificates: s.chain };
    const cms = buildSignedData({ ...input, signature });
    expect(measureSignedData({ ...input, signatureLengthBytes: maxSignatureLength(s.algorithm, certificate) })).toBeGreaterThanOrEqual(cms.length);
    writeFileSync(d + 'x.cms', addUnsignedAttribute(cms, buildAttribute("1.2.3.4.5", new Uint8Array([5, 0]))));
    writeFileSync(d + 'x.dat', data);
    execFileSync('openssl', ['cms', '-verify', '-cades', '-inform', 'DER', '-in', d + 'x.cms', '-content', d + 'x.dat', '-binary', '-CAfile', d + 'root.crt', '-purpose', 'any', '-out', '/dev/null'], { stdio: 'pipe' });
    const p = parseSignedData(cms);
    expect(p.signerInfos[0]!.signatureAlgorithm).toEqual(s.algorithm);
  });
for (const n of ['tsar', 'tsae'])
  it(n, async () => {
    const tsa = localTimestampAuthority({ certificate: readCertificates(pem(n + '.crt'), '')[0]!, chain: readCertificates(pem('root.crt'), ''), privateKey: readPrivateKey(pem(n + '.key')), now: Date.now, random: randomBytes });
    const imprint = createHash('sha256').update('x').digest();
    const nonce = randomBytes(8);
    const rep = await tsa.timestamp(buildTimestampRequest({ digest: 'sha256', imprint, nonce }));
    const token = requireToken(rep, tsa.name);
    const root = parseCertificate(readCertificates(pem('root.crt'), '')[0]!);
    const v = requireTimestamp({ token, imprint: { digest: 'sha256', value: imprint }, nonce, pool: createCertificatePool(), anchors: [root], nowMs: Date.now() });
    expect(v.trusted).toBe(true);
    console.log(token.length, tsa.tokenLengthBytes, v.info);
    writeFileSync(d + 't.der', token);
    console.log(execFileSync('openssl', ['ts', '-verify', '-token_in', '-in', d + 't.der', '-digest', imprint.toString('hex'), '-CAfile', d + 'root.crt'], { stdio: 'pipe' }).toString());
  });
it('speed', () => {
  const s = pemSigner({ key: pem('rsa.key'), certificate: pem('root.crt') + pem('rsa.crt') });
  const certificate = parseCertificate(s.certificate);
  const md = randomBytes(32), signature = randomBytes(256);
  const make = () => { const signedAttributes = buildSignedAttributes({ contentType: oids.data, messageDigest: md, certificate, certificateDigest: 'sha256' });
    return buildSignedData({ digest: 'sha256', signedAttributes, signatureAlgorithm: s.algorithm, signature, certificate, certificates: s.chain }); };
  let c = make();
  for (const [name, f] of [['build', make], ['parse', () => parseSignedData(c)]] as const) {
    for (let i = 0; i < 20000; i++) f();
    const t = performance.now();
    for (let i = 0; i < 20000; i++) f();
    console.log(name, ((performance.now() - t) / 20000 * 1000).toFixed(2), 'us');
  }
});
