import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formWithBombs, inflatingPdf, ordinaryPdf } from './documents.ts';
import { inWaves, type Letter } from './frame.ts';
import type { Site } from './site.ts';
import { call } from './watch.ts';

const json = 'application/json';

/** Attacks by small requests that cause much work. */
export const work: readonly Letter[] = [
  {
    letter: 'a',
    what: 'a smart-flow schema of 3,000 properties, and the largest accepted one, three at a time',
    attack: (site, until) =>
      inWaves(until, (number) =>
        together(3, (at) => {
          const [lists, names] = number % 2 === 0 ? [2, 1400] : [1, 3000];
          return putSchema(site, `${number}-${at}`, wideSchema(`${number}x${at}`, lists, names));
        }),
      ),
  },
  {
    letter: 'b',
    what: '400 × uniqueItems in a published schema, and 20 KB of values',
    async prepare(site) {
      publish(site, await flowWithTemplate(site), uniqueSchema);
    },
    attack: (site, until) => inWaves(until, () => together(1, () => create(site, manyItems))),
  },
  ...(['verify', 'seal'] as const).map(
    (route): Letter => ({
      letter: `c-${route}`,
      what: `a PDF of 783 bytes that inflates to 240 MB, and one of 204 KB, eight at a time, to ${route}`,
      attack: (site, until) =>
        inWaves(until, (number) =>
          together(8, () => post(site, routes[route], 'application/pdf', bombs[number % 2])),
        ),
    }),
  ),
  {
    letter: 'c-create',
    what: 'the same as the document of a process',
    attack: (site, until) =>
      inWaves(until, (number) =>
        together(8, () => create(site, {}, bombs[number % 2]?.toString('base64'))),
      ),
  },
  {
    letter: 'h',
    what: '45 MB of base64 in JSON: as document and attachment of a process, to seal, to verify',
    attack: (site, until) =>
      inWaves(until, async (number) => {
        const { flowKey } = site.attacker;
        const bodies = [
          () => create(site, {}, large()),
          () => create(site, {}, ordinary, [{ fileName: 'a.pdf', fileContent: large() }]),
          () => postJson(site, '/api/management/sealing', { flowKey, pdfDocument: large() }),
          () => postJson(site, '/api/verify', { document: large() }),
        ];
        return [(await bodies[number % bodies.length]?.()) ?? ''];
      }),
  },
  {
    letter: 'i',
    what: 'the log with Take=1,000,000, of 2,000 processes, three at a time',
    async prepare(site) {
      for (let made = 0; made < 2000; made += 20) await together(20, () => create(site, {}));
    },
    attack: (site, until) =>
      inWaves(until, () => together(3, () => get(site, `/api/signing/activity?${always}`))),
  },
  {
    letter: 'j',
    what: 'a form of 2 MB with six object-stream bombs: filled in, and used as the form of a flow',
    async prepare(site) {
      writeFileSync(join(site.folder, 'form.pdf'), formWithBombs());
    },
    async attack(site, until) {
      const made = await cli(
        site,
        'flow',
        'create',
        '--name',
        'Form',
        '--type',
        'FillAndSign',
        ...form,
      );
      if (made.exit !== 0) return refusedForms(site, until);
      const { flowKey } = JSON.parse(made.text).flow;
      const meta = { pdfFieldData: '{"name":"Anna"}' };
      return inWaves(until, () =>
        together(3, () => postJson(site, '/api/management/signing', { ...signed, flowKey, meta })),
      );
    },
  },
];

/** Creates a flow with the form, repeatedly. */
function refusedForms(site: Site, until: AbortSignal) {
  return inWaves(until, async () => {
    const begunAt = performance.now();
    const words = ['flow', 'create', '--name', 'Form', '--type', 'FillAndSign', ...form];
    const { exit, code } = await cli(site, ...words);
    const seconds = (performance.now() - begunAt) / 1000;
    return [`flow create: exit ${exit} within ${Math.ceil(seconds)} s: ${code}`];
  });
}

const form = ['--template', 'form.pdf', '--json'];
const always = 'StartDate=2000-01-01&EndDate=2100-01-01&Take=1000000';
const routes = { verify: '/api/verify', seal: '/api/management/sealing?FlowKey=' } as const;

const bombs: readonly Buffer[] = [inflatingPdf(240_000_000, 2), inflatingPdf(204_000_000, 1)];
const ordinary = ordinaryPdf().toString('base64');

/** A valid document of 45 MB. */
let largeText: string | undefined;
function large(): string {
  largeText ??= ordinaryPdf(45_000_000).toString('base64');
  return largeText;
}

const signed = {
  createSignees: [
    {
      name: 'Anna Example',
      email: 'anna@example.test',
      signatureType: 'ClickToSign',
      communicationDeliveryType: 'None',
    },
  ],
};

// The text is different each time, so that cached compilation does not hide the work.
function wideSchema(prefix: string, lists: number, count: number): object {
  const names = Array.from({ length: count }, (_, at) => `p${prefix}x${at}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', maxLength: 9 }]),
  );
  const schema = { type: 'object', properties };
  return lists === 1 ? schema : { allOf: Array.from({ length: lists }, () => schema) };
}

const uniqueSchema = {
  type: 'object',
  properties: { items: { allOf: Array.from({ length: 400 }, () => ({ uniqueItems: true })) } },
};
const manyItems = {
  pdfFieldData: JSON.stringify({ items: Array.from({ length: 1700 }, (_, a) => ({ a })) }),
};

function together(
  count: number,
  work: (at: number) => Promise<string>,
): Promise<readonly string[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => work(at)));
}

function putSchema({ url, attacker }: Site, version: string, schema: object): Promise<string> {
  const path = `/api/management/smartflows/${attacker.flowKey}/${version}`;
  const headers = { authorization: attacker.authorization, 'content-type': json };
  const body = JSON.stringify({ schema: JSON.stringify(schema) });
  return call(url, 'PUT', path, { agent: false, headers, body });
}

function create(
  site: Site,
  meta: object,
  pdfDocument: string | undefined = ordinary,
  attachments: readonly object[] = [],
): Promise<string> {
  const { flowKey } = site.attacker;
  const document = 'pdfFieldData' in meta ? {} : { pdfDocument, pdfFileName: 'a.pdf' };
  const body = { ...signed, ...document, flowKey, meta, attachments };
  return postJson(site, '/api/management/signing', body);
}

function postJson(site: Site, path: string, body: object): Promise<string> {
  return post(site, path, json, JSON.stringify(body));
}

function post(site: Site, path: string, type: string, body: Buffer | string | undefined) {
  const { authorization, flowKey } = site.attacker;
  const headers = { authorization, 'content-type': type };
  const address = path.endsWith('FlowKey=') ? path + flowKey : path;
  return call(site.url, 'POST', address, { agent: false, headers, body: body ?? '' });
}

function get({ url, attacker }: Site, path: string): Promise<string> {
  return call(url, 'GET', path, {
    agent: false,
    headers: { authorization: attacker.authorization },
  });
}

/** A flow whose documents are rendered from values becomes the attacked flow. */
async function flowWithTemplate(site: Site): Promise<string> {
  const template = { v: 1, title: 'T', blocks: [{ type: 'paragraph', text: 'Text' }] };
  writeFileSync(join(site.folder, 'template.json'), JSON.stringify(template));
  const made = await cli(
    site,
    'flow',
    'create',
    '--name',
    'R',
    '--type',
    'RenderFlow',
    '--template',
    'template.json',
    '--json',
  );
  const { flowKey } = JSON.parse(made.text).flow;
  (site.attacker as { flowKey: string }).flowKey = flowKey;
  return flowKey;
}

function publish(site: Site, flowKey: string, schema: object): void {
  writeFileSync(join(site.folder, 'schema.json'), JSON.stringify(schema));
  const put = ['--put', 'schema.json', '--publish', '--company', site.attacker.company];
  site.cli('flow', 'schema', flowKey, 'v1', ...put);
}

interface Ended {
  readonly exit: number;
  readonly code: string;
  readonly text: string;
}

/** The command line as the attacking company, concurrently with everything else. */
function cli(site: Site, ...words: readonly string[]): Promise<Ended> {
  return new Promise((done) => {
    const { program, env } = site.command;
    const all = [program, ...words, '--company', site.attacker.company];
    execFile(process.execPath, all, { env, cwd: site.folder }, (error, stdout, stderr) => {
      const exit = error === null ? 0 : Number(error.code ?? 1);
      const [, code = ''] = /"code":"([\w.]+)"/.exec(stderr) ?? [];
      done({ exit, code, text: stdout });
    });
  });
}
