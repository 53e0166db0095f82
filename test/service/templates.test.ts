import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleWarning } from '../../src/app/template-service.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

describe('mail texts of a company', () => {
  let it: TestService;
  const text = () => ({
    flowKey: it.flowKey,
    templateType: 'signup',
    language: 'notset',
    to: '{{customer.email}}',
    subject: 'Papers for {{customer.name}}',
    message: '<p>Sign, {{customer.name}}: {{customer.Meta.colour}}{{unknown}}</p>',
  });
  beforeAll(async () => {
    it = await openTestService();
  }, 60_000);
  afterAll(() => it?.close());

  test('are stored, changed and deleted', async () => {
    const { templates } = it.toolkit;
    const made = await templates.create(text());
    expect(made).toMatchObject({ templateType: 'Signup', language: 'NotSet', bcc: '' });
    const changed = await templates.update(made.id, { subject: 'Other' });
    expect(changed).toMatchObject({ id: made.id, subject: 'Other', message: made.message });
    expect(await templates.list(it.flowKey)).toEqual([changed]);
    await templates.delete(made.id);
    expect(await templates.list(it.flowKey)).toEqual([]);
  });

  test('there is one text per flow, type and language, and it is the one sent', async () => {
    const { templates } = it.toolkit;
    const first = await templates.create(text());
    const second = await templates.create({ ...text(), subject: 'Newer' });
    expect(second).toMatchObject({ id: first.id, subject: 'Newer' });
    const made = await Promise.all(
      ['En', 'EN', 'en'].map((language) => templates.create({ ...text(), language })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const english = made[0]?.id ?? 0;
    await expect(templates.update(english, { language: 'NotSet' })).rejects.toMatchObject({
      code: 'validation.error',
      details: { field: 'language' },
    });
    await templates.delete(first.id);
    expect(await templates.update(english, { language: 'NotSet' })).toMatchObject({ id: english });
    await templates.delete(english);
  });

  test('unknown placeholders are named in a warning', () => {
    const known = '{{customer.name}} {{customer.Meta.any}} {{link}}';
    expect(handleWarning({ ...text(), message: known })).toBeUndefined();
    const odd = { ...text(), subject: '{{customer.nome}}', message: '{{x}} {{customer.nome}}' };
    expect(handleWarning(odd)).toMatch(
      /^{{customer.nome}}, {{x}} will be empty: expected customer.name, /,
    );
  });

  test.each([
    [{ flowKey: 'none' }, 'flow.not_found'],
    [{ templateType: 'Reminder' }, 'validation.error'],
    [{ language: 'xx' }, 'validation.error'],
    [{ subject: 'two\nlines' }, 'template.invalid'],
    [{ message: '{{open' }, 'template.invalid'],
    [{ to: 'a@example.test, b@example.test' }, 'template.invalid'],
    [{ to: '{{custmer.email}}' }, 'template.invalid'],
    [{ bcc: '{{customer.mail}}' }, 'template.invalid'],
    [{ subject: 'To {{constructor}}' }, 'template.invalid'],
    [{ message: '{{ __proto__ }}' }, 'template.invalid'],
    [{ message: '{{customer.Meta.__proto__}}' }, 'template.invalid'],
  ])('rejects %j with %s', async (change, code) => {
    const request = { ...text(), ...change };
    await expect(it.toolkit.templates.create(request)).rejects.toMatchObject({ code });
  });

  test.each([1e9, 0, -1, 1.5, Number.NaN])('the text %d does not exist', async (id) => {
    const { templates } = it.toolkit;
    await expect(templates.find(id)).rejects.toMatchObject({ code: 'template.not_found' });
    await expect(templates.delete(id)).rejects.toMatchObject({ code: 'template.not_found' });
  });

  test('another company has no access', async () => {
    const { id } = await it.toolkit.templates.create(text());
    const { company } = await it.service.createCompany({ name: 'Other' });
    const other = await it.service.open(company.key);
    await expect(other.templates.find(id)).rejects.toMatchObject({ code: 'template.not_found' });
    await expect(other.templates.delete(id)).rejects.toMatchObject({ code: 'template.not_found' });
  });

  test('are sent with values escaped, and receipts are logged', async () => {
    const process = await it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      fileName: 'a.pdf',
      meta: { colour: '<red>' },
      signees: [
        {
          name: 'Anna & Co',
          email: 'anna@example.test',
          signatureType: 'ClickToSign',
          delivery: 'Email',
        },
      ],
    });
    await it.toolkit.runDueJobs();
    const folder = join(it.folder, 'data', 'outbox', 'mail');
    const [name = ''] = readdirSync(folder);
    // Quoted-printable folds lines.
    const mail = readFileSync(join(folder, name), 'utf8').replace(/=\r\n/g, '');
    expect(mail).toContain('Subject: Papers for Anna & Co');
    expect(mail).toContain('Sign, Anna &amp; Co: &lt;red&gt;');
    expect(mail).toContain(`/s/${process.key}/`);

    const messageId = /^Message-ID: (.*)$/im.exec(mail)?.[1]?.trim() ?? '';
    await it.toolkit.receipts.record({ messageId, event: 'Delivered' });
    const [log] = await it.toolkit.activity.list({
      fromMs: 0,
      toMs: it.nowMs() + 1000,
      take: 1,
      skip: 0,
    });
    expect(log?.activityLog.at(-1)).toMatchObject({
      status: 'Signup:delivered',
      createdBy: 'MailProvider',
    });
    await expect(
      it.toolkit.receipts.record({ messageId: '<none@x>', event: 'delivered' }),
    ).rejects.toMatchObject({ code: 'process.not_found' });
    await expect(it.toolkit.receipts.record({ messageId, event: 'a b' })).rejects.toMatchObject({
      code: 'validation.error',
    });
  });
});
