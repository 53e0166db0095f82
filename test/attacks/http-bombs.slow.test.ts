import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BodyApi, openBodyApi } from '../api/support/body-api.ts';
import type { TestApi } from '../api/support/open-api.ts';

let api: TestApi;
let post: BodyApi['post'];
let create: BodyApi['create'];
let request: BodyApi['request'];
beforeAll(async () => {
  ({ api, post, create, request } = await openBodyApi());
}, 60_000);
afterAll(() => api.close());

const MB = 1024 * 1024;

describe('decompression bombs', () => {
  /** Compressing a gigabyte takes seconds: each size is compressed once. */
  const packedBySize = new Map<number, Buffer>();
  const packedZeros = (size: number) => {
    const packed = packedBySize.get(size) ?? deflateSync(Buffer.alloc(size));
    packedBySize.set(size, packed);
    return packed;
  };
  /** A PDF of a few kilobytes whose streams inflate to `size` bytes each. */
  const bomb = (size: number, count: number, filter = '/FlateDecode') => {
    let packed = packedZeros(size);
    if (filter.includes(' ')) packed = deflateSync(packed);
    const parts = ['%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n'];
    parts.push('2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n');
    parts.push('3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n');
    const head = Buffer.from(parts.join(''));
    const streams = Array.from({ length: count }, (_, at) =>
      Buffer.concat([
        Buffer.from(`${at + 4} 0 obj<</Type/ObjStm/N 9/First 9/Length ${packed.length}`),
        Buffer.from(`/Filter[${filter}]>>stream\n`),
        packed,
        Buffer.from('\nendstream endobj\n'),
      ]),
    );
    const end = Buffer.from('trailer<</Root 1 0 R/Size 99>>\nstartxref\n0\n%%EOF\n');
    return Buffer.concat([head, ...streams, end]);
  };

  test.each([
    ['one stream of a gigabyte', bomb(1024 * MB, 1)],
    ['a stream compressed twice', bomb(1024 * MB, 1, '/FlateDecode /FlateDecode')],
    ['many streams of a hundred megabytes', bomb(100 * MB, 20)],
  ])(
    'a PDF with streams is handled with bounded memory: %s',
    async (_what, pdf) => {
      expect(pdf.length).toBeLessThan(4 * MB);
      const before = process.memoryUsage.rss();
      for (const answer of [
        await post('/management/sealing?FlowKey=', pdf, 'application/pdf'),
        await post(`/management/sealing?FlowKey=${api.flowKey}`, pdf, 'application/pdf'),
        await create(JSON.stringify(request({ pdfDocument: pdf.toString('base64') }))),
      ]) {
        expect(answer.statusCode).toBeLessThan(500);
      }
      expect(process.memoryUsage.rss() - before).toBeLessThan(1500 * MB);
    },
    60_000,
  );

  test('XML with entity expansion is rejected', async () => {
    const entities = Array.from(
      { length: 20 },
      (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
    );
    const xml = `<!DOCTYPE a [<!ENTITY e0 "x">${entities.join('')}]><a>&e20;</a>`;
    const url = `/management/sealing/xml?FlowKey=${api.flowKey}`;
    const answer = await post(url, xml, 'application/xml');
    expect([answer.statusCode, answer.json().errorCode]).toEqual([400, 'xml.dtd.forbidden']);
  });

  test('a container with an expanding file is verified without inflating it in memory', async () => {
    const packed = deflateSync(Buffer.alloc(500 * MB)).subarray(2, -4);
    const name = Buffer.from('a.txt');
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(500 * MB, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(500 * MB, 24);
    central.writeUInt16LE(name.length, 28);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(1, 8);
    end.writeUInt16LE(1, 10);
    end.writeUInt32LE(46 + name.length, 12);
    end.writeUInt32LE(30 + name.length + packed.length, 16);
    const zip = Buffer.concat([local, name, packed, central, name, end]);
    const answer = await post('/verify', zip, 'application/vnd.etsi.asic-e+zip');
    expect(answer.statusCode).toBeLessThan(500);
  }, 60_000);

  test('a document above 50 MB is rejected with the usual error', async () => {
    const large = Buffer.alloc(50 * MB + 1, 'A');
    const answer = await create(JSON.stringify(request({ pdfDocument: large.toString('base64') })));
    expect([answer.statusCode, answer.json().errorCode]).toEqual([413, 'limit.exceeded']);
    expect(answer.json().responseStatus).toMatchObject({ errorCode: 'limit.exceeded' });
  }, 60_000);
});
