import { describe, expect, test } from 'vitest';
import { asKey } from '../../../../src/domain/keys.ts';
import { type WebhookType, webhookTypes } from '../../../../src/domain/process/index.ts';
import { buildPayload, sampleEvent, signEvent } from '../../../../src/domain/webhook/index.ts';
import { webhookDate } from '../../../../src/domain/webhook/payload.ts';
import { testNowMs, testProcess, testSignee } from '../../../support/store.ts';

const id = '0b1c2d3e4f5041728394a5b6c7d8e9f0';
const guid = '0b1c2d3e-4f50-4172-8394-a5b6c7d8e9f0';
const signature = signEvent({ atMs: testNowMs, guid, signatureKey: 'key' });
const frontEnd = 'https://sign.example.is';
const full = testProcess(1, {
  document: { sha256: 'ab'.repeat(32), lengthBytes: 3 },
  signees: [
    testSignee(1, {
      ssn: '0101302989',
      phoneNumber: '+3545551234',
      address: 'Gata 1',
      postalCode: '101',
      city: 'Reykjavík',
      state: 'Signed',
      signedAtMs: testNowMs + 678,
    }),
    testSignee(2, { delivery: 'Sms' }),
  ],
  meta: { 'order-No': '7', pdfFieldData: '{"a":"b"}', 'Ð "x"': '\u2028' },
  attachments: [
    {
      key: asKey('attachment', 'at01'),
      fileName: 'fylgi skjal.pdf',
      contentType: 'application/pdf',
      document: { sha256: 'cd'.repeat(32), lengthBytes: 5_000_000_000 },
      description: 'Evidence',
      type: 'EvidencePage',
    },
  ],
});

describe('form metadata of a payload', () => {
  const metaOf = (meta: Readonly<Record<string, string>>, flowType = 'FillAndSign') => {
    const process = { ...full, flowType, meta };
    const parts = buildPayload({
      id,
      type: 'AllSigned',
      process,
      hasDocument: false,
      frontEnd,
      signature,
    });
    return JSON.parse(parts.join('')).EventData.Meta;
  };
  const pdfUrl = `${frontEnd}/${full.key}/${full.signees[0]?.key}.pdf`;

  test('contains the values as JSON and the URL of the document, however they were passed', () => {
    expect(metaOf({ name: 'Anna', sum: '7' })).toEqual({
      name: 'Anna',
      sum: '7',
      pdfFieldData: '{"name":"Anna","sum":"7"}',
      pdfUrl,
    });
    expect(metaOf({ pdfFieldData: '{"a":1}', ref: '7' })).toEqual({
      pdfFieldData: '{"a":1}',
      ref: '7',
      pdfUrl,
    });
    expect(metaOf({ pdfUrl: 'https://own.example/' }).pdfUrl).toBe('https://own.example/');
  });

  test('is unchanged for other flow types', () => {
    expect(metaOf({ name: 'Anna' }, 'DropAndSign')).toEqual({ name: 'Anna' });
  });
});

describe('the published payload', () => {
  const [head, tail] = buildPayload({
    id,
    type: 'AllSigned',
    process: full,
    hasDocument: true,
    frontEnd,
    signature,
  });
  const text = `${head}QUJD${tail}`;

  test('has every member with its exact name and is valid JSON', () => {
    expect(JSON.parse(text)).toEqual({
      Id: id,
      EventData: {
        ProcessKey: full.key,
        CompanyKey: full.companyKey,
        Signees: [
          {
            Name: 'Þórður Ðagnýjarson 1',
            Ssn: '0101302989',
            PhoneNumber: '+3545551234',
            Email: 'thordur1@example.is',
            Address: 'Gata 1',
            PostalCode: '101',
            City: 'Reykjavík',
            Key: testSignee(1).key,
            Signed: true,
            SignedAt: '2026-01-02T03:04:05.67800Z',
            ProcessKey: full.key,
            CommunicationDeliveryType: 'Email',
          },
          {
            Name: 'Þórður Ðagnýjarson 2',
            Ssn: null,
            PhoneNumber: null,
            Email: 'thordur2@example.is',
            Address: null,
            PostalCode: null,
            City: null,
            Key: testSignee(2).key,
            Signed: false,
            SignedAt: null,
            ProcessKey: full.key,
            CommunicationDeliveryType: 'Sms',
          },
        ],
        FlowKey: full.flowKey,
        FlowName: 'Agreements',
        SignedDocument: 'QUJD',
        SignedDocumentDownloadUrl: `${frontEnd}/${full.key}/${testSignee(1).key}.pdf`,
        AttachmentReferences: [
          {
            Id: 'at01',
            FileName: 'fylgi skjal.pdf',
            ContentLength: 5_000_000_000,
            ContentType: 'application/pdf',
            Url: `${frontEnd}/attachment/${full.key}/at01/fylgi%20skjal.pdf`,
            Description: 'Evidence',
            ProcessKey: full.key,
            AttachmentType: 10,
            SigneeKey: null,
          },
        ],
        EventType: 2,
        Meta: { 'order-No': '7', pdfFieldData: '{"a":"b"}', 'Ð "x"': '\u2028' },
      },
      EventSignature: {
        TimeStamp: Number(signature.timeStamp),
        Guid: guid,
        Signature: signature.signature,
        SignedData: signature.signedData,
      },
    });
  });

  test('has TimeStamp as a number with all its digits', () => {
    expect(text).toContain(`"EventSignature":{"TimeStamp":${signature.timeStamp},"Guid"`);
    expect(BigInt(signature.timeStamp)).toBeGreaterThan(2n ** 53n);
  });

  test.each(
    Object.entries(webhookTypes).filter(([name]) => name !== 'NotSet') as [WebhookType, number][],
  )('for %s has EventType %i, and the document only on request', (type, number) => {
    const [whole, rest] = buildPayload({
      id,
      type,
      process: full,
      hasDocument: false,
      frontEnd,
      signature,
      signeeKey: testSignee(2).key,
    });
    expect(rest).toBe('');
    const { EventData: data } = JSON.parse(whole);
    expect(data.EventType).toBe(number);
    expect(data.SignedDocument).toBeNull();
    expect(data.SignedDocumentDownloadUrl).toContain(`/${testSignee(2).key}.pdf`);
    if (type === 'Auth') expect(data.Customer).toMatchObject({ Name: 'Þórður Ðagnýjarson 2' });
    else expect(data).not.toHaveProperty('Customer');
  });

  test('of a sequence has its key, and for GroupSigned the download URLs of all documents', () => {
    const process = { ...full, sequenceKey: asKey('sequence', 'pg1') };
    const downloads = [{ processKey: full.key, signeeKey: testSignee(1).key }];
    const [whole] = buildPayload({
      id,
      type: 'GroupSigned',
      process,
      hasDocument: false,
      frontEnd,
      signature,
      downloads,
    });
    expect(JSON.parse(whole).EventData).toMatchObject({
      SequenceKey: 'pg1',
      SignedDocumentDownloadUrls: [`${frontEnd}/${full.key}/${testSignee(1).key}.pdf`],
    });
  });

  test.each([
    [0, '1970-01-01T00:00:00.00000Z'],
    [testNowMs + 7, '2026-01-02T03:04:05.00700Z'],
  ])('writes the time %i as %s', (atMs, expected) => {
    expect(webhookDate(atMs)).toBe(expected);
  });
});

test.each(Object.keys(webhookTypes).slice(1) as WebhookType[])(
  'has a valid sample for %s',
  (type) => {
    const random = (count: number) => new Uint8Array(count).fill(9);
    const sample = sampleEvent(full, 'Agreements', type, testNowMs, random);
    expect(sample.process.meta).toEqual({ test: 'true' });
    expect(sample.process.signees.length).toBe(2);
    const carries = ['AllSigned', 'Completed', 'Expired'].includes(type);
    expect(sample.document !== undefined).toBe(carries);
    if (sample.document !== undefined) {
      const text = Buffer.from(sample.document).toString('latin1');
      const at = Number(/startxref\n(\d+)/.exec(text)?.[1]);
      expect(text.slice(at, at + 4)).toBe('xref');
    }
  },
);
