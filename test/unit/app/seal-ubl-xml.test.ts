import { describe, expect, it } from 'vitest';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import { textOf, utf8, xmlPorts } from './xml-ports.ts';

const UBL = 'urn:oasis:names:specification:ubl:schema:xsd:';
const EXT = `${UBL}CommonExtensionComponents-2`;
const free = '<e:UBLExtension><e:ExtensionContent> </e:ExtensionContent></e:UBLExtension>';
const taken = '<e:UBLExtension><e:ExtensionContent><x/></e:ExtensionContent></e:UBLExtension>';

function invoice(content: string): string {
  return `<Invoice xmlns="${UBL}Invoice-2" xmlns:e="${EXT}">${content}<ID>1</ID></Invoice>`;
}

function seal(source: string) {
  const request = { packaging: 'enveloped', source: utf8(source), level: 'B-B', parent: 'ubl' };
  return sealXml(request as Parameters<typeof sealXml>[0], xmlPorts());
}

describe('a UBL document', () => {
  it.each([
    ['no extension', ''],
    ['an empty extension', `<e:UBLExtensions>${free}</e:UBLExtensions>`],
    ['an extension in use', `<e:UBLExtensions>${taken}</e:UBLExtensions>`],
    ['both', `<e:UBLExtensions>${taken}${free}</e:UBLExtensions>`],
  ])('with %s gets its signature in an extension', async (_name, content) => {
    const { bytes, report, signatureId: id = '' } = await seal(invoice(content));
    expect(report.signatures).toMatchObject([{ intact: true, coverage: 'document', id }]);
    const { root } = parseXml(bytes);
    const [signature] = root.document.findById(id);
    const path: string[] = [];
    for (let at = signature?.parent; at !== undefined; at = at.parent) path.push(at.localName);
    expect(path).toEqual(['ExtensionContent', 'UBLExtension', 'UBLExtensions', 'Invoice']);
    expect(root.children.map(({ localName }) => localName)).toEqual(['UBLExtensions', 'ID']);
  });

  it('gets a second signature only if an extension is free', async () => {
    const once = await seal(invoice(`<e:UBLExtensions>${free}${free}</e:UBLExtensions>`));
    const twice = await seal(textOf(once.bytes));
    expect(twice.report.signatures).toMatchObject([{ intact: true }, { intact: true }]);
    await expect(seal(textOf(twice.bytes))).rejects.toMatchObject({ code: 'xml.target.invalid' });
  });

  it('is recognised by its namespace', async () => {
    await expect(seal('<Invoice/>')).rejects.toMatchObject({ code: 'xml.target.invalid' });
    const { bytes } = await seal(`<Order xmlns="${UBL}Order-2"/>`);
    expect(textOf(bytes)).toMatch(/^<Order xmlns="[^"]+"><ext:UBLExtensions .*<\/Order>$/s);
  });
});
