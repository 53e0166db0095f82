import { beforeAll, describe, expect, test } from 'vitest';
import { errorKinds } from '../../src/base/error-codes.table.ts';
import {
  type ContractBody,
  type ContractRoute,
  contractCodes,
  contractEnums,
  contractRoutes,
  contractShapes,
  ownCodes,
  ownRoutes,
  shapeReasons,
} from './contract.table.ts';
import {
  type Description,
  type Operation,
  operationsOf,
  readDescription,
} from './support/description.ts';

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: readonly string[];
}

let document: Description;
let operations: ReadonlyMap<string, { readonly path: string; readonly operation: Operation }>;
beforeAll(async () => {
  document = (await readDescription()).document;
  operations = new Map(
    operationsOf(document).map(({ path, method, operation }) => [
      `${method} ${path}`.toLowerCase(),
      { path, operation },
    ]),
  );
}, 60_000);

const find = (route: string, base = '/api') => {
  const [method = '', path = ''] = route.split(' ');
  return operations.get(`${method} ${base}${path}`.toLowerCase())?.operation;
};
const nameOf = ({ $ref }: Shape) => $ref?.replace('#/components/schemas/', '');
const shapeOf = (schema: Shape): Shape => {
  const name = nameOf(schema);
  return name === undefined ? schema : (document.components.schemas[name] as Shape);
};
const sorted = (names: Iterable<string>) => [...names].sort();
const plain = (members: readonly string[]) => members.map((each) => each.replace('!', ''));

/** Entries of only one list: `-x` is missing, `+x` is additional. */
function difference(published: readonly string[], found: readonly string[]): string[] {
  return [
    ...published.filter((each) => !found.includes(each)).map((each) => `-${each}`),
    ...found.filter((each) => !published.includes(each)).map((each) => `+${each}`),
  ];
}

function membersOf(body: ContractBody): readonly string[] {
  if (typeof body === 'string') return plain(contractShapes[body] ?? []);
  return 'members' in body ? body.members : plain(contractShapes[body[0]] ?? []);
}

/** Differences of the JSON body of a request or response. */
function bodyFaults(published: ContractBody, schema: Shape, more: readonly string[]): string[] {
  if (published === 'string') return schema.type === 'string' ? [] : ['no string'];
  const isList = Array.isArray(published);
  const item = isList ? (schema.items ?? {}) : schema;
  const listed = typeof published === 'string' ? published : isList ? published[0] : undefined;
  const shown = nameOf(item);
  const wrong =
    listed !== undefined && shown !== listed && !/^(Update|Create)EmailTemplate$/.test(listed)
      ? [`shape ${shown}, not ${listed}`]
      : [];
  const found = Object.keys(shapeOf(item).properties ?? {});
  return [...wrong, ...difference([...membersOf(published), ...more], found)];
}

function routeFaults(route: ContractRoute): string[] {
  const operation = find(route.route);
  if (operation === undefined) return ['is not there'];
  const { more = {} } = route;
  const extras = (kind: string) =>
    Object.keys(more)
      .filter((each) => each.startsWith(`${kind} `))
      .map((each) => each.slice(kind.length + 1));
  const query = (operation.parameters ?? []).filter((each) => each.in === 'query');
  const queryFaults = difference(
    [...(route.query ?? []), ...extras('query')],
    query.map(({ name }) => name),
  );
  const content = operation.requestBody?.content ?? {};
  const types = difference(
    [...(route.body === undefined ? [] : ['application/json']), ...extras('request')],
    Object.keys(content),
  );
  const json = content['application/json']?.schema;
  const sent =
    route.body === undefined || json === undefined
      ? []
      : bodyFaults(route.body, json, extras('body'));
  return [
    ...queryFaults.map((each) => `query ${each}`),
    ...types.map((each) => `request type ${each}`),
    ...sent.map((each) => `body ${each}`),
    ...answerFaults(route, operation, extras('200')),
    ...codeFaults(route, operation),
    ...accessFaults(route, operation),
  ];
}

function answerFaults(route: ContractRoute, { responses }: Operation, types: readonly string[]) {
  const successes = Object.keys(responses).filter((status) => Number(status) < 400);
  const published = Object.keys(route.answers);
  const more = Object.keys(route.more ?? {}).filter((each) => /^\d+$/.test(each));
  const faults = difference([...new Set([...published, ...more])], successes);
  for (const [status, body] of Object.entries(route.answers)) {
    const content = responses[status]?.content ?? {};
    const isRaw = typeof body === 'string' && body.includes('/');
    const expected = body === '' ? [] : [isRaw ? body : 'application/json', ...types];
    faults.push(...difference(expected, Object.keys(content)));
    const schema = content['application/json']?.schema;
    const members = Object.keys(route.more ?? {}).filter((each) => each.startsWith('answer '));
    const ours = members.map((each) => each.slice('answer '.length));
    if (!isRaw && schema !== undefined) faults.push(...bodyFaults(body, schema, ours));
  }
  return faults.map((each) => `answer ${each}`);
}

function codeFaults(route: ContractRoute, { responses }: Operation): string[] {
  const described = new Map<string, string>();
  for (const [status, { content, description }] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    const examples = content?.['application/json']?.examples ?? {};
    for (const [code, { value }] of Object.entries(examples)) {
      const own = (value as { code?: string } | undefined)?.code;
      described.set(code, status);
      if (own !== undefined) described.set(own, status);
    }
    // A response to HEAD has no body with a code.
    for (const [, code = ''] of description.matchAll(/`([\w.]+)`:/g)) described.set(code, status);
  }
  const missing = route.codes.filter((code) => !described.has(code));
  const unknown = [...described.keys()].filter(
    (code) => !route.codes.includes(code) && !(code in contractCodes) && !(code in ownCodes),
  );
  const isOwnWord = /^(invalid_|rate_|internal_|userCancel|expiredTrans|startFailed)/;
  return [
    ...missing.map((code) => `code -${code}`),
    ...unknown.filter((code) => !isOwnWord.test(code)).map((code) => `code +${code}`),
  ];
}

function accessFaults({ access, atRoot, route }: ContractRoute, { security = [] }: Operation) {
  const names = security.flatMap((each) => Object.keys(each));
  const expected = { company: ['basic'], process: ['basic', 'bearer', 'accessToken'], open: [] };
  const faults = difference(expected[access], names).map((each) => `security ${each}`);
  if ((find(route, '') !== undefined) === (atRoot === true)) return faults;
  return [...faults, atRoot === true ? 'is not at the root' : 'is at the root'];
}

describe('the description compared with the published contract', () => {
  test.each(contractRoutes.map((each) => [each.route, each] as const))(
    'route matches its published row: %s',
    (_, route) => {
      expect(routeFaults(route)).toEqual([]);
    },
  );

  test('reports every kind of difference', () => {
    const [route] = contractRoutes;
    if (route === undefined) throw new Error('the table is empty');
    const more: ContractRoute = {
      ...route,
      access: 'company',
      query: ['Odd'],
      body: { members: ['flowKey'] },
      answers: { 201: 'PollCustomer' },
      codes: ['odd.code'],
    };
    expect(routeFaults(more)).toEqual(
      expect.arrayContaining([
        'query -Odd',
        'body +ssn',
        'answer -201',
        'answer +200',
        'code -odd.code',
        'security -basic',
      ]),
    );
    expect(routeFaults({ ...route, answers: { 200: 'Customer' } })).toContain(
      'answer shape StartAuthResponse, not Customer',
    );
    expect(routeFaults({ ...route, route: 'POST /nowhere' })).toEqual(['is not there']);
  });

  test('every route is published or has a reason', () => {
    const published = [...contractRoutes.map(({ route }) => route), ...Object.keys(ownRoutes)];
    const known = new Set(published.map((route) => route.toLowerCase()));
    const found = [...operations.keys()].map((each) => each.replace(' /api/', ' /'));
    expect(sorted(new Set(found)).filter((each) => !known.has(each))).toEqual([]);
    expect(sorted(known).filter((each) => !found.includes(each))).toEqual([]);
  });

  test.each(Object.entries(contractShapes))('shape %s', (name, members) => {
    const schema = document.components.schemas[name] as Shape | undefined;
    expect(schema).toBeDefined();
    expect(difference(plain(members), Object.keys(schema?.properties ?? {}))).toEqual([]);
    const isSent = members.some((each) => each.endsWith('!'));
    if (!isSent) return;
    const needed = members.filter((each) => each.endsWith('!'));
    expect(sorted(schema?.required ?? [])).toEqual(sorted(plain(needed)));
  });

  test.each(Object.entries(contractEnums))('enumeration %s', (place, words) => {
    const [name = '', member = ''] = place.split('.');
    const schema = document.components.schemas[name] as Shape;
    expect(schema.properties?.[member]?.enum).toEqual(words);
  });

  test.each(Object.entries(contractCodes))('code %s has the status %i', (code, status) => {
    expect(errorKinds[code as keyof typeof errorKinds]?.httpStatus).toBe(status);
  });

  test('has a reason for each addition, and no reasons for what does not exist', () => {
    const reasons = [
      ...Object.values(ownRoutes),
      ...Object.values(ownCodes),
      ...Object.values(shapeReasons),
      ...contractRoutes.flatMap(({ more = {} }) => Object.values(more)),
    ];
    for (const reason of reasons) expect(reason.length).toBeGreaterThan(10);
    const codes = new Set(Object.keys(errorKinds));
    expect(Object.keys(ownCodes).filter((code) => !codes.has(code))).toEqual([]);
    expect(Object.keys(ownCodes).filter((code) => code in contractCodes)).toEqual([]);
  });
});
