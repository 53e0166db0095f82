import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { deviceLink } from '../../../../src/adapters/eid/smart-id/device-link.ts';
import {
  acspPayload,
  sessionSecretDigest,
  userChallengeOf,
} from '../../../../src/adapters/eid/smart-id/verified-login.ts';
import { authCodes, golden } from './golden-vectors.table.ts';

const protocols = {
  auth: ['ACSP_V2', golden.rpChallenge, golden.interactions],
  sign: ['RAW_DIGEST_SIGNATURE', golden.digest, golden.interactions],
  cert: ['', '', ''],
} as const;

test.each(authCodes)(
  'the authCode of %s for %s matches the documentation',
  (type, sessionType, code) => {
    const [signatureProtocol, challenge, interactions] = protocols[sessionType];
    const initialCallbackUrl = type === 'QR' ? '' : golden.initialCallbackUrl;
    const covered = { ...golden, signatureProtocol, challenge, interactions, initialCallbackUrl };
    const link = deviceLink({ ...golden, type, sessionType }, covered, golden.sessionSecret);
    const elapsed = type === 'QR' ? '&elapsedSeconds=22' : '';
    expect(link).toBe(
      `https://smart-id.com/device-link?deviceLinkType=${type}${elapsed}` +
        `&sessionToken=${golden.sessionToken}&sessionType=${sessionType}` +
        `&version=1.0&lang=eng&authCode=${code}`,
    );
  },
);

test('the signed data of an authentication matches the documentation', () => {
  const payload = acspPayload({
    ...golden,
    interactionTypeUsed: 'confirmationMessage',
    flowType: 'Web2App',
  });
  expect(createHash('sha512').update(payload).digest('base64')).toBe(golden.acspSha512);
});

test('the digest of the secret and the challenge of the verifier match the documentation', () => {
  expect(sessionSecretDigest(golden.sessionSecret)).toBe(golden.sessionSecretDigest);
  expect(userChallengeOf(golden.userChallengeVerifier)).toBe(golden.userChallenge);
});
