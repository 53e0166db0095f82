import { expect, test } from 'vitest';
import { describeOnEngines } from './on-engines.ts';
import { agreement } from './open-service.ts';

const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
const person = {
  name: 'Anna',
  ssn: '6000101994',
  phoneNumber: '6666666',
  signatureType: 'Qualified',
} as const;

describeOnEngines('the login of a sequence', (service) => {
  test('a completed login returns the same result on every poll, for the person who responded', async () => {
    const { toolkit, service: whole, flowKey, pass } = service();
    const request = { flowKey, pdf: agreement, signees: [person] };
    const other = { ...person, ssn: '6000101995', phoneNumber: '7777777', name: 'Eva' };
    const made = await toolkit.processes.createSequence({
      user: 'owner@example.test',
      processes: [request, { ...request, signees: [other] }],
    });
    const [anna, eva] = made.sequence.persons;
    const place = { scheme: 'sim-app', sequenceKey: made.sequence.key } as const;
    const started = await whole.identity.startSequenceLogin({
      ...place,
      personKey: anna?.key as string,
      channel: 'App',
      loginHint: '',
      includeVerificationCode: false,
    });
    const poll = { ...place, token: started.token, circumstances };
    const answers: string[] = [];
    for (let count = 0; count < 9 && answers.at(-1) !== 'done'; count++) {
      pass(3000);
      answers.push((await whole.identity.pollSequenceLogin(poll)).state);
    }
    expect(answers.at(-1)).toBe('done');
    expect(await whole.identity.pollSequenceLogin(poll)).toMatchObject({
      state: 'done',
      accessToken: expect.any(String),
    });
    const asEva = { ...poll, personKey: eva?.key as string };
    await expect(whole.identity.pollSequenceLogin(asEva)).rejects.toMatchObject({
      code: 'authentication.token.scope.invalid',
    });
  });
});
