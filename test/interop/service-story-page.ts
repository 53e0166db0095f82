import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { browserMissing } from '../api/support/browser.ts';
import { launchBrowser } from '../api/support/screens.ts';
import { report, skip, unless } from './checks.ts';
import type { InnsigliCli } from './innsigli-cli.ts';
import type { Stage } from './service-story.ts';
import type { SignedDocument } from './service-story-judges.ts';

const documents = ['agreement', 'object-streams', 'form-with-text-field'];
const persons = [
  { name: 'Ásta Click', email: 'asta@example.test', signatureType: 'ClickToSign' },
  { name: 'Bjarki Code', email: 'bjarki@example.test', phoneNumber: '+11111111111' },
  { name: 'Einar Eid', email: 'einar@example.test', phoneNumber: '6666666', ssn: '6000101994' },
];
const signatureTypes = ['ClickToSign', 'Simple', 'Qualified'];
const waitMs = 60_000;

/**
 * Three people sign three documents on the page, in a browser, each from the link in their mail:
 * one by click, without scripts; one by code; one by e-ID.
 */
export async function tellPage(stage: Stage, cli: InnsigliCli): Promise<SignedDocument[]> {
  if (browserMissing !== undefined) {
    skip('a sequence signed on the page', browserMissing);
    return [];
  }
  const port = await freePort();
  const env = {
    INNSIGLI_MAIL_SERVER: `smtp://127.0.0.1:${stage.smtp.port}?tls=none`,
    INNSIGLI_FRONT_END: `http://127.0.0.1:${port}`,
  };
  const start = ['sequence', 'create', writePlan(stage), '--user', 'owner@example.test'];
  const { sequence } = await stage.desk.step(start);
  const server = await cli.start(['serve', '--port', String(port)], env);
  const browser = await launchBrowser();
  try {
    for (const [at, { email }] of persons.entries()) {
      const link = await linkFor(stage, email, port);
      report(`mail to ${email} has a link to the page`, unless({ link: link !== undefined }));
      if (link !== undefined) await signAll(browser, link, at);
    }
    return await keepSealed(stage, sequence?.key);
  } finally {
    await browser.close();
    server.kill('SIGTERM');
    await once(server, 'close');
  }
}

async function signAll(browser: Browser, link: string, at: number): Promise<void> {
  const type = signatureTypes[at] ?? '';
  const context = await browser.newContext({ javaScriptEnabled: type !== 'ClickToSign' });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  try {
    await page.goto(link);
    for (const count of documents.keys()) {
      await page.getByText(`Document ${count + 1} of ${documents.length}`).waitFor();
      await ways[type]?.(page);
    }
    await page.getByRole('heading', { name: 'You have signed' }).waitFor();
    report(`${type} on the page`, []);
  } catch (error) {
    report(`${type} on the page`, [String(error).slice(0, 300)]);
  } finally {
    await context.close();
  }
}

const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async ClickToSign(page) {
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign the document' }).click();
  },
  async Simple(page) {
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByLabel('Code from the text message').fill('123456');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign with the code' }).click();
  },
  async Qualified(page) {
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: 'Continue with electronic ID' }).first().click();
  },
};

/** The link in the mail to somebody, when it has come. */
async function linkFor({ smtp }: Stage, to: string, port: number): Promise<string | undefined> {
  const form = new RegExp(`http://127\\.0\\.0\\.1:${port}/s/pg\\w+/\\w+`);
  const endMs = Date.now() + waitMs;
  while (Date.now() < endMs) {
    const mail = smtp.mails.find((each) => each.to.includes(to));
    const text = mail?.raw.replace(/=\r?\n/g, '').replaceAll('=3D', '=') ?? '';
    const [link] = form.exec(text) ?? [];
    if (link !== undefined) return link;
    await new Promise((done) => setTimeout(done, 200));
  }
  return undefined;
}

async function keepSealed({ desk }: Stage, key: unknown): Promise<SignedDocument[]> {
  const processes = await completed(desk, String(key));
  report(
    'three documents are sealed after the last signature',
    unless({ [`found ${processes.length}`]: processes.length === documents.length }),
  );
  const kept: SignedDocument[] = [];
  for (const [at, processKey] of processes.entries()) {
    const path = join(desk.folder, `page-${at + 1}.pdf`);
    await desk.step(['process', 'document', processKey, '-o', path]);
    const signatures = persons.length + 1;
    kept.push({ path, name: `page ${at + 1}`, signatures, level: 'B-LTA' });
  }
  return kept;
}

/** Keys of the processes of a sequence, when all of them are completed. */
async function completed({ step }: Stage['desk'], key: string): Promise<string[]> {
  const endMs = Date.now() + waitMs;
  for (;;) {
    const { sequence } = await step(['sequence', 'show', key]);
    const processes: readonly { key: string; status: string }[] = sequence?.processes ?? [];
    const done = processes.filter(({ status }) => status === 'Completed');
    if (done.length === documents.length || Date.now() > endMs) return done.map((each) => each.key);
    await new Promise((resume) => setTimeout(resume, 1_000));
  }
}

function writePlan({ desk, flow }: Stage): string {
  const signees = persons.map((person, at) => ({
    ...{ ...person, signatureType: signatureTypes[at], delivery: 'Email', language: 'En' },
  }));
  const plan = documents.map((name) => ({
    ...{
      flowKey: flow,
      pdf: resolve(`fixtures/pdf/${name}.pdf`),
      fileName: `${name}.pdf`,
      signees,
    },
  }));
  const path = join(desk.folder, 'page-plan.json');
  writeFileSync(path, JSON.stringify(plan));
  return path;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
