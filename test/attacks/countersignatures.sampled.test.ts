import { describe, expect, test } from 'vitest';
import { memorySource } from '../../src/base/bytes.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { joinSignedData, splitSignedData } from '../../src/formats/cms/index.ts';
import { referenceTypes } from '../../src/formats/xmldsig/index.ts';
import { verifyCades } from '../../src/verify/cades/index.ts';
import { cadesContext } from '../support/cades.ts';
import { type CraftedSigner, craftCms, crlsOf, withoutType } from '../support/crafted-cms.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';
import { costlyTest } from '../support/sample.ts';
import { goodData, validationValues } from '../unit/verify/xml/extend-xml.ts';
import { host, keyInfo, rsa, signer } from '../unit/verify/xml/sealed-xml.ts';
import { certificateInfo, check, signXml, pki as xmlPki } from '../unit/verify/xml/sign-xml.ts';

describe('a countersignature in CMS', () => {
  const pki = makeTestPki();
  const content = Buffer.from('Pay 100 to the bearer.\n');

  /** A signature that another member countersigns, and the report on it. */
  function report(
    change: Partial<CraftedSigner> = {},
    by: TestMember = pki.member('rsa'),
    over?: (value: Uint8Array) => Uint8Array,
  ) {
    const own = craftCms({
      content,
      signers: [{ signer: pki.member('signer') }],
      crls: crlsOf(pki),
    });
    const parts = splitSignedData(own);
    const [parent] = parts.signers;
    if (parent === undefined) throw new Error('a signer');
    const value = readValue(parent.fields.at(-1));
    const attributes: CraftedSigner['attributes'] = (list) => withoutType(list, oids.contentType);
    const counter = craftCms({ content: value, signers: [{ signer: by, attributes, ...change }] });
    const { fields } = splitSignedData(counter).signers[0] ?? { fields: [] };
    const inside = over === undefined ? [] : [der.element(0xa1, [over(readValue(fields.at(-1)))])];
    const attribute = der.sequence(
      der.oid(oids.counterSignature),
      der.setOf(der.sequence(...fields, ...inside)),
    );
    const both = joinSignedData({
      ...parts,
      certificates: [...parts.certificates, by.der, pki.member('p384').der],
      signers: [{ ...parent, unsignedAttributes: [attribute] }],
    });
    const [found] = verifyCades(both, memorySource(content), cadesContext(pki));
    return found;
  }

  test('over the signature value passes, and is reported separately', () => {
    expect(report()).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-PASSED', intact: true, level: 'B-B' }],
    });
  });

  /** A countersignature by `p384` over the value of the enclosing one. */
  function inner(change: Partial<CraftedSigner> = {}, over?: Uint8Array) {
    const by = pki.member('p384');
    const attributes: CraftedSigner['attributes'] = (list) => withoutType(list, oids.contentType);
    return (value: Uint8Array) => {
      const made = craftCms({
        content: over ?? value,
        signers: [{ signer: by, attributes, ...change }],
      });
      const { fields } = splitSignedData(made).signers[0] ?? { fields: [] };
      return der.sequence(der.oid(oids.counterSignature), der.setOf(der.sequence(...fields)));
    };
  }

  test('over another countersignature is reported with the index of that one', () => {
    expect(report({}, pki.member('rsa'), inner())).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [
        { indication: 'TOTAL-PASSED', signer: { subject: 'CN=rsa,C=IS' } },
        { indication: 'TOTAL-PASSED', signer: { subject: 'CN=p384,C=IS' }, countersigns: 0 },
      ],
    });
  });

  test('with a nested one that is valid: neither has findings', () => {
    const found = report({}, pki.member('rsa'), inner());
    expect(found?.countersignatures?.map(({ findings }) => findings)).toEqual([[], []]);
  });

  test('over another countersignature fails alone if it covers something else', () => {
    const found = report({}, pki.member('rsa'), inner({}, content));
    expect(found?.countersignatures).toMatchObject([
      { indication: 'TOTAL-PASSED' },
      { indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE', countersigns: 0 },
    ]);
  });

  costlyTest('nested too deeply is handled in time', () => {
    let deep = inner()(new Uint8Array(32));
    for (let depth = 0; depth < 200; depth++) {
      const { fields } = splitSignedData(
        craftCms({ content, signers: [{ signer: pki.member('p384') }] }),
      ).signers[0] ?? { fields: [] };
      deep = der.sequence(
        der.oid(oids.counterSignature),
        der.setOf(der.sequence(...fields, der.element(0xa1, [deep]))),
      );
    }
    const started = performance.now();
    expect(report({}, pki.member('rsa'), () => deep)?.indication).not.toBe('TOTAL-FAILED');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  // RFC 5652 §11.4: content-type is not allowed.
  test('with a content-type attribute fails, and the signature passes', () => {
    expect(report({ attributes: (list) => list })).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-FAILED', subIndication: 'FORMAT_FAILURE' }],
    });
  });

  test('with a changed value fails, and the signature passes', () => {
    const value = (bytes: Uint8Array) => bytes.with(9, (bytes[9] as number) ^ 1);
    expect(report({ value })).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-FAILED', subIndication: 'SIG_CRYPTO_FAILURE' }],
    });
  });

  test('by an untrusted signer is INDETERMINATE, and the signature passes', () => {
    const stranger = makeTestPki().issue({ name: 'stranger', issuer: makeTestPki().member('ca') });
    const found = report({}, stranger);
    expect(found).toMatchObject({ indication: 'TOTAL-PASSED', trusted: true });
    expect(found?.countersignatures?.[0]?.indication).toBe('INDETERMINATE');
  });
});

function readValue(octets: Uint8Array | undefined): Uint8Array {
  if (octets === undefined) throw new Error('a signature value');
  const first = octets[1] as number;
  return octets.subarray(first < 0x80 ? 2 : 2 + (first & 0x7f));
}

describe('a countersignature in XML', () => {
  const countersigned = referenceTypes.countersigned;
  const p384 = xmlPki.member('p384');
  const parent = signXml({
    signer,
    host,
    keyInfo,
    unsigned: '<x:CounterSignature>@</x:CounterSignature>',
  });
  const [before = '', after = ''] = parent.split('@');

  function report(uri: string, edit: (text: string) => string = (text) => text) {
    return check(edit(made(uri)));
  }

  function made(uri: string) {
    return signXml({
      signer: rsa,
      suffix: '2',
      host: [before, after],
      references: [{ id: 'r', uri, type: countersigned }],
      keyInfo: certificateInfo(rsa),
    });
  }

  test('over the signature value passes, and is reported separately', () => {
    const found = report('#v');
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-PASSED', intact: true }],
    });
  });

  test('over another countersignature is reported with the index of that one', () => {
    const unsigned = '<x:CounterSignature>@</x:CounterSignature>';
    const references = [{ id: 'r', uri: '#v', type: countersigned }];
    const middle = signXml({
      signer: rsa,
      suffix: '2',
      host: [before, after],
      references,
      keyInfo: certificateInfo(rsa),
      unsigned,
    });
    const [start = '', end = ''] = middle.split('@');
    const outermost = (uri: string) =>
      signXml({
        signer: p384,
        suffix: '3',
        host: [start, end],
        references: [{ id: 'r', uri, type: countersigned }],
        keyInfo: certificateInfo(p384),
      });
    const passed = { indication: 'TOTAL-PASSED', intact: true };
    const [found] = check(outermost('#v2'));
    expect(found).toMatchObject({
      ...passed,
      countersignatures: [passed, { ...passed, countersigns: 0 }],
    });
    // All of them are verified.
    expect(found?.findings.map(({ code }) => code)).not.toContain('signature.nested');
    const [over] = check(outermost('#v'));
    expect(over?.countersignatures?.[1]?.indication).toBe('INDETERMINATE');
  });

  test('is verified with the validation data of the signature', () => {
    const values = validationValues(goodData);
    const own = signXml({
      signer,
      host,
      keyInfo,
      unsigned: `${values}<x:CounterSignature>@</x:CounterSignature>`,
    });
    const [start = '', end = ''] = own.split('@');
    const text = signXml({
      signer: rsa,
      suffix: '2',
      host: [start, end],
      references: [{ id: 'r', uri: '#v', type: countersigned }],
      keyInfo: certificateInfo(rsa),
    });
    const [found] = check(text, { revocation: { mode: 'require' } });
    expect(found).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-PASSED' }],
    });
  });

  test('beyond the limit is reported as not verified', () => {
    const one = '<x:CounterSignature>@</x:CounterSignature>';
    const [, counter = ''] = /CounterSignature>(.*)<\/x:CounterSignature>/s.exec(made('#v')) ?? [];
    const many = parent.replace(one, one.replace('@', counter).repeat(17));
    const [found] = check(many);
    expect(found?.countersignatures).toHaveLength(16);
    expect(found?.findings.map(({ code }) => code)).toContain('signature.nested');
  });

  test('over something else is INDETERMINATE, and the signature passes', () => {
    const [found] = report('#props');
    expect(found).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'INDETERMINATE' }],
    });
    const codes = found?.countersignatures?.[0]?.findings.map(({ code }) => code);
    expect(codes).toContain('signature.countersigned.other');
  });

  // Its target cannot be named: a reference without a URI covers a detached file.
  test('over a detached file is INDETERMINATE if the signature value has no Id', () => {
    const [start = '', end = ''] = parent.replace(' Id="v"', '').split('@');
    const findFile = () => Buffer.from('beside');
    const text = signXml({
      signer: rsa,
      suffix: '2',
      host: [start, end],
      references: [{ id: 'r', type: countersigned, transforms: '' }],
      keyInfo: certificateInfo(rsa),
      findFile,
    });
    const counter = check(text, { findFile })[0]?.countersignatures?.[0];
    expect(counter).toMatchObject({ indication: 'INDETERMINATE', intact: true });
    expect(counter?.findings.map(({ code }) => code)).toContain('signature.countersigned.other');
  });

  test('with a changed value fails, and the signature passes', () => {
    const edit = (text: string) =>
      text.replace(/(Id="v2">)(.)/, (_, start, letter) => start + (letter === 'A' ? 'B' : 'A'));
    expect(report('#v', edit)[0]).toMatchObject({
      indication: 'TOTAL-PASSED',
      countersignatures: [{ indication: 'TOTAL-FAILED', intact: false }],
    });
  });
});
