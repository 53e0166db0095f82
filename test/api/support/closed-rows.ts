import { as, at, process, type Row, signee } from './rows.ts';

const mailed = { ...signee, communicationDeliveryType: 'Email' };
const simple = { ...signee, phoneNumber: '+3545550101', signatureType: 'Simple' };

const closed = (route: string, send: Row['send']): Row => ({
  ...{ route, what: 'no channel', status: 400, code: 'message.channel.none', send },
});

/** Calls of a service that sends neither mail nor text messages. */
export const closedRows: readonly Row[] = [
  closed(
    'POST /management/signing',
    at('/api/management/signing', (w) => process(w, { createSignees: [mailed] })),
  ),
  closed(
    'POST /management/signing/sequential',
    at('/api/management/signing/sequential', (w) => {
      const changes = { user: 'owner@example.test', createSignees: [mailed] };
      return [process(w, changes), process(w, changes)];
    }),
  ),
  closed(
    'POST /signing/{ProcessKey}/signee',
    as(
      (w) => `/api/signing/${w.open.key}/signee`,
      () => simple,
    ),
  ),
  closed(
    'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind',
    as(
      (w) => `/api/management/signing/${w.open.key}/signee/${w.open.signee}/remind`,
      () => ({ communicationDeliveryType: 'Email' }),
    ),
  ),
  closed(
    'POST /signing/sign/{ProcessKey}/signee/{SigneeKey}/otp',
    as((w) => `/api/signing/sign/${w.coded.key}/signee/${w.coded.signee}/otp`),
  ),
];
