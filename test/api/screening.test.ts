import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;
let flowKey = '';

beforeAll(async () => {
  api = await openIdentityApi();
  const flow = await api.toolkit.flows.create({ name: 'Screening', type: 'PEP' } as never);
  flowKey = flow.key;
}, 60_000);
beforeEach(() => api.pass(61_000));
afterAll(() => api.close());

const screen = (body: object, authorization = api.basic) =>
  api.post('/api/watchlist/person', { countryCode: 'IS', flowKey, ...body }, { authorization });
const minister = { firstName: 'Ragnheiður', lastName: 'Fjallmundardóttir' };
/** Imports a list of the company; returns the number of persons. */
async function importCsv(list: string, csv: string): Promise<number> {
  const files = [{ name: 'list.csv', content: Buffer.from(csv) }];
  return (await api.toolkit.screening.importList({ list, files, acceptShrink: true })).persons;
}
const names = (body: { match: { fullName: string }[] }) => body.match.map((each) => each.fullName);

describe('screening of a person', () => {
  test('reports that only the first names are searched if there are too many', async () => {
    const originalName = Array.from({ length: 9 }, () => 'Ada Lovelace').join('; ');
    const { body } = await screen({ originalName });
    expect(body.errors.slice(1)).toEqual([expect.stringContaining('only the first 8')]);
    const { body: fewer } = await screen({ originalName: originalName.slice(14) });
    expect(fewer.errors).toHaveLength(1);
  });

  test.each([
    ['countryCode', { countryCode: undefined }, 'expected a value, found none'],
    ['gender', { gender: 'X' }, 'found "X"'],
    ['MatchRate', { MatchRate: 'high' }, 'expected a number, found text'],
  ])('describes a fault of %s in plain words', async (name, member, expected) => {
    const { status, body } = await screen({ ...minister, ...member });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringMatching(
        new RegExp(`${name}: [^"]*${expected.replaceAll('"', '[^a-z]*')}`, 'i'),
      ),
    ]);
    expect(JSON.stringify(body)).not.toContain('must ');
  });

  test('returns exactly the published members', async () => {
    const { status, body } = await screen({ ...minister, DateOfBirth: '1968-11-30' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [expect.stringContaining('fictitious persons')],
      id: [{ id: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      date: [{ date: expect.stringMatching(/Z$/) }],
      status: [{ status: 'Finished' }],
      request: { ...minister, countryCode: 'IS', dateOfBirth: '1968-11-30', matchRate: 75 },
      flowkey: flowKey,
    });
    expect(Object.keys(body).sort()).toEqual(
      ['date', 'errors', 'flowkey', 'id', 'match', 'request', 'status'].sort(),
    );
    expect(body.match[0]).toEqual({
      category: 'PEP',
      categories: ['PEP'],
      match_rate: expect.any(Number),
      matchedFields: ['name', 'dateOfBirth', 'country'],
      gender: 'Female',
      deceased: false,
      firstName: 'Ragnheiður',
      middleName: 'Ösp',
      lastName: 'Fjallmundardóttir',
      fullName: 'Ragnheiður Ösp Fjallmundardóttir',
      images: [],
      dateOfBirth: '1968-11-30',
      countries: ['IS'],
      placeOfBirth: 'Reykjavík',
      primaryLocation: 'Reykjavík, Iceland',
      generalInfo: { nationality: 'IS' },
      furtherInformation: expect.any(Array),
      descriptions: [],
      roles: [{ title: 'Minister of Examples', status: 'Current', country: 'IS' }],
      officialLists: [],
    });
  });

  test.each([
    ['transliterated letters', { firstName: 'Thorgeir', lastName: 'Synisson' }, 'PEP/SIP'],
    ['a different order', { originalName: 'SÝNISSON, Þorgeir' }, 'PEP/SIP'],
    ['a typing error', { firstName: 'Viktor', lastName: 'Drakmenof' }, 'Sanction'],
    ['an alias', { firstName: 'Wiktor', lastName: 'Drakmenoff' }, 'Sanction'],
    ['two categories', { originalName: 'Rashid Omar al-Kazveri' }, 'Sanction/TER'],
  ])('finds a close name: %s', async (_, who, category) => {
    const { body } = await screen(who);
    expect(body.match[0].category).toBe(category);
  });

  test('returns an empty list if nothing matches', async () => {
    const { body } = await screen({ firstName: 'Guðrún', lastName: 'Hversdagsdóttir' });
    expect(body.match).toEqual([]);
  });

  test('MatchRate sets the minimum similarity', async () => {
    const far = { firstName: 'Ragnhildur', lastName: 'Fjallmundar' };
    const counts = [];
    for (const MatchRate of [1, 60, 75, 95, 100]) {
      const { body } = await screen({ ...far, MatchRate });
      counts.push(body.match.length);
      for (const each of body.match) expect(each.match_rate).toBeGreaterThanOrEqual(MatchRate);
    }
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts.at(-1)).toBe(0);
  });

  test('a different date of birth or gender lowers the match rate', async () => {
    const rate = async (more: object) =>
      (await screen({ ...minister, ...more, MatchRate: 1 })).body;
    const [same, born, gender] = [
      await rate({}),
      await rate({ dateOfBirth: '1990-01-01' }),
      await rate({ gender: 'male' }),
    ].map((body) => body.match[0].match_rate);
    expect(born).toBeLessThan(same);
    expect(gender).toBeLessThan(same);
  });

  test('also searches lists imported by the company, and only by it', async () => {
    const csv =
      'category,first_name,last_name,aliases,countries\n' +
      'RCA/pep,Ólafía,Innflutt,"Olafia I;Lóa Innflutt",is;NO\n';
    expect(await importCsv('own list', csv)).toBe(1);
    const { body } = await screen({ firstName: 'Olafia', lastName: 'Innflutt' });
    expect(body.match[0]).toMatchObject({ category: 'PEP/RCA', countries: ['IS', 'NO'] });
    expect(names((await screen({ originalName: 'Lóa Innflutt' })).body)).toEqual([
      'Ólafía Innflutt',
    ]);
    await importCsv('own list', 'category,last_name\nPOI,Annar\n');
    const gone = await screen({ firstName: 'Olafia', lastName: 'Innflutt' });
    expect(gone.body.match).toEqual([]);
  });

  test.each([
    ['category,last_name\nXYZ,A', 'category'],
    ['category,first_name\nPEP,A', 'last_name'],
    ['category,last_name,gender\nPEP,A,robot', 'gender'],
    ['category,last_name,date_of_birth\nPEP,A,1.1.1990', 'date_of_birth'],
  ])('rejects the import %j', async (csv, why) => {
    await expect(importCsv('bad', csv)).rejects.toThrow(why);
  });
});

describe('failures of a screening have the published body', () => {
  test.each([
    ['no name', {}, 400, 'invalid_request'],
    ['no last name', { firstName: 'A' }, 400, 'invalid_request'],
    ['an invalid country', { ...minister, countryCode: 'ISL' }, 400, 'invalid_request'],
    ['a rate of 0', { ...minister, MatchRate: 0 }, 400, 'invalid_request'],
    ['a rate of 101', { ...minister, matchrate: 101 }, 400, 'invalid_request'],
    ['an unknown gender', { ...minister, gender: 'X' }, 400, 'invalid_request'],
    [
      'a date in a different format',
      { ...minister, dateOfBirth: '30.11.1968' },
      400,
      'invalid_date',
    ],
    ['a year alone', { ...minister, dateOfBirth: '1968' }, 400, 'invalid_date'],
    ['an invalid day', { ...minister, dateOfBirth: '1968-02-30' }, 400, 'invalid_date'],
    ['an unknown flow', { ...minister, flowKey: 'x' }, 400, 'invalid_flow_key'],
  ])('rejects the request in the shape of its route: %s', async (_, body, status, code) => {
    const reply = await screen(body);
    expect(reply.status).toBe(status);
    expect(reply.body).toEqual({ error: 'Bad Request', message: expect.any(String), code });
  });

  test('a fault of the rate names the member of the body', async () => {
    const { body } = await screen({ ...minister, MatchRate: 0 });
    expect(body).toMatchObject({ message: 'MatchRate: expected 1 to 100, found 0' });
  });

  test('rejects a flow that is not for screening or belongs to another company', async () => {
    expect((await screen({ ...minister, flowKey: api.flowKey })).body.code).toBe(
      'invalid_flow_key',
    );
    expect((await screen(minister, api.foreign)).body.code).toBe('invalid_flow_key');
  });

  test('answers 415 for an unsupported Content-Type', async () => {
    const headers = { authorization: api.basic, 'content-type': 'text/plain' };
    const url = '/api/watchlist/person';
    const reply = await api.app.inject({ method: 'POST', url, headers, payload: 'x' });
    expect([reply.statusCode, reply.json()]).toEqual([
      415,
      {
        error: 'Unsupported Media Type',
        message: expect.stringContaining('application/json'),
        code: 'invalid_request',
      },
    ]);
  });

  test('answers 401 without credentials', async () => {
    const { status, body } = await api.post('/api/watchlist/person', { flowKey, ...minister });
    expect([status, body.code, body.error]).toEqual([401, 'invalid_credentials', 'Unauthorized']);
  });

  test('answers 429 with Retry-After after 60 requests in a minute', async () => {
    const all = [];
    for (let count = 0; count < 61; count++) all.push(await screen(minister));
    expect(all.slice(0, 60).every(({ status }) => status === 200)).toBe(true);
    const last = all.at(-1);
    expect([last?.status, last?.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0);
    api.pass(61_000);
    expect((await screen(minister)).status).toBe(200);
  });
});
