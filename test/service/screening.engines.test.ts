import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import type { TestService } from './open-service.ts';

const DAY_MS = 86_400_000;
const head = 'category,first_name,last_name,date_of_birth,countries';
const listOf = (...rows: readonly string[]) => [
  { name: 'own.csv', content: Buffer.from([head, ...rows].join('\n')) },
];
const petur = 'Sanction,Pétur,Prófunarson,1970-01-31,IS';
const others = ['PEP,Anna,Dæmisdóttir,1960-02-01,IS', 'PEP,Björn,Čeněk,1961-03-04,CZ'];

async function prepare({ toolkit }: TestService) {
  const { key } = await toolkit.flows.create({ name: 'Names', type: 'PEP' });
  await toolkit.screening.importList({ list: 'own', files: listOf(petur, ...others) });
  const query = { countryCode: 'IS', originalName: 'Petur Profunarson', flowKey: key };
  return { screen: (more: object = {}) => toolkit.screening.screen({ ...query, ...more }) };
}

describeOnEngines('recorded screenings', (service) => {
  test('form a chain, and can be replayed while their lists are stored', async () => {
    const { toolkit, pass } = service();
    const { screen } = await prepare(service());
    const first = await screen();
    await screen({ originalName: 'Nobody At All', matchRate: 20 });
    const all = await toolkit.screening.list();
    expect(all).toMatchObject([
      { seq: 1, id: first.id, cause: 'request', recordedRate: 60, matches: [{ list: 'own' }] },
      { seq: 2, recordedRate: 20 },
    ]);
    expect(all[0]?.lists).toMatchObject([{ list: 'own', contentSha256: expect.any(String) }]);
    expect(await toolkit.screening.verify()).toMatchObject({ intact: true, screenings: 2 });
    expect(await toolkit.screening.replay('1')).toMatchObject({ isSame: true });
    // Against the former version of the list, not the current one.
    for (let week = 0; week < 7; week++) {
      pass(7 * DAY_MS);
      await toolkit.screening.importList({
        list: 'own',
        files: listOf(...others),
        acceptShrink: true,
      });
    }
    expect((await screen()).matches).toEqual([]);
    expect(await toolkit.screening.replay(first.id)).toMatchObject({ isSame: true });
    for (let week = 0; week < 14; week++) {
      pass(7 * DAY_MS);
      await toolkit.screening.importList({ list: 'own', files: listOf(...others) });
    }
    await expect(toolkit.screening.replay(first.id)).rejects.toMatchObject({
      code: 'screening.list.not_found',
    });
    await expect(toolkit.screening.replay('999')).rejects.toMatchObject({
      code: 'screening.not_found',
    });
    expect(await toolkit.screening.verify()).toMatchObject({ intact: true, screenings: 3 });
  });

  test('concurrent imports become separate versions', async () => {
    const { toolkit } = service();
    const files = (at: number) => listOf(petur, ...others, `POI,Person,Number${at},,IS`);
    const imports = [1, 2, 3].map((at) =>
      toolkit.screening.importList({ list: 'same', files: files(at) }),
    );
    const made = await Promise.all(imports);
    const times = new Set(made.map(({ importedAtMs }) => importedAtMs));
    expect(times.size).toBe(3);
    expect(await toolkit.screening.listVersions('same')).toHaveLength(3);
    await toolkit.screening.removeList('same');
  });

  test('a decision applies until the person or the entry changes', async () => {
    const { toolkit } = service();
    const { screen } = await prepare(service());
    const { id, matches } = await screen();
    expect(matches).toMatchObject([{ place: 1, category: 'Sanction' }]);
    const decide = (decision: 'false_positive' | 'confirmed', match = 1) =>
      toolkit.screening.decide({ screening: id, match, decision, reason: 'born elsewhere' });
    await expect(decide('confirmed', 2)).rejects.toThrow('match: expected 1 to 1, found 2');
    await decide('confirmed');
    expect((await screen()).matches).toMatchObject([{ decision: 'confirmed' }]);
    await decide('false_positive');
    expect(await screen()).toMatchObject({
      matches: [],
      cleared: [{ decision: 'false_positive' }],
    });
    // The date of birth changes, first of the person, then in the list.
    expect((await screen({ dateOfBirth: '1970-01-31' })).matches).toHaveLength(1);
    const changed = listOf(petur.replace('1970-01-31', '1970-01-30'), ...others);
    await toolkit.screening.importList({ list: 'own', files: changed });
    expect((await screen()).matches).toMatchObject([{ place: 1 }]);
    expect(await toolkit.screening.decisions()).toHaveLength(2);
  });

  test('of decisions within one millisecond the last one applies', async () => {
    const { toolkit } = service();
    const { screen } = await prepare(service());
    const { id } = await screen();
    const found: unknown[] = [];
    const made = Array.from({ length: 12 }, (_, at) => (at % 2 ? 'accepted' : 'confirmed'));
    for (const decision of made) {
      const { atMs } = await toolkit.screening.decide({
        ...{ screening: id, match: 1, reason: 'looked at' },
        decision: decision as 'accepted' | 'confirmed',
      });
      const [newest] = await toolkit.screening.decisions(1);
      found.push(newest?.decision);
      expect(newest?.atMs).toBe(atMs);
    }
    expect(found).toEqual(made);
  });
});

describeOnEngines('monitored customers', (service) => {
  test('are screened again when a list changes either way and when their period ends', async () => {
    const { toolkit, pass } = service();
    await toolkit.screening.importList({ list: 'own', files: listOf(...others) });
    const jon = { originalName: 'Petur Profunarson', ssn: '0101901239', riskLevel: 'low' };
    await toolkit.screening.putCustomers([
      { reference: '1', ...jon },
      { reference: '2', firstName: 'Eva', lastName: 'Ólafsdóttir' },
    ]);
    await toolkit.compliance.record({ kind: 'person', name: 'Pétur', ...jon });
    const work = async () => {
      await toolkit.runDueJobs();
      return (await toolkit.screening.list()).slice(-2);
    };
    expect(await work()).toMatchObject([{ cause: 'period' }, { cause: 'period' }]);
    expect(await work()).toHaveLength(2);
    const status = () => toolkit.compliance.status('person', { ssn: jon.ssn });
    expect((await status()).isCompliant).toBe(true);
    // Added to the list: only the matching customer is screened.
    await toolkit.screening.importList({ list: 'own', files: listOf(petur, ...others) });
    await work();
    const screenings = await toolkit.screening.list();
    expect(screenings).toHaveLength(3);
    expect(screenings.at(-1)).toMatchObject({ cause: 'list', matches: [{ category: 'Sanction' }] });
    expect(await status()).toMatchObject({ pepFound: true, messages: ['pep found'] });
    const open = await toolkit.screening.customers({ onlyOpen: true });
    expect(open).toMatchObject([{ reference: '1', matches: [{ rate: expect.any(Number) }] }]);
    const decision = { screening: '3', match: 1, reason: 'looked at' };
    await toolkit.screening.decide({ ...decision, decision: 'accepted' });
    expect(await status()).toMatchObject({ pepFound: true, isCompliant: true });
    expect(await toolkit.screening.customers({ onlyOpen: true })).toEqual([]);
    await toolkit.screening.decide({ ...decision, decision: 'false_positive' });
    expect(await status()).toMatchObject({ pepFound: false, isCompliant: true });
    await toolkit.screening.decide({ ...decision, decision: 'confirmed' });
    expect((await status()).messages).toEqual(['pep found']);
    // Removed from the list.
    const fewer = { list: 'own', files: listOf(...others), acceptShrink: true };
    await toolkit.screening.importList(fewer);
    await work();
    expect((await toolkit.screening.list()).at(-1)).toMatchObject({ cause: 'list', matches: [] });
    expect(await status()).toMatchObject({ pepFound: false });
    // The high-risk customer after a year, the other after three.
    pass(367 * DAY_MS);
    await work();
    expect(await toolkit.screening.list()).toHaveLength(5);
    expect((await toolkit.screening.list()).at(-1)).toMatchObject({ cause: 'period' });
    await toolkit.screening.removeCustomer('1');
    await expect(toolkit.screening.removeCustomer('1')).rejects.toMatchObject({
      code: 'screening.customer.not_found',
    });
    await toolkit.screening.removeCustomer('2');
    pass(1500 * DAY_MS);
    expect(await work()).toHaveLength(2);
    expect(await toolkit.screening.list()).toHaveLength(5);
  });

  test('a file of customers is imported entirely or not at all', async () => {
    const { toolkit } = service();
    const csv = 'reference,name,gender\n7,Jón,Male\n8,,\n,Anna,\n9,Eva,x\n';
    await expect(toolkit.screening.importCustomers(csv)).rejects.toMatchObject({
      code: 'validation.error',
      findings: [{ name: 'row 3' }, { name: 'row 4' }, { name: 'row 5' }],
    });
    expect(await toolkit.screening.customers()).toEqual([]);
    const misnamed = toolkit.screening.importCustomers('reference,nam,gendre,x\n1,Jón,,\n');
    await expect(misnamed).rejects.toMatchObject({
      message: expect.stringMatching(
        /: expected any of reference, name, .*, found column nam( and \d+ more)?$/,
      ),
      findings: [
        { name: 'column nam', message: 'unknown', hint: 'did you mean name?' },
        { name: 'column gendre', message: 'unknown', hint: 'did you mean gender?' },
        { name: 'column x', message: 'unknown' },
      ],
    });
    expect(await toolkit.screening.importCustomers('reference;name\n7;Jón\n')).toEqual({
      ...{ customers: 1, unread: [] },
    });
    // The later row would replace the other person.
    await expect(
      toolkit.screening.importCustomers('reference;name\n8;Jón\n9;Eva\n8;Anna\n'),
    ).rejects.toThrow('row 4: reference: expected once, found in row 2 too');
    // No one could search for them.
    await expect(toolkit.screening.importCustomers('reference;name\n8;Jón\n9;—\n')).rejects.toThrow(
      'row 3: name: expected letters of a name, found none',
    );
    expect(await toolkit.screening.rescreen()).toMatchObject({ screened: 1, changed: [] });
  });

  test('are due sooner with a higher risk, counted from the last screening', async () => {
    const { toolkit, pass } = service();
    const eva = { reference: 'eva', originalName: 'Eva Ólafsdóttir' };
    const next = async () =>
      (await toolkit.screening.customers()).find(({ reference }) => reference === 'eva')?.nextAtMs;
    await toolkit.screening.importList({ list: 'own', files: listOf(...others) });
    await toolkit.screening.putCustomers([{ ...eva, riskLevel: 'low' }]);
    await toolkit.runDueJobs();
    const asLow = (await next()) ?? 0;
    pass(86_400_000);
    await toolkit.screening.putCustomers([{ ...eva, riskLevel: 'high' }]);
    const asHigh = (await next()) ?? 0;
    expect(asHigh).toBeLessThan(asLow);
    await toolkit.screening.putCustomers([{ ...eva, riskLevel: 'high' }]);
    expect(await next()).toBe(asHigh);
    pass(asHigh - service().nowMs() + 1000);
    await toolkit.runDueJobs();
    const screened = (await next()) ?? 0;
    expect(screened).toBeGreaterThan(asHigh);
    await toolkit.screening.putCustomers([{ ...eva, riskLevel: 'low' }]);
    expect(await next()).toBeGreaterThan(screened);
    await toolkit.screening.removeCustomer('eva');
  });
});

describeOnEngines('screenings of a company', (service) => {
  test('need neither a country nor, if the company has a single one, a flow', async () => {
    const { toolkit } = service();
    const person = { originalName: 'Petur Profunarson' };
    await toolkit.screening.importList({ list: 'own', files: listOf(petur, ...others) });
    await toolkit.flows.create({ name: 'Contracts', type: 'DropAndSign' });
    await expect(toolkit.screening.screen(person)).rejects.toMatchObject({
      code: 'screening.flow.invalid',
      message: expect.stringContaining('found none'),
      hint: 'create one with innsigli flow create --name NAME --type PEP',
    });
    const { key } = await toolkit.flows.create({ name: 'Names', type: 'PEP' });
    expect((await toolkit.screening.screen(person)).matches).toMatchObject([{ rate: 100 }]);
    const [row] = await toolkit.screening.screenAll([person]);
    expect(row).toMatchObject({ matches: [{ rate: 100 }] });
    const recorded = await toolkit.screening.list();
    expect(recorded.map(({ flowKey }) => flowKey)).toEqual([key, key]);
    expect(await toolkit.screening.replay('1')).toMatchObject({ isSame: true });
    await toolkit.flows.create({ name: 'Customers', type: 'Compliance' });
    for (const flowKey of [undefined, 'Contracts', '']) {
      await expect(toolkit.screening.screen({ ...person, flowKey })).rejects.toMatchObject({
        code: 'screening.flow.invalid',
      });
    }
    expect((await toolkit.screening.screen({ ...person, flowKey: key })).matches).toHaveLength(1);
    await expect(
      toolkit.screening.screen({ ...person, flowKey: key, countryCode: 'Iceland' }),
    ).rejects.toMatchObject({ code: 'validation.error' });
  });
});
