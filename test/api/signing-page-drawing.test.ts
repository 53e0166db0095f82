import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latin1Text, memorySource } from '../../src/base/bytes.ts';
import { limits } from '../../src/base/limits.ts';
import { asStream, openPdf, PdfReference } from '../../src/formats/pdf/index.ts';
import { type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';
import { newestSms } from './support/outbox.ts';
import { pageBrowser } from './support/page-browser.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const anna = {
  ...{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' },
  ...{ communicationDeliveryType: 'Email', language: 'En' },
};
const bo = { ...anna, name: 'Bo', signatureType: 'Simple', phoneNumber: '5812345' };
const linkOf = ({ processKey, signeeKey }: Place) => `/s/${processKey}/${signeeKey}`;
const drawn = { agree: 'yes', look: 'drawn', drawing: '[[0,0,450,300,900,0]]' };
const revisionOf = async ({ processKey }: Place) =>
  (await api.toolkit.processes.show({ key: processKey })).documentRev;
/** Streams of the document that set a stroke colour: among stamps, only a drawing has one. */
const drawingsOf = async ({ processKey }: Place) => {
  const file = openPdf(memorySource(await api.toolkit.processes.document(processKey)));
  const numbers = Array.from({ length: file.objectCount - 1 }, (_, at) => at + 1);
  return numbers.filter((number) => {
    const stream = asStream(file.read(new PdfReference(number)));
    if (stream?.dict.has('BBox') !== true) return false;
    return latin1Text(file.decode(stream)).includes('/Rgb CS');
  });
};

describe('signatures drawn on the signing page', () => {
  test('a click with a drawing signs, and the drawing appears in the document', async () => {
    const [typed, own] = [await api.process([anna, bo]), await api.process([anna, bo])];
    for (const [place, fields] of [
      [typed, { ...drawn, look: 'typed' }],
      [own, drawn],
    ] as const) {
      const browser = pageBrowser(api);
      const first = await browser.open(linkOf(place));
      expect(first.body).toContain('src="/s/reader/drawing.js"');
      // Made visible by its script alone.
      expect(first.body).toMatch(/<fieldset class="look"[^>]*hidden>/);
      expect((await browser.send('sign', fields)).title).toBe('You have signed');
    }
    expect(await drawingsOf(typed)).toHaveLength(0);
    expect(await drawingsOf(own)).toHaveLength(1);
  });

  test('a one-time code with a drawing signs, too', async () => {
    const place = await api.process(bo);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    await browser.send('code');
    await api.toolkit.runDueJobs();
    const fields = { ...drawn, code: newestSms(api.dataDir) };
    expect((await browser.send('confirm', fields)).title).toBe('You have signed');
  });

  test.each([
    ['nothing drawn', ''],
    ['not JSON', '[[1,2'],
    ['not numbers', '[[NaN,0,900,300]]'],
    ['outside the pad', '[[0,0,9000,300]]'],
    ['too many points', JSON.stringify([Array(2 * limits.drawingPoints + 2).fill(9)])],
    ['markup', '"><script>'],
  ])('%s: nothing is signed, and the page states the fault', async (_, drawing) => {
    const place = await api.process(anna);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const said = await browser.send('sign', { ...drawn, drawing });
    expect([said.sent, said.status]).toEqual([303, 200]);
    expect(said.body).toMatch(/role="alert"[^>]*>Draw your signature/);
    expect(said.body).not.toContain('><script>');
    expect(await revisionOf(place)).toBe(0);
  });

  test('a drawing of a million points is answered with 413, and nothing is signed', async () => {
    const place = await api.process(anna);
    const browser = pageBrowser(api);
    await browser.open(linkOf(place));
    const drawing = `[[${'1,'.repeat(2_000_000)}1]]`;
    expect((await browser.send('sign', { ...drawn, drawing })).status).toBe(413);
    expect(await revisionOf(place)).toBe(0);
  });
});
