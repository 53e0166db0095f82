import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { report, unless } from './checks.ts';
import type { Stage } from './service-story.ts';
import type { SignedDocument } from './service-story-judges.ts';
import { eventsOf } from './service-story-webhooks.ts';

interface Place {
  readonly processKey: string;
  readonly signeeKey: string;
}

/** Two documents, two persons, in order; and one that its starter calls off. */
export async function tellSequence(stage: Stage): Promise<SignedDocument[]> {
  const { desk, smtp, receiver } = stage;
  const { step, folder } = desk;
  const start = ['sequence', 'create', writePlan(stage), '--user', 'owner@example.test'];
  const mailsBefore = smtp.mails.length;
  const { sequence } = await step([...start, '--in-order']);
  const persons: readonly { readonly signingKeys: readonly Place[] }[] = sequence?.persons ?? [];
  const sign = ({ processKey, signeeKey }: Place) => ['sign', processKey, signeeKey, '--yes'];
  const [first = [], second = []] = persons.map(({ signingKeys }) => signingKeys);
  report(
    'a sequence of two documents and two persons',
    unless({ both: first.length === 2 && second.length === 2 }),
  );
  const invitations = () => smtp.mails.slice(mailsBefore).map(({ to }) => to.join());
  await step(['worker', '--once']);
  const [a, b] = ['odon@example.test', 'lucja@example.test'];
  report('one invitation to the first', unless({ [invitations().join()]: same([a]) }));
  function same(wanted: readonly string[]): boolean {
    return invitations().join() === wanted.join();
  }
  const early = { code: 6, error: 'signing.forbidden.order' };
  for (const place of second) await step(sign(place), early);
  await step(sign(first[0] as Place));
  await step(['worker', '--once']);
  for (const place of second) await step(sign(place), early);
  report('the second is still not told', unless({ [invitations().join()]: same([a]) }));
  await step(sign(first[1] as Place));
  await step(['worker', '--once']);
  report('one invitation to the second', unless({ [invitations().join()]: same([a, b]) }));
  for (const place of second) {
    const found = eventsOf(receiver, 'GroupSigned').length;
    report('GroupSigned is still to come', unless({ [`found ${found}`]: found === 0 }));
    await step(sign(place));
    await step(['worker', '--once']);
  }
  const told = eventsOf(receiver, 'GroupSigned');
  report('GroupSigned once', unless({ [`found ${told.length}`]: told.length === 1 }));
  await cancelByOthers(stage, start);
  const documents: SignedDocument[] = [];
  for (const [index, { processKey }] of first.entries()) {
    const path = join(folder, `sequence-${index + 1}.pdf`);
    await step(['process', 'document', processKey, '-o', path]);
    documents.push({ path, name: `sequence ${index + 1}`, signatures: 3, level: 'B-LTA' });
  }
  return documents;
}

async function cancelByOthers({ desk, receiver }: Stage, start: readonly string[]): Promise<void> {
  const { step } = desk;
  const { sequence } = await step(start);
  const key = String(sequence?.key);
  const cancel = (user: string) => ['sequence', 'cancel', key, '--yes', '--user', user];
  const refused = { code: 6, error: 'sequence.cancel.forbidden' };
  await step(cancel('other@example.test'), refused);
  const shown = (await step(['sequence', 'show', key])).sequence;
  report(
    'it goes on after a refusal',
    unless({ [`${shown?.status}`]: shown?.status === 'Active' }),
  );
  const canceled = (await step(cancel('owner@example.test'))).sequence;
  const keys = (canceled?.processes ?? []).map((each: { readonly key: string }) => each.key);
  await step(['worker', '--once']);
  const told = keys.filter((each: string) => eventsOf(receiver, 'Canceled', each).length === 1);
  report(
    'the starter cancels both documents',
    unless({
      [`${canceled?.status}`]: canceled?.status === 'Canceled',
      'a webhook for each': told.length === 2,
    }),
  );
}

function writePlan({ desk, flow }: Stage): string {
  const signees = [
    { name: 'Ödön Őrsi', email: 'odon@example.test' },
    { name: 'Łucja Żółć', email: 'lucja@example.test' },
  ].map((each) => ({ ...each, signatureType: 'ClickToSign', delivery: 'Email' }));
  const plan = ['agreement', 'object-streams'].map((name) => ({
    flowKey: flow,
    pdf: resolve(`fixtures/pdf/${name}.pdf`),
    fileName: `${name}.pdf`,
    signees,
  }));
  const path = join(desk.folder, 'plan.json');
  writeFileSync(path, JSON.stringify(plan));
  return path;
}
