/** Values of the public protocol examples, with the resulting codes. */
export const golden = {
  schemeName: 'smart-id',
  relyingPartyName: 'DEMO',
  brokeredRpName: 'Example RP',
  sessionSecret: 'B98ODiVCebRedSwdTk51zFSaGYyHtY1H2A0ocAi3/Ps=',
  sessionToken: 'wGIrqveE6AuGDATZKmR1mtAZ',
  deviceLinkBase: 'https://smart-id.com/device-link',
  language: 'eng',
  elapsedSeconds: 22,
  rpChallenge:
    'GYS+yoah6emAcVDNIajwSs6UB/M95XrDxMzXBUkwQJ9YFDipXXzGpPc7raWcuc2+TEoRc7WvIZ/7dU/iRXenYg==',
  digest:
    'FNZFFya5wGLv9b27fZngaWrOBqle4tGwxZuDFRBdPl1RQvxJsfoqvTbjafd+8BcehMOQGvak6zlP+F8tga4bfQ==',
  initialCallbackUrl: 'https://rp.example.com/callback-url?value=RrKjjT4aggzu27YBddX1bQ',
  interactions:
    'W3sidHlwZSI6ImNvbmZpcm1hdGlvbk1lc3NhZ2UiLCJkaXNwbGF5VGV4dDIwMCI6IkxvbmdlciBkZXNjcmlwdGlv' +
    'biBvZiB0aGUgdHJhbnNhY3Rpb24gY29udGV4dCJ9LHsidHlwZSI6ImRpc3BsYXlUZXh0QW5kUElOIiwiZGlzcGxh' +
    'eVRleHQ2MCI6IlNob3J0IGRlc2NyaXB0aW9uIG9mIHRoZSB0cmFuc2FjdGlvbiBjb250ZXh0In1d',
  sessionSecretDigest: 'U4CKK13H1XFiyBofev9asqrzIrY5_Gszi_nL_zDKkBc',
  userChallengeVerifier: 'XtPfaGa8JnGtYrJjboooUf0KfY9sMEHrWFpSQrsUv9c',
  userChallenge: 'GnsWXXEjTCKR89fj9uo5u5ReBZ9JR7_pezLAI5jMS00',
  serverRandom: 'MTlop6EXCrQ6FOErcKjxUhbV',
  acspSha512:
    'pKOjbNl/5Fy8NfrFqsj6pSn8W8O+Ik8rM33QSsbyD3J9qDJvEm90SboUciuY4wHGWa0Pnq8BgT3NJKmJiUDfKg==',
} as const;

/** Type of link, type of session, and the code. */
export const authCodes = [
  ['QR', 'auth', 'OY1eHaD4UYedrBwtqUbSkpa0w7ttm4FllPkCD_3wlE0'],
  ['Web2App', 'auth', 'aegUh6gCKkXBJhhvtJqSTWB5_2W8TDQt5eZ7db6krv0'],
  ['App2App', 'auth', '00NRcgi4Jk7WdIwgMPlyM8wRy9KMu4C_oQvd-N6PKoo'],
  ['QR', 'sign', '5PZVhiNDTnt1MjLz8_YCjnNtR7p0iGevaL2G1ajfMco'],
  ['Web2App', 'sign', 'R0iNcUp8nK1nqrcVFWerXUfWMSjwDOMC6MAHKrckaH8'],
  ['QR', 'cert', 'T5pDDPAjoMS0byqS-FoaWVjlubODXoCCF4XDB4HeYNo'],
  ['Web2App', 'cert', 'PI1qYa9_l6zR-v6Pkre6ycSm7S3BGiOQSe5OQlw4UJg'],
] as const;
