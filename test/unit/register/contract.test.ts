import { httpRegister, registerSimulator } from '../../../src/adapters/register/index.ts';
import { describeRegister } from '../../support/register-contract.ts';
import { documentedAnswers, serveRegister } from '../../support/register-server.ts';
import { addressOnly, goodCsv, known, openTable, single, unknown } from './support.ts';

describeRegister('simulator', async () => ({
  register: registerSimulator(),
  known,
  single: undefined,
  withoutMeter: '0303901459',
  unknown: undefined,
}));

describeRegister('imported', async () => {
  const { register, take } = openTable();
  await take(goodCsv);
  return { register, known, single, withoutMeter: single, unknown };
});

const place = (address: string) => ({ address, postalCode: '101', city: 'Reykjavík' });
const codes = { familyNumber: known, genderCode: '2', familyStatus: '3' };

describeRegister('over HTTP', async () => {
  const { url } = await serveRegister(
    documentedAnswers({
      [known]: {
        address: place('Prófgata 1'),
        family: { ...codes, partnerSsn: '6000101990' },
        meter: { hasMeter: true },
      },
      [single]: {
        address: place('Sýnisvegur 7'),
        family: { ...codes, familyStatus: '1', partnerSsn: null },
        meter: { hasMeter: false },
      },
      [addressOnly]: { address: place('Dæmastígur 3') },
    }),
  );
  return { register: httpRegister({ url }), known, single, withoutMeter: single, unknown };
});
