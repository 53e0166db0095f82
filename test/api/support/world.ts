import { readFileSync } from 'node:fs';
import type { SigneeRequest } from '../../../src/app/process/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import { agreement, basicOf, openTestApi, type TestApi } from './open-api.ts';

/** A service with one of everything that routes refer to. */
export interface World extends TestApi {
  /** A signee by click with an address; a second one with a phone number. */
  readonly open: Place;
  /** Cancelled. */
  readonly canceled: Place;
  /** Signed by its only signee. */
  readonly signed: Place;
  /** Signed by the first of two. */
  readonly begun: Place;
  /** Its only signee signs with a one-time code. */
  readonly coded: Place;
  /** Its only signee has started a signature. */
  readonly busy: Place;
  /** A link has made all permitted additions and changes. */
  readonly bounded: Place;
  readonly blocked: Place;
  /** Its second signee waits for the first. */
  readonly ordered: Place;
  /** Second of a sequence; waits for the signee of the first. */
  readonly waiting: Place;
  /** Purged. */
  readonly purged: Place;
  /** Signees must log in before they see it. */
  readonly closed: Place;
  /** Part of the sequence. */
  readonly inSequence: Place;
  readonly sequenceKey: string;
  readonly personKey: string;
  /** A sequence signed by all. */
  readonly doneSequenceKey: string;
  /** Authorization header of a company whose trial has ended. */
  readonly trial: string;
  readonly trialFlow: string;
  /** Companies that have used up a quota. */
  readonly beyond: Readonly<Record<Quota, { readonly basic: string; readonly flowKey: string }>>;
  /** A flow whose documents are forms. */
  readonly formFlow: string;
  readonly webhookId: number;
  /** ID of a mail text. */
  readonly templateId: number;
  /** Token of a person of the sequence. */
  readonly otherToken: string;
}

type Quota = 'processes' | 'attachments' | 'storedBytes';

/** A process with its first signees, and its attachment. */
export interface Place {
  readonly key: string;
  readonly signee: string;
  readonly other: string;
  readonly third: string;
  readonly attachment: string;
}

const form = readFileSync(
  new URL('../../../fixtures/pdf/form-with-text-field.pdf', import.meta.url),
);

const clicker = {
  name: 'Anna Example',
  email: 'anna@example.test',
  signatureType: 'ClickToSign',
} as const;
const caller = {
  name: 'Björn Example',
  phoneNumber: '6666666',
  signatureType: 'Qualified',
} as const;
const unreachable = {
  name: 'Dagur Example',
  ssn: '6000101990',
  signatureType: 'Qualified',
} as const;

/** Opens the API and creates the world. */
export async function openWorld(): Promise<World> {
  const api = await openTestApi();
  const { processes, signing } = api.toolkit;
  const make = async (signees: readonly object[], more: object = {}): Promise<Place> => {
    const request = { flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf', ...more };
    const attachments = [{ fileName: 'terms of use.txt', content: Buffer.from('Terms') }];
    const made = await processes.create({ ...request, attachments, signees } as never);
    return placeOf(made);
  };
  const sequence = (user: string, signees: readonly SigneeRequest[] = [clicker, clicker]) =>
    processes.createSequence({
      processes: signees.map((signee, at) => ({
        flowKey: api.flowKey,
        pdf: agreement,
        fileName: `part-${at + 1}.pdf`,
        signees: [signee],
      })),
      user,
      signInOrder: signees[0] !== signees[1],
    });
  const signed = await make([clicker]);
  await signing.signByClick({ processKey: signed.key, signeeKey: signed.signee });
  const begun = await make([clicker, caller]);
  await signing.signByClick({ processKey: begun.key, signeeKey: begun.signee });
  const busy = await make([caller]);
  await signing.startQualified(
    { processKey: busy.key, signeeKey: busy.signee },
    { channel: 'Sim', includeVerificationCode: false },
  );
  const bounded = await make([clicker]);
  for (let at = 0; at < 5; at += 1) {
    const more = { ...clicker, email: `more-${at}@example.test` };
    await processes.addSignee({ key: bounded.key, signee: more, by: 'System', from: 'place' });
    const change = { email: `new-${at}@example.test` };
    if (at < 3) {
      await processes.updateSignee({
        key: bounded.key,
        signeeKey: bounded.signee,
        change,
        by: 'System',
        from: 'place',
      });
    }
  }
  const canceled = await make([clicker]);
  await processes.cancel({ key: canceled.key, by: 'owner@example.test' });
  const blocked = await make([clicker]);
  await processes.block({ key: blocked.key, by: 'owner@example.test' });
  const inOrder = await sequence('owner@example.test', [clicker, caller]);
  const purged = await make([clicker]);
  await processes.cancel({ key: purged.key, by: 'owner@example.test' });
  await processes.purge({ key: purged.key, by: 'owner@example.test' });
  const whole = await sequence('owner@example.test');
  const done = await sequence('owner@example.test');
  for (const { key, signees } of done.processes) {
    await signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
  }
  const trial = await api.service.createCompany({
    name: 'Trial ehf.',
    trialEndsAtMs: Date.now() - 1000,
  });
  const [trialFlow] = await (await api.service.open(trial.company.key)).flows.list();
  const token = await api.service.identity.issueToken(api.toolkit.company.key, {
    sequenceKey: whole.sequence.key,
    personKey: whole.sequence.persons[0]?.key ?? '',
  });
  const beyond = async (name: Quota) => {
    const { company, apiKey } = await api.service.createCompany({ name: `Beyond ${name}` });
    const toolkit = await api.service.open(company.key);
    await toolkit.setQuotas({ [name]: 0 });
    const [flow] = await toolkit.flows.list();
    return { basic: basicOf(company.key, apiKey), flowKey: flow?.flowKey ?? '' };
  };
  const { flows, webhooks, templates } = api.toolkit;
  const { key: formFlow } = await flows.create({ name: 'Form', type: 'FillAndSign' }, form);
  const { webhook } = await webhooks.create({
    ...{ flowKey: asKey('flow', api.flowKey), type: 'Blocked' },
    url: 'https://receiver.example.com/blocked',
  });
  const text = await templates.create({
    ...{ flowKey: api.flowKey, templateType: 'Notification', language: 'Pl' },
    ...{ to: '{{customer.email}}', subject: 'Signed', message: '<p>Signed</p>' },
  });
  return {
    ...api,
    beyond: {
      processes: await beyond('processes'),
      attachments: await beyond('attachments'),
      storedBytes: await beyond('storedBytes'),
    },
    formFlow,
    webhookId: webhook.id,
    templateId: text.id,
    open: await make([clicker, caller, unreachable], {
      reminderRule: '1:3',
      user: 'owner@example.test',
    }),
    coded: await make([{ ...clicker, phoneNumber: '+3545550101', signatureType: 'Simple' }]),
    canceled,
    signed,
    begun,
    busy,
    bounded,
    blocked,
    ordered: await make([clicker, caller], { signInOrder: true }),
    waiting: placeOf(inOrder.processes[1] as never),
    purged,
    closed: await make([clicker], { requiresAuth: true }),
    inSequence: placeOf(whole.processes[0] as never),
    sequenceKey: whole.sequence.key,
    personKey: whole.sequence.persons[0]?.key ?? '',
    doneSequenceKey: done.sequence.key,
    trial: basicOf(trial.company.key, trial.apiKey),
    trialFlow: trialFlow?.flowKey ?? '',
    otherToken: token.token,
  };
}

function placeOf(process: {
  readonly key: string;
  readonly signees: readonly { readonly key: string }[];
  readonly attachments: readonly { readonly key: string }[];
}): Place {
  return {
    key: process.key,
    signee: process.signees[0]?.key ?? '',
    other: process.signees[1]?.key ?? '',
    third: process.signees[2]?.key ?? '',
    attachment: process.attachments[0]?.key ?? '',
  };
}
