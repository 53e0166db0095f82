import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

let api: IdentityApi;

beforeAll(async () => {
  api = await openIdentityApi();
}, 60_000);
afterAll(() => api.close());

const status = async (kind: 'individuals' | 'businesses', query: string, basic = api.basic) =>
  api.get(`/api/management/compliances/${kind}/status?${query}`, { authorization: basic });

const person = { kind: 'person', name: 'Guðrún Dæmisdóttir' } as const;
const answered = { type: 'PEP', answeredDate: '2020-01-01', nextDate: '2999-01-01' };

describe('compliance status of individuals', () => {
  test('a compliant person: returns exactly the published members', async () => {
    await api.toolkit.compliance.record({
      ...person,
      ssn: '010190-1239',
      riskEvaluated: true,
      requirements: [answered],
    });
    const { status: code, body } = await status('individuals', 'Ssn=0101901239');
    expect(code).toBe(200);
    expect(body).toEqual({
      pep_found: false,
      status: 'compliant',
      status_messages: [],
      requirements: [],
      is_compliant: true,
    });
    expect((await status('individuals', 'sSn=010190-1239')).body).toEqual(body);
  });

  test('lists all reasons for non-compliance in a fixed order', async () => {
    await api.toolkit.compliance.record({
      ...person,
      email: 'Gudrun@example.test',
      phoneNumber: '+354 888 1234',
      pepFound: true,
      requirements: [
        { type: 'aml', answeredDate: '2020-01-01', nextDate: '2021-01-01', flowKey: 'f1' },
        { type: 'MIFID' },
      ],
    });
    const { body } = await status('individuals', 'email=gudrun@example.test&phone=8881234');
    expect(body).toEqual({
      pep_found: true,
      status: 'not_compliant',
      status_messages: [
        'pep found',
        'has not been risk evaluated',
        'missed due dates',
        'does not meet all requirements',
      ],
      requirements: [
        {
          compliance_type: 'AML',
          answered_date: '2020-01-01',
          next_date: '2021-01-01',
          flow_key: 'f1',
        },
        { compliance_type: 'MIFID', answered_date: null, next_date: null, flow_key: null },
      ],
      is_compliant: false,
    });
  });

  test('a newer record overrides only the values that it states', async () => {
    const ssn = '0202901239';
    const messages = async () => (await status('individuals', `Ssn=${ssn}`)).body.status_messages;
    await api.toolkit.compliance.record({ ...person, ssn, pepFound: true });
    await api.toolkit.compliance.record({ ...person, ssn, riskEvaluated: true });
    expect(await messages()).toEqual(['pep found']);
    await api.toolkit.compliance.record({ ...person, ssn, pepFound: false });
    expect(await messages()).toEqual([]);
  });

  test.each([
    ['', 404, 'compliance.not_found'],
    ['Ssn=&Email=', 404, 'compliance.not_found'],
    ['Email=a@example.test', 404, 'compliance.not_found'],
    ['Phone=1111111', 404, 'compliance.not_found'],
    ['Ssn=1', 404, 'compliance.not_found'],
    ['Phone=---', 404, 'compliance.not_found'],
    ['Ssn=9999999999', 404, 'compliance.not_found'],
    ['Email=a@example.test&Phone=1111111', 404, 'compliance.not_found'],
  ])('query ?%s: answers %s %s', async (query, code, errorCode) => {
    const { status: found, body } = await status('individuals', query);
    expect([found, body.errorCode]).toEqual([code, errorCode]);
  });

  test('an e-mail address or phone alone matches a single person, and never one of several', async () => {
    const one = { ...person, email: 'One@example.test', phoneNumber: '+354 777 1234' };
    await api.toolkit.compliance.record({ ...one, ssn: '0404901239', riskEvaluated: true });
    const answers = async (query: string) => {
      const { status: code, body } = await status('individuals', query);
      return code === 200 ? body.status : body.errorCode;
    };
    expect(await answers('Email=one@EXAMPLE.test')).toBe('compliant');
    expect(await answers('Phone=7771234')).toBe('compliant');
    await api.toolkit.compliance.record({ ...one, phoneNumber: '7775555' });
    expect(await answers('Email=one@example.test')).toBe('compliance.person.ambiguous');
    expect(await answers('Phone=7771234')).toBe('compliant');
    expect(await answers('Email=one@example.test&Phone=7775555')).toBe('not_compliant');
    expect((await status('individuals', 'Phone=7771234', api.foreign)).status).toBe(404);
  });

  test('an e-mail address and phone shared by two persons match neither of them', async () => {
    const home = { email: 'home@example.test', phoneNumber: '7779999' };
    const [his, hers] = ['0505901239', '0606901239'];
    await api.toolkit.compliance.record({ ...person, ...home, ssn: his, riskEvaluated: true });
    await api.toolkit.compliance.record({ ...person, ...home, ssn: hers, pepFound: true });
    const both = 'Email=home@example.test&Phone=7779999';
    const { status: code, body } = await status('individuals', both);
    expect([code, body.errorCode]).toEqual([400, 'compliance.person.ambiguous']);
    expect((await status('individuals', `Ssn=${hers}&${both}`)).body.pep_found).toBe(true);
    // A record without a number overwrites neither of them.
    await expect(api.toolkit.compliance.record({ ...person, ...home })).rejects.toThrow('found 2');
  });

  test.each([
    [{ phoneNumber: 'n/a' }, 'phoneNumber'],
    [{ phoneNumber: '+' }, 'phoneNumber'],
    [{ email: '-' }, 'email'],
    [{ email: 'none' }, 'email'],
    [{ email: '@', phoneNumber: '7778888' }, 'email'],
  ])('rejects the contact data %j, which identify no one', async (contact, field) => {
    const record = { ...person, ssn: '0707901239', ...contact };
    await expect(api.toolkit.compliance.record(record)).rejects.toThrow(field);
  });

  test('answers 401 without credentials, and 404 for records of another company', async () => {
    const url = '/api/management/compliances/individuals/status?Ssn=0101901239';
    expect((await api.get(url)).status).toBe(401);
    expect((await status('individuals', 'Ssn=0101901239', api.foreign)).status).toBe(404);
  });
});

describe('compliance status of businesses', () => {
  test('is found by number and by name, and has no pep_found', async () => {
    const record = { kind: 'business', name: 'Prófun  ehf.', ssn: '5000101886' } as const;
    await api.toolkit.compliance.record({ ...record, pepFound: true });
    const { body } = await status('businesses', 'Ssn=5000101886');
    expect(body).toEqual({
      status: 'not_compliant',
      status_messages: ['has not been risk evaluated'],
      requirements: [],
      is_compliant: false,
    });
    const named = await status('businesses', `Name=${encodeURIComponent('prófun EHF.')}`);
    expect(named.body).toEqual(body);
    expect((await status('individuals', 'Ssn=5000101886')).status).toBe(404);
    expect((await status('businesses', 'Name=nobody')).status).toBe(404);
    await api.toolkit.compliance.record({ ...record, ssn: '5000101887', riskEvaluated: true });
    const several = await status('businesses', `Name=${encodeURIComponent('Prófun ehf.')}`);
    expect([several.status, several.body.errorCode]).toEqual([400, 'compliance.person.ambiguous']);
    expect((await status('businesses', '')).status).toBe(404);
  });
});

describe('import of compliance records', () => {
  test('merges rows about the same person into one record', async () => {
    const csv = [
      'Kind,Name,Ssn,Email,Phone,Pep_found,Risk_evaluated,Compliance_type,Answered_date,Next_date',
      'person,"Jón ""yngri"", Dæmi",0303901239,,,no,yes,PEP,2024-01-01,2999-01-01',
      'person,Jón,030390-1239,,,no,yes,AML,,',
      'business,Félag ehf.,,,,,x,,,',
    ].join('\r\n');
    expect(await api.toolkit.compliance.import(csv)).toBe(2);
    const { body } = await status('individuals', 'Ssn=0303901239');
    expect(body.status_messages).toEqual(['does not meet all requirements']);
    expect(body.requirements).toHaveLength(2);
    const business = await status('businesses', `Name=${encodeURIComponent('Félag ehf.')}`);
    expect(business.body.is_compliant).toBe(true);
  });

  test.each([
    ['kind,name\nrobot,X', 'row 2: kind'],
    ['kind,name,ssn\nperson,X,12', 'ssn: expected ten digits'],
    ['name,ssn,compliance_type\nX,0101901239,ABC', 'type'],
    ['name,ssn,compliance_type,next_date\nX,0101901239,PEP,2024-02-30', 'row 2: next_date: '],
    ['name\n"open', 'not closed'],
    ['name,NAME\nX,Y', 'twice'],
    ['name\nX,Y', 'row 2'],
    ['kind\nperson', 'name'],
  ])('rejects %j and writes nothing', async (csv, why) => {
    await expect(api.toolkit.compliance.import(csv)).rejects.toThrow(why);
  });
});
