/**
 * Names in certificates of persons as RFC 4514 text, the parts that must not be disclosed, and the
 * rest.
 */
export const personNames: Readonly<
  Record<string, { subject: string; secrets: readonly string[]; masked: string }>
> = {
  'Estonian: the number in the common name too': {
    subject:
      'serialNumber=PNOEE-38001085718,GN=JAAK-KRISTJAN,SN=JÕEORG,CN=JÕEORG\\,JAAK-KRISTJAN\\,38001085718,C=EE,emailAddress=jaak@bank.ee',
    secrets: ['38001085718', 'jaak@', 'bank.ee'],
    masked:
      'serialNumber=…,GN=JAAK-KRISTJAN,SN=JÕEORG,CN=JÕEORG\\,JAAK-KRISTJAN\\,…,C=EE,emailAddress=j…@…',
  },
  'Latvian: with a hyphen': {
    subject: 'CN=ANDRIS PARAUDZIŅŠ PNOLV-010117-21234,serialNumber=PNOLV-010117-21234,C=LV',
    secrets: ['010117', '21234'],
    masked: 'CN=ANDRIS PARAUDZIŅŠ PNOLV-…,serialNumber=…,C=LV',
  },
  'Swedish: the number alone, and the sign of a hundred years': {
    subject: 'CN=Vera Ek 191212121212 (121212\\+1212),serialNumber=191212121212,C=SE',
    secrets: ['1212'],
    masked: 'CN=Vera Ek … (…),serialNumber=…,C=SE',
  },
  'Icelandic: with a prefix': {
    subject: 'CN=Ödön Kőrösi,serialNumber=IS:KT:6000101994,C=IS',
    secrets: ['600010', '1994'],
    masked: 'CN=Ödön Kőrösi,serialNumber=…,C=IS',
  },
  'UID of letters, and a common name in groups': {
    subject: 'UID=jaak,CN=Jaak 380 010 857 18',
    secrets: ['UID=jaak', '380', '857', ' 18'],
    masked: 'UID=…,CN=Jaak …',
  },
  'Finnish and Italian: letters between': {
    subject: 'CN=MATTI 131052A308T,OU=131052-308T,O=RSSMRA85T10A562S',
    secrets: ['308T', '131052', 'A562'],
    masked: 'CN=MATTI …,OU=…,O=…',
  },
  'two attributes in one RDN': {
    subject: 'emailAddress=jaak@bank.ee+serialNumber=123\\,456+CN=JAAK.JOEORG.1234567890,C=US',
    secrets: ['jaak@', 'bank.ee', '123', '456'],
    masked: 'emailAddress=j…@…+serialNumber=…+CN=JAAK.JOEORG.…,C=US',
  },
  'a mail address as common name, an attribute without a name': {
    subject:
      'CN=jaak\\+a@bank.ee,2.5.4.65=#0c0b3338303031303835373138,1.2.840.113549.1.9.2=#0c0133',
    secrets: ['jaak', 'bank.ee', '3338303031', '0c01'],
    masked: 'CN=j…@…,2.5.4.65=#…,1.2.840.113549.1.9.2=#…',
  },
  'years and versions stay': {
    subject: 'CN=Fullgilt auðkenni 2021 v1.2,O=Auðkenni hf.,C=IS',
    secrets: [],
    masked: 'CN=Fullgilt auðkenni 2021 v1.2,O=Auðkenni hf.,C=IS',
  },
};
