/** How a signature came about. */
export type SigningMethod = 'eid' | 'code' | 'click';

/** Each way to sign, as the visible signature names it, by interface language. */
export const methodWords: Readonly<Record<string, Readonly<Record<SigningMethod, string>>>> = {
  is: { eid: 'Rafræn skilríki', code: 'Einnota kóði', click: 'Undirritað með smelli' },
  en: { eid: 'Electronic ID', code: 'One-time code', click: 'Signed with a click' },
  nb: { eid: 'Elektronisk ID', code: 'Engangskode', click: 'Signert med klikk' },
  da: { eid: 'Elektronisk ID', code: 'Engangskode', click: 'Underskrevet med klik' },
  de: { eid: 'Elektronische Identität', code: 'Einmalcode', click: 'Per Klick unterschrieben' },
  fr: { eid: 'Identité électronique', code: 'Code à usage unique', click: 'Signé par un clic' },
  sv: { eid: 'E-legitimation', code: 'Engångskod', click: 'Undertecknat med klick' },
  cs: { eid: 'Elektronická identita', code: 'Jednorázový kód', click: 'Podepsáno kliknutím' },
  pl: { eid: 'Tożsamość elektroniczna', code: 'Kod jednorazowy', click: 'Podpisano kliknięciem' },
  es: { eid: 'Identidad electrónica', code: 'Código de un solo uso', click: 'Firmado con un clic' },
  hu: {
    eid: 'Elektronikus azonosító',
    code: 'Egyszer használatos kód',
    click: 'Kattintással aláírva',
  },
};
