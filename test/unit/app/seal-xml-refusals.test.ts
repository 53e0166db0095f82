import { describe, expect, it } from 'vitest';
import type { SealXmlRequest } from '../../../src/app/documents/xml/request.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { invoice, utf8, xmlPorts } from './xml-ports.ts';

const source = utf8(invoice);
const enveloped: SealXmlRequest = { packaging: 'enveloped', source, level: 'B-B' };
const detached: SealXmlRequest = { ...enveloped, packaging: 'detached' };
const file = { name: 'a', content: source };

const refused: readonly (readonly [string, SealXmlRequest, string])[] = [
  ['an unknown Id', { ...enveloped, id: 'nobody' }, 'xml.target.invalid'],
  [
    'an ambiguous Id',
    { ...enveloped, source: utf8('<r><a Id="x"/><b ID="x"/></r>'), id: 'x' },
    'xml.target.invalid',
  ],
  ['an unknown parent', { ...enveloped, parent: 'Invoice/Nothing' }, 'xml.target.invalid'],
  ['another root', { ...enveloped, parent: 'Bill' }, 'xml.target.invalid'],
  [
    'nothing after the root',
    { ...detached, source: utf8('<r Id="x"/>'), id: 'x' },
    'xml.target.invalid',
  ],
  [
    'a parent in a detached signature',
    { ...detached, id: 'line-2', parent: '#line-2' },
    'xml.target.invalid',
  ],
  ['malformed XML', { ...enveloped, source: utf8('text') }, 'xml.invalid'],
  ['a document type', { ...enveloped, source: utf8('<!DOCTYPE r><r/>') }, 'xml.dtd.forbidden'],
  ['bytes without a name', detached, 'usage.invalid'],
  ['no files', { ...detached, source: [] }, 'usage.invalid'],
  ['a duplicate name', { ...detached, source: [file, file] }, 'usage.invalid'],
  ['an absolute name', { ...detached, source: [{ ...file, name: '/a' }] }, 'usage.invalid'],
  ['files for an enveloped signature', { ...enveloped, source: [file] }, 'usage.invalid'],
  ['a control character', { ...enveloped, roles: ['a\u0007'] }, 'usage.invalid'],
  ['a lone surrogate', { ...enveloped, place: { city: 'a\ud800' } }, 'usage.invalid'],
  ['an empty role', { ...enveloped, roles: [''] }, 'usage.invalid'],
];

describe('sealXml', () => {
  it.each(refused)('refuses the request with a specific code: %s', async (_name, request, code) => {
    const outcome = await sealXml(request, xmlPorts()).then(
      () => 'none',
      (error) => error.code,
    );
    expect(outcome).toBe(code);
  });

  it('refuses to break an earlier signature', async () => {
    const once = await sealXml({ ...enveloped, transform: 'enveloped' }, xmlPorts());
    const again = sealXml({ ...enveloped, source: once.bytes }, xmlPorts());
    await expect(again).rejects.toMatchObject({ code: 'xml.signature.broken' });
    const apart = await sealXml(
      { ...enveloped, packaging: 'enveloping', source: once.bytes },
      xmlPorts(),
    );
    expect(apart.warnings[0]).toMatch(/base64/);
  });

  it('refuses a position inside a signature', async () => {
    const { bytes, signatureId: id = '' } = await sealXml(enveloped, xmlPorts());
    for (const options of [{ id: `xades-${id}` }, { parent: `#${id}` }]) {
      const sealing = sealXml({ ...enveloped, source: bytes, ...options }, xmlPorts());
      await expect(sealing).rejects.toMatchObject({ code: 'xml.target.invalid' });
    }
  });

  it('refuses a signer that signs other data or uses SHA-1', async () => {
    const ports = xmlPorts();
    const { signer } = ports;
    const faulty = { ...signer, sign: () => signer.sign(utf8('other')) };
    const sealing = sealXml(enveloped, { ...ports, signer: faulty });
    await expect(sealing).rejects.toMatchObject({ code: 'seal.selfcheck.failed' });
    const garbage = { ...signer, sign: async () => utf8('other') };
    const withGarbage = sealXml(enveloped, { ...ports, signer: garbage });
    await expect(withGarbage).rejects.toMatchObject({ code: 'key.sign.failed' });
    const weak = { ...signer, algorithm: { ...signer.algorithm, digest: 'sha1' as const } };
    const withSha1 = sealXml(enveloped, { ...ports, signer: weak });
    await expect(withSha1).rejects.toMatchObject({ code: 'key.weak' });
  });

  it('refuses a level if the authority or the trust anchors are missing', async () => {
    const { authority: _, ...noAuthority } = xmlPorts();
    const sealing = sealXml({ ...enveloped, level: 'B-T' }, noAuthority);
    await expect(sealing).rejects.toMatchObject({ code: 'tsa.missing' });
    const noAnchors = sealXml({ ...enveloped, level: 'B-LT' }, { ...xmlPorts(), anchors: [] });
    await expect(noAnchors).rejects.toMatchObject({ code: 'certificate.untrusted' });
  });

  it('seals a document with a signature that is already broken, with a warning', async () => {
    const { bytes } = await sealXml({ ...enveloped, transform: 'enveloped' }, xmlPorts());
    const changed = utf8(Buffer.from(bytes).toString().replace('1 &amp;', '2 &amp;'));
    const sealed = await sealXml({ ...enveloped, source: changed }, xmlPorts());
    expect(sealed.warnings).toEqual([expect.stringMatching(/was not intact/)]);
  });

  it('accepts a position inside a text, with a warning', async () => {
    const source = utf8('<order><body id="b">Deliver ten</body><sum>1</sum></order>');
    const sealed = await sealXml({ ...enveloped, source, id: 'b' }, xmlPorts());
    const advice = /signature\.text\.split.*an element without text of its own/;
    expect(sealed.warnings).toEqual([expect.stringMatching(advice)]);
  });
});
