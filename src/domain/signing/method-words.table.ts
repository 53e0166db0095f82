/** How a signature came about. */
export type SigningMethod = 'eid' | 'code' | 'click';

/** Each way to sign, as the visible signature names it, by interface language. */
export const methodWords: Readonly<Record<string, Readonly<Record<SigningMethod, string>>>> = {
  is: { eid: 'Rafræn skilríki', code: 'Einnota kóði', click: 'Undirritað með smelli' },
  en: { eid: 'Electronic ID', code: 'One-time code', click: 'Click to sign' },
  nb: { eid: 'Elektronisk ID', code: 'Engangskode', click: 'Signert med klikk' },
  da: { eid: 'Elektronisk ID', code: 'Engangskode', click: 'Underskrevet med klik' },
  de: { eid: 'Elektronische Identität', code: 'Einmalcode', click: 'Unterschrift per Klick' },
  fr: { eid: 'Identité électronique', code: 'Code à usage unique', click: 'Signature par clic' },
  sv: { eid: 'E-legitimation', code: 'Engångskod', click: 'Undertecknat med klick' },
  cs: { eid: 'Elektronická identita', code: 'Jednorázový kód', click: 'Podpis kliknutím' },
  pl: { eid: 'Tożsamość elektroniczna', code: 'Kod jednorazowy', click: 'Podpis kliknięciem' },
  es: { eid: 'Identidad electrónica', code: 'Código de un solo uso', click: 'Firma con un clic' },
  hu: {
    eid: 'Elektronikus azonosító',
    code: 'Egyszer használatos kód',
    click: 'Aláírás kattintással',
  },
};
