import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.ts';
import { report, skip, unless } from './checks.ts';
import type { InnsigliCli } from './innsigli-cli.ts';
import type { JudgeRoom } from './local-judges.ts';
import { type Desk, openDesk } from './service-story-desk.ts';
import { judgeSigned, type SignedDocument } from './service-story-judges.ts';
import { openWebhookDesk, type WebhookDesk } from './service-story-outside.ts';
import { tellPage } from './service-story-page.ts';
import { tellSequence } from './service-story-sequence.ts';
import {
  type EventType,
  eventsOf,
  eventTypes,
  judgeRetry,
  judgeWebhooks,
  register,
} from './service-story-webhooks.ts';
import { have, run } from './tools.ts';

/** How far the clock stands back for what begins the stories: reminders come after a day. */
export const beginShiftMs = -26 * 3_600_000;

/** What the stories happen with. */
export interface Stage {
  readonly desk: Desk;
  readonly smtp: TestSmtpServer;
  readonly receiver: WebhookDesk;
  /** Flow with a webhook for every type. */
  readonly flow: string;
  /** Flow whose documents expire after a day. */
  readonly brief: string;
}

const original = resolve('fixtures/pdf/agreement.pdf');
const name = 'Þórður Łucja Čeněk Ödön';
const signees = [
  `${name},phone=6666666,ssn=6000101994,email=thordur@example.test,type=Qualified,delivery=Email`,
  'Björn Őrsi,phone=+11111111111,email=bjorn@example.test,type=Simple,delivery=Email',
  'Carl,email=carl@example.test,type=ClickToSign,delivery=Email',
];

/**
 * The stories of the signing service from the shell, with a real mail server and a real receiver of
 * webhooks, on a data directory whose trust was made at {@link beginShiftMs} and is being served.
 */
export async function tellServiceStories(
  cli: InnsigliCli,
  signatureKey: string,
  folder: string,
  room: JudgeRoom,
): Promise<void> {
  mkdirSync(folder);
  const smtp = await startSmtpServer();
  const receiver = await openWebhookDesk('AllSigned');
  try {
    const server = `smtp://127.0.0.1:${smtp.port}?tls=none`;
    const desk = openDesk(cli, folder, { INNSIGLI_MAIL_SERVER: server });
    const { flows } = await desk.step(['flow', 'list']);
    const made = ['--name', 'Brief', '--type', 'DropAndSign', '--set', 'expiresAfterDays=1'];
    const brief = String((await desk.step(['flow', 'create', ...made])).flow?.flowKey);
    const stage = { desk, smtp, receiver, flow: String(flows?.[0]?.flowKey), brief };
    for (const type of Object.keys(eventTypes) as EventType[]) {
      await register(desk, receiver, stage.flow, type);
    }
    await register(desk, receiver, brief, 'Expired', 'Expired-brief');
    const expired = await beginExpired(stage);
    const documents = await tellDocument(stage);
    documents.push(...(await tellSequence(stage)));
    documents.push(...(await tellPage(stage, cli)));
    await tellEnds(stage, expired);
    await waitForRetry(stage);
    judgeWebhooks(receiver, signatureKey);
    judgeRetry(receiver, 'AllSigned');
    judgeMails(smtp);
    await judgeSigned(documents, room);
    await tellEditedRow(desk, join(cli.dataDir, 'innsigli.db'));
  } finally {
    await Promise.all([smtp.close(), receiver.close()]);
  }
}

/** One document, a signee of each type in order, from the invitation to the evidence. */
async function tellDocument({ desk, smtp, receiver, flow }: Stage): Promise<SignedDocument[]> {
  const { step, folder } = desk;
  const given = signees.flatMap((signee) => ['--signee', signee]);
  const request = ['--in-order', '--user', 'owner@example.test', '--reminders', '1:3'];
  const early = { shiftMs: beginShiftMs };
  const { process } = await step(
    ['process', 'create', original, '--flow', flow, ...request, ...given],
    early,
  );
  const key = String(process?.key);
  const [first, second, third] = (process?.signees ?? []).map((each: { key: string }) => each.key);
  const sign = (signee: string, ...how: readonly string[]) => ['sign', key, signee, ...how];
  await step(['worker', '--once', '--only', 'message'], early);
  const invited = smtp.mails.map(({ to }) => to.join());
  report('only the first is invited', unless({ one: invited.join() === 'thordur@example.test' }));
  await step(sign(third, '--yes'), { code: 6, error: 'signing.forbidden.order' });
  await step(['remind', 'run']);
  await step(['remind', key, first, '--delivery', 'Email']);
  await step(['remind', 'run']);
  report('two reminders by mail', unless({ [`${smtp.mails.length}`]: smtp.mails.length === 3 }));

  const documents: SignedDocument[] = [];
  const keep = async (what: string, signatures: number, level: SignedDocument['level']) => {
    const path = join(folder, `${what}.pdf`);
    await step(['process', 'document', key, '-o', path]);
    documents.push({ path, name: `story ${what}`, signatures, level });
    return path;
  };
  await step(sign(first, '--sim', '6666666'));
  await keep('after-1', 1, 'B-T');
  await step(['worker', '--once']);
  const { token } = await step(sign(second), { code: 9 });
  await step(['worker', '--once', '--only', 'message']);
  const code = join(folder, 'code');
  writeFileSync(code, '123456\n');
  await step(sign(second, '--token', String(token), '--code-file', code));
  await keep('after-2', 2, 'B-T');
  await step(['worker', '--once']);
  await step(sign(third, '--yes'));
  await step(['process', 'show', key], { code: 9 });
  await keep('after-3', 3, 'B-T');
  // The receiver refuses the first AllSigned: a delivery that failed is told.
  await step(['worker', '--once'], { code: 3 });
  const final = await keep('final', 4, 'B-LTA');
  await keepEvidence(desk, key, documents);
  judgeDocumentEvents(receiver, key, readFileSync(final));
  return documents;
}

async function keepEvidence({ step, folder }: Desk, key: string, documents: SignedDocument[]) {
  const { process } = await step(['process', 'show', key]);
  report('completed at B-LTA', [
    ...unless({
      completed: process?.status === 'Completed',
      'B-LTA': process?.finalization?.level === 'B-LTA',
    }),
  ]);
  const path = join(folder, 'evidence.pdf');
  const attachment = 'agreement-evidence.pdf';
  await step(['process', 'document', key, '--attachment', attachment, '-o', path]);
  documents.push({ path, name: 'story evidence', signatures: 1, level: 'B-LTA' });
  if (!have('pdftotext')) return skip('names in the evidence', 'pdftotext is not installed');
  const { stdout } = await run('pdftotext', [path, '-']);
  const names = unless({ [name]: stdout.includes(name), 'Björn Őrsi': stdout.includes('Őrsi') });
  report('names in the evidence', names);
}

function judgeDocumentEvents(receiver: WebhookDesk, key: string, final: Buffer): void {
  const expected: Readonly<Partial<Record<EventType, number>>> = {
    Created: 1,
    Signup: 3,
    Reminder: 2,
    SignedDocument: 2,
    Completed: 1,
  };
  for (const [type, count] of Object.entries(expected)) {
    const found = eventsOf(receiver, type, key).length;
    report(`${count} × ${type}`, unless({ [`found ${found}`]: found === count }));
  }
  const [completed] = eventsOf(receiver, 'Completed', key);
  const carried = Buffer.from(String(completed?.['SignedDocument'] ?? ''), 'base64');
  report('Completed carries the sealed document', unless({ same: carried.equals(final) }));
}

const dora = ['--signee', 'Dóra,email=dora@example.test,phone=6666666,type=ClickToSign'];

/** A document that nobody signs within its day. */
async function beginExpired({ desk, brief }: Stage): Promise<string> {
  const create = ['process', 'create', original, '--flow', brief, ...dora];
  const { process } = await desk.step(create, { shiftMs: beginShiftMs });
  return String(process?.key);
}

/** Other ends of documents: a login, blocked, expired; and events that no command makes. */
async function tellEnds({ desk, receiver, flow }: Stage, expired: string): Promise<void> {
  const { step } = desk;
  const create = async (...more: readonly string[]) => {
    const { process } = await step([
      'process',
      'create',
      original,
      '--flow',
      flow,
      ...dora,
      ...more,
    ]);
    return { key: String(process?.key), signee: String(process?.signees?.[0]?.key) };
  };
  const asked = await create('--requires-auth');
  const sign = ['sign', asked.key, asked.signee, '--yes'];
  await step(sign, { code: 2 });
  await step([...sign, '--sim', '6666666']);
  const blocked = await create();
  await step(['process', 'block', blocked.key, '--reason', 'in dispute']);
  await step(['sign', blocked.key, blocked.signee, '--yes'], { code: 6 });
  for (const type of ['Expired', 'CompanyTermination', 'EmailVerification']) {
    await step(['webhook', 'trigger', type, '--flow', flow]);
  }
  await step(['worker', '--once']);
  const ends = {
    Auth: eventsOf(receiver, 'Auth', asked.key).length === 1,
    Blocked: eventsOf(receiver, 'Blocked', blocked.key).length === 1,
    Expired: eventsOf(receiver, 'Expired-brief', expired).length === 1,
  };
  report('a login, a block and an expiry are told', unless(ends));
}

/** The published schedule waits ten seconds before it tries again. */
async function waitForRetry({ desk, receiver }: Stage): Promise<void> {
  const endMs = Date.now() + 30_000;
  const { heard } = receiver;
  const refused = heard.find(({ name }) => name === 'AllSigned');
  // Other events of this type were taken long ago: only the one that was refused counts.
  const isTaken = () => heard.some(({ id, answered }) => id === refused?.id && answered === 200);
  while (Date.now() < endMs && !isTaken()) {
    await desk.step(['worker', '--once', '--only', 'webhook']);
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

function judgeMails({ mails }: TestSmtpServer): void {
  const ids = mails.map(({ raw }) => /^Message-ID: (\S+)/im.exec(raw)?.[1]);
  report(
    `${mails.length} mails, each once`,
    unless({ ids: new Set(ids).size === mails.length && !ids.includes(undefined) }),
  );
}

/** Somebody with access to the database edits one row of the log. */
async function tellEditedRow({ step }: Desk, path: string): Promise<void> {
  await step(['activity', 'verify']);
  const database = new Database(path);
  const wanted = `data LIKE '%"SigneeSigned"%' ORDER BY created_at LIMIT 1`;
  const row = database
    .prepare<[], { process_key: string; seq: number }>(`SELECT * FROM activity WHERE ${wanted}`)
    .get();
  const edit = `replace(data, '"SigneeSigned"', '"SigneeDeclined"')`;
  database
    .prepare(`UPDATE activity SET data = ${edit} WHERE process_key = ? AND seq = ?`)
    .run(row?.process_key, row?.seq);
  database.close();
  const { chainFindings = [] } = await step(['activity', 'verify'], { code: 7 });
  const [finding, other] = chainFindings;
  report(
    'the edited row is named',
    unless({
      [`process (${finding?.processKey})`]: finding?.processKey === row?.process_key,
      [`row ${row?.seq} (${finding?.seq})`]: finding?.seq === row?.seq,
      'nothing else': other === undefined,
    }),
  );
}
