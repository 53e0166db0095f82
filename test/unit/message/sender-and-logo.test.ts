import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { composeMail, serializeMail } from '../../../src/adapters/mail/compose.ts';
import {
  deliverMessage,
  type MessagePorts,
  queueMessages,
} from '../../../src/app/message/index.ts';
import type { MailMessage } from '../../../src/app/ports/index.ts';
import { logoOperations, nameUser } from '../../../src/app/sender/index.ts';
import { applyCommand } from '../../../src/app/service/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import { languages } from '../../../src/domain/message/index.ts';
import type {
  Attachment,
  MessageDraft,
  SigningProcess,
} from '../../../src/domain/process/index.ts';
import { makeJpeg, makePng, pngChunk } from '../../support/images.ts';
import {
  openTestStore,
  type TestStore,
  testNowMs,
  testProcess,
  testSignee,
} from '../../support/store.ts';

let world: TestStore;
let count = 0;
let sent: MailMessage[] = [];

beforeAll(async () => {
  world = await openTestStore();
});
afterAll(() => world.close());
beforeEach(() => {
  sent = [];
});

const nowMs = testNowMs + 1_000;
const random = (bytes: number) => {
  count += 1;
  return Buffer.alloc(bytes, 0).fill(count.toString(16).padStart(8, '0'), 0, 'hex');
};
const frontEnd = 'https://sign.example';

function ports(mailFrom: MessagePorts['mailFrom']): MessagePorts {
  return {
    ...{ store: world.store, blobs: world.blobs, now: () => nowMs, frontEnd, mailFrom },
    mailer: {
      async send(message) {
        sent.push(message);
        return { reference: message.messageId };
      },
      close: () => undefined,
    },
    sms: { send: async ({ id }) => ({ reference: id }) },
    apply: (unit, key, command) =>
      applyCommand(unit, { random, frontEnd, now: () => nowMs }, key, command),
  };
}

const address = 'no-reply@mail.example';

/** The mails of one process. */
async function mailsOf(
  changes: Partial<SigningProcess>,
  drafts: readonly MessageDraft[],
  mailFrom: MessagePorts['mailFrom'] = { address },
): Promise<readonly MailMessage[]> {
  count += 1;
  const process = testProcess(count, changes);
  await world.store.write(async (unit) => {
    await unit.processes.add(process);
    await queueMessages(unit, { random }, process, drafts, nowMs);
  });
  const request = { owner: 'w', kinds: ['message'] as const, nowMs, leaseMs: 60_000, limit: 50 };
  for (const job of await world.store.claimJobs(request)) {
    await deliverMessage(job, ports(mailFrom));
  }
  return sent;
}

const company = () => testProcess(1).companyKey;
const store = () => ({ store: world.store, now: () => nowMs });
const invite = (language: string): [Partial<SigningProcess>, MessageDraft[]] => {
  const signee = testSignee(1, { language });
  const draft = { template: 'Signup', channel: 'Email', signeeKey: signee.key } as const;
  return [{ signees: [signee] }, [draft]];
};
const rowsOf = (width: number, height: number) =>
  Array.from({ length: height }, () => Array.from({ length: width * 3 }, () => 40));
const png = makePng({ width: 40, height: 20, rows: rowsOf(40, 20) });

describe('mails name the sender', () => {
  test.each(languages)('by address if the user has no name: %s', async (language) => {
    const [mail] = await mailsOf(...invite(language));
    for (const text of [mail?.text, mail?.html]) expect(text).toMatch(/owner@example\.is, Prófun/);
    expect(mail?.from).toBe(`"Prófun ehf." <${address}>`);
  });

  test('by name if the user has one', async () => {
    await nameUser(store(), company(), { email: 'Owner@example.is', name: 'Eva Jónsdóttir' });
    const [mail] = await mailsOf(...invite('En'));
    expect(mail?.from).toBe(`"Eva Jónsdóttir – Prófun ehf." <${address}>`);
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain('Sent by Eva Jónsdóttir, Prófun ehf.');
    }
    expect(mail?.replyTo).toBe('owner@example.is');
    sent = [];
    const [named] = await mailsOf(...invite('En'), { name: 'Signing desk', address });
    expect(named?.from).toContain('Signing desk');
  });

  test.each(['', 'a@b.is', 'A\nB', '<b>', 'x'.repeat(101), 'a\u202eb'])(
    'and a user name such as %j is rejected',
    async (name) => {
      const user = { email: 'other@example.is', name };
      await expect(nameUser(store(), company(), user)).rejects.toMatchObject({
        code: 'validation.error',
      });
    },
  );
});

describe('the completion mail to the owner', () => {
  test.each([
    [['Leiga.pdf'], 'Undirritun lokið – Leiga.pdf'],
    [['x'.repeat(190)], `Undirritun lokið – ${'x'.repeat(181)}`],
  ])('is named after the document: %j', async ([fileName = ''], subject) => {
    const content = Buffer.from('%PDF-1.7 signed');
    const document = { sha256: await world.blobs.put(content), lengthBytes: content.length };
    const done = { status: 'Completed', phase: 'Done', document, fileName } as const;
    const to = 'owner@example.is';
    const [mail] = await mailsOf(done, [{ template: 'SalesPerson', channel: 'Email', to }]);
    expect(mail?.subject).toBe(subject);
    expect(mail?.attachments[0]?.fileName).toBe(
      `${fileName.replace('.pdf', '').slice(0, 100)}.pdf`,
    );
  });
});

describe("the evidence page in each reader's language", () => {
  test("is attached alone, or in all languages if the reader's has none", async () => {
    const content = Buffer.from('%PDF-1.7');
    const document = { sha256: await world.blobs.put(content), lengthBytes: content.length };
    const page = (language: string): Attachment => ({
      ...{ key: asKey('attachment', `at${language}`), contentType: 'application/pdf', document },
      ...{ fileName: `a-evidence-masked-${language}.pdf`, type: 'EvidencePage', language },
      audience: 'signees',
    });
    const signees = ['En', 'Pl', 'De'].map((language, order) =>
      testSignee(order + 1, { language, order, state: 'Signed' }),
    );
    const done = { status: 'Completed', phase: 'Done', document, signees } as const;
    const attachments = [page('En'), page('Pl')];
    const drafts = signees.map(
      ({ key }): MessageDraft => ({ template: 'Confirmation', channel: 'Email', signeeKey: key }),
    );
    const mails = await mailsOf({ ...done, attachments }, drafts);
    const names = mails.map((mail) => mail.attachments.slice(1).map(({ fileName }) => fileName));
    const [en, pl] = attachments.map(({ fileName }) => fileName);
    expect(names).toEqual([[en], [pl], [en, pl]]);
  });
});

describe('the logo of the company', () => {
  const logo = Buffer.from(png);
  const large = makePng({ width: 2_001, height: 1, rows: rowsOf(2_001, 1) });

  test.each<[string, () => Uint8Array]>([
    ['an SVG file', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an empty file', () => Buffer.alloc(0)],
    ['a truncated PNG', () => logo.subarray(0, logo.length - 20)],
    ['a PNG with an invalid checksum', () => Buffer.from(logo).fill(0, 20, 30)],
    ['a truncated JPEG', () => makeJpeg(10, 10, 3).subarray(0, 12)],
    ['an image that is too wide', () => large],
    [
      'a file that is too large',
      () => Buffer.concat([logo, pngChunk('tEXt', Buffer.alloc(70_000))]),
    ],
  ])('%s is rejected', async (_, content) => {
    await expect(logoOperations.setLogo(store(), company(), content())).rejects.toMatchObject({
      code: 'validation.error',
      details: { field: 'logo' },
    });
  });

  test('is embedded in the mail and not listed as an attachment', async () => {
    expect(await logoOperations.setLogo(store(), company(), logo)).toEqual({
      ...{ contentType: 'image/png', width: 40, height: 20 },
    });
    const [mail] = await mailsOf(...invite('En'));
    expect(mail?.html).toContain('<img src="cid:logo" alt="Prófun ehf." width="40" height="20"');
    expect(mail?.text).not.toContain('logo');
    expect(mail?.text).not.toContain('attached');
    const [part] = mail?.attachments ?? [];
    expect(part).toMatchObject({ cid: 'logo', contentType: 'image/png', fileName: 'logo.png' });
    expect(Buffer.from(part?.content ?? [])).toEqual(logo);
    const raw = String(await serializeMail(composeMail(mail as MailMessage)));
    expect(raw).toContain('multipart/related');
    expect(raw).toMatch(/^content-id: <logo>/im);
    expect(raw).toMatch(/^content-disposition: inline/im);
    expect(raw).not.toMatch(/src=3D"https?:/);
  });

  test('is scaled down and disappears when it is removed', async () => {
    await logoOperations.setLogo(store(), company(), makeJpeg(1_200, 300, 3));
    const [mail] = await mailsOf(...invite('En'));
    expect(mail?.html).toContain('width="220" height="55"');
    await logoOperations.setLogo(store(), company(), undefined);
    sent = [];
    const [later] = await mailsOf(...invite('En'));
    expect(later?.html).not.toContain('<img');
    expect(later?.attachments).toEqual([]);
  });
});
