import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { complianceOperations } from '../../src/app/compliance/index.ts';
import { bindOperations } from '../../src/app/operation.ts';
import { testCompany, testNowMs } from '../support/store.ts';
import { describeOnEngines, describeStores } from './on-engines.ts';
import { agreement } from './open-service.ts';

const click = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' } as const;

describeOnEngines('flows of the service', (service) => {
  test('a FillAndSign flow cannot be activated without its form', async () => {
    const { flows, processes } = service().toolkit;
    const { key } = await flows.create({ name: 'F', type: 'FillAndSign', isActive: false });
    const on = flows.update(key, { isActive: true });
    await expect(on).rejects.toMatchObject({
      code: 'validation.error',
      details: { field: 'template' },
    });
    const made = processes.create({ flowKey: key, pdf: agreement, signees: [click] });
    await expect(made).rejects.toMatchObject({ code: 'flow.not_found' });
    const form = readFileSync(
      new URL('../../fixtures/pdf/form-with-text-field.pdf', import.meta.url),
    );
    expect(await flows.update(key, { isActive: true }, form)).toMatchObject({ isActive: true });
    expect(await flows.update(key, { name: 'G' })).toMatchObject({ name: 'G', isActive: true });
  });

  test.each([
    [{ name: 'X', signatureType: 'Simple', email: 'x@example.test' }, 'phone'],
    [{ name: 'X', signatureType: 'ClickToSign' }, 'email'],
    [{ name: 'X', signatureType: 'Qualified' }, 'phone'],
    [{ name: 'X', email: 'x@example.test', signatureType: 'ClickToSign', delivery: 'Sms' }, 'Sms'],
  ])('rejects a default signee who cannot be reached: %j', async (signee, lacking) => {
    const { flows } = service().toolkit;
    const settings = { defaultSignees: [signee] };
    const made = flows.create({ name: 'D', type: 'DropAndSign', settings });
    await expect(made).rejects.toMatchObject({
      code: 'validation.error',
      message: expect.stringContaining(lacking),
      details: { field: 'settings.defaultSignees[0]' },
    });
    const { key } = await flows.create({ name: 'D', type: 'DropAndSign' });
    await expect(flows.update(key, { settings })).rejects.toMatchObject({
      code: 'validation.error',
    });
  });

  test('of concurrent deletions one succeeds, and the rest find nothing', async () => {
    const { flows, templates, webhooks } = service().toolkit;
    const { key: flowKey } = await flows.create({ name: 'Once', type: 'DropAndSign' });
    const mail = { templateType: 'Signup', to: 'a@example.test', language: 'En', subject: 'S' };
    for (let round = 0; round < 3; round++) {
      const template = await templates.create({ flowKey, ...mail, message: '<p>M</p>' });
      const hook = { flowKey, type: 'AllSigned', url: 'https://example.com/' };
      const { webhook } = await webhooks.create(hook);
      for (const remove of [
        () => templates.delete(template.id),
        () => webhooks.delete(webhook.id),
      ]) {
        const ends = await Promise.allSettled(Array.from({ length: 6 }, remove));
        const codes = ends.map((end) => (end.status === 'rejected' ? end.reason.code : 'gone'));
        expect(codes.filter((code) => code === 'gone')).toHaveLength(1);
        expect(new Set(codes).size).toBe(2);
      }
    }
  });

  test('concurrent changes are all stored', async () => {
    const { flows, templates } = service().toolkit;
    const { key } = await flows.create({ name: 'Busy', type: 'DropAndSign' });
    await Promise.all([
      flows.update(key, { name: 'Other' }),
      flows.update(key, { settings: { mayDecline: true } }),
      flows.update(key, { css: 'a { color: red }' }),
      flows.putSchema(key, { version: '1', schema: '{}', publish: true }),
      flows.update(key, { meta: { a: 'b' } }),
      flows.update(key, { settings: { retentionDays: 7 } }),
    ]);
    expect(await flows.show(key)).toMatchObject({
      name: 'Other',
      mayDecline: true,
      retentionDays: 7,
      meta: { a: 'b' },
      publishedVersion: '1',
    });
    expect(await flows.css(key)).toContain('red');
    const text = { to: '{{customer.email}}', subject: 'S', message: 'M' };
    const template = { flowKey: key, templateType: 'Signup', language: 'Is', ...text };
    const { id } = await templates.create(template);
    await Promise.all([
      templates.update(id, { subject: 'T' }),
      templates.update(id, { message: 'N' }),
      templates.update(id, { includeFiles: true }),
      templates.update(id, { bcc: 'copy@example.test' }),
    ]);
    expect(await templates.find(id)).toMatchObject({
      subject: 'T',
      message: 'N',
      includeFiles: true,
      bcc: 'copy@example.test',
    });
  });
});

describeStores('compliance records', (store) => {
  test('concurrent records of the same person are merged into one', async () => {
    const ports = {
      store: store(),
      now: () => testNowMs,
      random: (count: number) => randomBytes(count),
    };
    const { record } = bindOperations(complianceOperations, ports, testCompany.key);
    const person = { kind: 'person', name: 'Anna', ssn: '6000101994' } as const;
    await Promise.all(Array.from({ length: 6 }, () => record(person)));
    const found = await store().read((unit) =>
      unit.compliance.find(testCompany.key, 'person', { ssn: person.ssn }),
    );
    expect(found).toHaveLength(1);
  });
});
