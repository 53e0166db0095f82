import { describe, expect, it } from 'vitest';
import type { SealXmlRequest } from '../../../src/app/documents/xml/request.ts';
import { sealFiles, sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { sealLevels } from '../../../src/base/level.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import type { TestMemberName } from '../../support/pki.ts';
import { invoice, pki, textOf, utf8, withoutSignature, xmlPorts } from './xml-ports.ts';

const source = utf8(invoice);
const files = [
  { name: 'a b/þ.xml', content: source },
  { name: 'note.txt', content: utf8('hello') },
];

type Mode = Omit<SealXmlRequest, 'level'>;

const modes: Readonly<Record<string, Mode>> = {
  enveloped: { packaging: 'enveloped', source },
  'enveloped, own transform': { packaging: 'enveloped', source, transform: 'enveloped' },
  'enveloped in an element': { packaging: 'enveloped', source, id: 'line-1' },
  'enveloped, put elsewhere': { packaging: 'enveloped', source, parent: 'Invoice/Line/empty' },
  'behind an element': { packaging: 'detached', source, id: 'line-2' },
  'an element from elsewhere': { packaging: 'enveloped', source, id: 'line-1', parent: '#line-2' },
  enveloping: { packaging: 'enveloping', source },
  'enveloping bytes': { packaging: 'enveloping', source, encoding: 'base64' },
  'enveloping text': { packaging: 'enveloping', source: utf8('no XML & so on') },
  detached: { packaging: 'detached', source: files },
};

describe('sealXml', () => {
  const cases = Object.keys(modes).flatMap((name) => sealLevels.map((level) => ({ name, level })));

  it.each(cases)('makes a valid seal: $name at $level', async ({ name, level }) => {
    const mode = modes[name] as Mode;
    const sealed = await sealXml({ ...mode, level }, xmlPorts());
    const { signatures, indication } = sealed.report;
    expect(signatures).toHaveLength(1);
    expect(signatures[0]).toMatchObject({
      id: sealed.signatureId,
      intact: true,
      trusted: true,
      level,
    });
    expect(indication).toBe('TOTAL-PASSED');
    expect(sealed.warnings).toEqual([]);
    const keepsDocument = mode.packaging === 'enveloped' || mode.id !== undefined;
    if (keepsDocument && mode.parent !== 'Invoice/Line/empty') {
      expect(withoutSignature(sealed.bytes, sealed.signatureId ?? '')).toBe(invoice);
    }
  });

  const members: readonly TestMemberName[] = [
    'rsa',
    'pss',
    'signer',
    'p384',
    'p521',
    'ed25519',
    'ed448',
  ];
  it.each(members)('signs with the key %s', async (member) => {
    const { report } = await sealXml(
      { packaging: 'enveloped', source, level: 'B-LTA' },
      xmlPorts(member),
    );
    expect(report.signatures[0]).toMatchObject({ intact: true, level: 'B-LTA' });
  });

  it('expands an empty root element to insert the signature', async () => {
    const request = { packaging: 'enveloped', source: utf8('<r  a="1" />'), level: 'B-B' } as const;
    const { bytes, signatureId: id = '', report } = await sealXml(request, xmlPorts());
    expect(withoutSignature(bytes, id)).toBe('<r  a="1" ></r>');
    expect(report.signatures[0]?.coverage).toBe('document');
  });

  it('can sign a document repeatedly', async () => {
    let bytes: Uint8Array = source;
    for (const level of sealLevels) {
      bytes = (await sealXml({ packaging: 'enveloped', source: bytes, level }, xmlPorts())).bytes;
    }
    const last = await sealXml(
      { packaging: 'detached', source: bytes, id: 'line-1', level: 'B-T' },
      xmlPorts(),
    );
    const { signatures } = last.report;
    expect(signatures.map(({ intact, level }) => ({ intact, level }))).toEqual(
      ['B-T', ...sealLevels].map((level) => ({ intact: true, level })),
    );
  });

  it('records what the signer claims', async () => {
    const { report } = await sealXml(
      {
        packaging: 'enveloped',
        source,
        level: 'B-B',
        roles: ['Head of <everything> & "more"', 'ráðherra'],
        place: { city: 'Reykjavík', street: 'Austurvöllur', postalCode: '101', country: 'IS' },
        commitments: ['approval', '1.2.840.113549.1.9.16.6.1'],
        policy: {
          id: '2.999.1',
          digest: new Uint8Array(32),
          digestAlgorithm: 'sha256',
          uri: 'https://example.org/policy?a=1&b=2',
          notice: 'Read\nme',
        },
      },
      xmlPorts(),
    );
    const [signature] = report.signatures;
    expect(signature?.level).toBe('B-B');
    expect(signature?.roles).toEqual(['Head of <everything> & "more"', 'ráðherra']);
    expect(signature?.location).toContain('Reykjavík');
    expect(signature?.commitments).toEqual([
      'http://uri.etsi.org/01903/v1.2.2#ProofOfApproval',
      'urn:oid:1.2.840.113549.1.9.16.6.1',
    ]);
    expect(signature?.policy).toBe('urn:oid:2.999.1');
    expect(signature?.claimedTime?.slice(0, 19)).toBe(
      new Date(pki.nowMs).toISOString().slice(0, 19),
    );
  });

  it('envelops documents with signatures or a document type as base64', async () => {
    const signed = await sealXml({ packaging: 'enveloped', source, level: 'B-B' }, xmlPorts());
    for (const bytes of [signed.bytes, utf8('<!DOCTYPE r><r/>'), utf8('<r>')]) {
      const sealed = await sealXml(
        { packaging: 'enveloping', source: bytes, level: 'B-B' },
        xmlPorts(),
      );
      expect(sealed.warnings).toHaveLength(1);
      expect(textOf(sealed.bytes)).toContain(Buffer.from(bytes).toString('base64'));
      expect(sealed.report.signatures).toMatchObject([{ intact: true, coverage: 'none' }]);
    }
  });

  it('signs the files of a container', async () => {
    const { signature, id } = await sealFiles({ files, level: 'B-LTA' }, xmlPorts());
    const { root } = parseXml(signature);
    expect(root.attribute('Id')).toBe(id);
    const ds = 'http://www.w3.org/2000/09/xmldsig#';
    const uris = root.document.findAll(ds, 'Reference').map((each) => each.attribute('URI'));
    expect(uris).toEqual(['a%20b/%C3%BE.xml', 'note.txt', `#xades-${id}`]);
  });
});
