import { expect, test } from 'vitest';
import { signeeFacts } from '../../../../src/domain/process/index.ts';
import { testSignee } from '../../../support/store.ts';

const proof = { method: 'click', ip: '192.0.2.7', certificate: 'CN=Seal' };
const signed = testSignee(1, { state: 'Signed', signedAtMs: 5, proof });
/** The commitment in rows of earlier versions. */
const before = '["ClickToSign",5,"","","click","","192.0.2.7","","","","","","CN=Seal"]' as const;

test('the log commits to the logged-in person, and without a login to the same as before', () => {
  expect(signeeFacts(signed)['signee.proof']).toBe(before);
  const login = {
    ...{ ssn: '6000101994', name: 'Ödön Kőrösi', phoneNumber: '6666666' },
    ...{ who: 'digest', method: 'simulator', atMs: 4, isSimulated: true as const },
  };
  const proofs = [login, { ...login, ssn: '6000101992' }, { ...login, name: 'Victor' }].map(
    (each) => signeeFacts({ ...signed, login: each })['signee.proof'],
  );
  expect(proofs[0]).toBe(
    `${before.slice(0, -1)},"Ödön Kőrösi","6000101994","6666666","simulator",4,"simulated"]`,
  );
  expect(new Set(proofs).size).toBe(3);
});
