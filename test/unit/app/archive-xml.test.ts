import { describe, expect, it } from 'vitest';
import { augmentXml } from '../../../src/app/documents/xml/augment-xml.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { sealLevels } from '../../../src/base/level.ts';
import { invoice, textOf, utf8, xmlPorts } from './xml-ports.ts';

const source = utf8(invoice);

async function seal(request: object): Promise<Uint8Array> {
  const all = { packaging: 'enveloped', source, level: 'B-B', ...request } as const;
  return (await sealXml(all, xmlPorts())).bytes;
}

describe('augmentXml', () => {
  it.each(sealLevels)('augments a seal at %s to B-LTA, and renews it', async (level) => {
    const sealed = await seal({ level });
    const archived = await augmentXml(sealed, xmlPorts());
    expect(archived.report.signatures).toMatchObject([{ intact: true, level: 'B-LTA' }]);
    const again = await augmentXml(archived.bytes, xmlPorts());
    const earlier = level === 'B-LTA' ? 1 : 0;
    for (const [round, { report }] of [archived, again].entries()) {
      const covers = report.signatures[0]?.timestamps.map((stamp) => stamp.covers);
      const archives = new Array(earlier + round + 1).fill('archive');
      expect(covers).toEqual(['signature', ...archives]);
    }
    expect(again.report.signatures[0]?.timestamps.every(({ valid }) => valid)).toBe(true);
  });

  it('adds nothing but unsigned properties', async () => {
    const sealed = textOf(await seal({ level: 'B-T' }));
    const archived = textOf((await augmentXml(utf8(sealed), xmlPorts())).bytes);
    const joint = sealed.indexOf('</xades:UnsignedSignatureProperties>');
    expect(archived.startsWith(sealed.slice(0, joint))).toBe(true);
    expect(archived.endsWith(sealed.slice(joint))).toBe(true);
  });

  it.each([
    ['<xades:UnsignedProperties/>'],
    ['<xades:UnsignedProperties></xades:UnsignedProperties>'],
    ['<xades:UnsignedProperties><xades:UnsignedSignatureProperties/></xades:UnsignedProperties>'],
  ])('inserts the archive time-stamp into %s', async (empty) => {
    const sealed = textOf(await seal({}));
    const close = '</xades:QualifyingProperties>';
    const shaped = sealed.replace(close, empty + close);
    const archived = await augmentXml(utf8(shaped), xmlPorts());
    expect(archived.report.signatures[0]).toMatchObject({ intact: true, level: 'B-LTA' });
  });

  it('augments every signature of a document, each with its own validation data', async () => {
    const inner = await seal({ packaging: 'detached', id: 'line-1', level: 'B-T' });
    const both = await seal({ source: inner, level: 'B-LT' });
    const archived = await augmentXml(both, xmlPorts());
    const levels = archived.report.signatures.map(({ level }) => level);
    expect(levels).toEqual(['B-LTA', 'B-LTA']);
    expect(archived.warnings).toEqual([]);
  });

  it('leaves a signature unchanged that a later signature covers, with a warning', async () => {
    const inner = await seal({ level: 'B-T' });
    const both = await seal({ source: inner, transform: 'enveloped' });
    const archived = await augmentXml(both, xmlPorts());
    const found = archived.report.signatures.map(({ intact, level }) => [intact, level]);
    expect(found).toEqual([
      [true, 'B-T'],
      [true, 'B-LTA'],
    ]);
    expect(archived.warnings).toEqual([expect.stringMatching(/is covered by/)]);
  });

  it('requires the files that a detached signature covers', async () => {
    const name = 'a b.xml';
    const sealed = await seal({ packaging: 'detached', source: [{ name, content: source }] });
    const find = (uri: string) => (uri === 'a%20b.xml' ? source : undefined);
    const archived = await augmentXml(sealed, xmlPorts(), find);
    expect(archived.report.signatures[0]?.level).toBe('B-LTA');
    const without = augmentXml(sealed, xmlPorts());
    await expect(without).rejects.toMatchObject({ code: 'xml.signature.none' });
  });

  it('refuses a document without an intact signature', async () => {
    await expect(augmentXml(source, xmlPorts())).rejects.toMatchObject({
      code: 'xml.signature.none',
    });
    const changed = utf8(textOf(await seal({})).replace('1 &amp;', '2 &amp;'));
    await expect(augmentXml(changed, xmlPorts())).rejects.toMatchObject({
      code: 'xml.signature.none',
      message: expect.stringMatching(/was not intact/),
      hint: expect.stringContaining('an undamaged copy or a new signature'),
    });
  });
});
