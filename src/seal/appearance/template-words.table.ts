/** A language of the interface; `en` stands for `en-us`. */
export type StampLanguage =
  | 'is'
  | 'en'
  | 'nb'
  | 'da'
  | 'de'
  | 'fr'
  | 'sv'
  | 'cs'
  | 'pl'
  | 'es'
  | 'hu';

/** The words of a stamp in one language. */
export interface StampWords {
  /** What an organisation makes, in the words of the language version of eIDAS. */
  readonly seal: string;
  /** What a person makes. */
  readonly signature: string;
  readonly reason: string;
  readonly location: string;
  readonly time: string;
  /** Between a word and what it announces. */
  readonly colon: string;
  /** `YYYY MM DD hh mm ss` with the separators and order of the language; `D`, `M` unpadded. */
  readonly timePattern: string;
}

/** The words of each language. */
export const stampWords: Readonly<Record<StampLanguage, StampWords>> = {
  is: {
    seal: 'Rafrænt innsigli',
    signature: 'Rafræn undirskrift',
    reason: 'Ástæða',
    location: 'Staður',
    time: 'Tími',
    colon: ': ',
    timePattern: 'DD.MM.YYYY hh:mm:ss',
  },
  en: {
    seal: 'Electronic seal',
    signature: 'Electronic signature',
    reason: 'Reason',
    location: 'Location',
    time: 'Time',
    colon: ': ',
    timePattern: 'YYYY-MM-DD hh:mm:ss',
  },
  nb: {
    seal: 'Elektronisk segl',
    signature: 'Elektronisk signatur',
    reason: 'Årsak',
    location: 'Sted',
    time: 'Tidspunkt',
    colon: ': ',
    timePattern: 'DD.MM.YYYY hh:mm:ss',
  },
  da: {
    seal: 'Elektronisk segl',
    signature: 'Elektronisk signatur',
    reason: 'Årsag',
    location: 'Sted',
    time: 'Tidspunkt',
    colon: ': ',
    timePattern: 'DD.MM.YYYY hh.mm.ss',
  },
  de: {
    seal: 'Elektronisches Siegel',
    signature: 'Elektronische Signatur',
    reason: 'Grund',
    location: 'Ort',
    time: 'Zeitpunkt',
    colon: ': ',
    timePattern: 'DD.MM.YYYY hh:mm:ss',
  },
  fr: {
    seal: 'Cachet électronique',
    signature: 'Signature électronique',
    reason: 'Motif',
    location: 'Lieu',
    time: 'Date',
    colon: '\u00a0: ',
    timePattern: 'DD/MM/YYYY hh:mm:ss',
  },
  sv: {
    seal: 'Elektronisk stämpel',
    signature: 'Elektronisk underskrift',
    reason: 'Orsak',
    location: 'Plats',
    time: 'Tidpunkt',
    colon: ': ',
    timePattern: 'YYYY-MM-DD hh:mm:ss',
  },
  cs: {
    seal: 'Elektronická pečeť',
    signature: 'Elektronický podpis',
    reason: 'Důvod',
    location: 'Místo',
    time: 'Čas',
    colon: ': ',
    timePattern: 'D. M. YYYY hh:mm:ss',
  },
  pl: {
    seal: 'Pieczęć elektroniczna',
    signature: 'Podpis elektroniczny',
    reason: 'Powód',
    location: 'Miejsce',
    time: 'Czas',
    colon: ': ',
    timePattern: 'DD.MM.YYYY hh:mm:ss',
  },
  es: {
    seal: 'Sello electrónico',
    signature: 'Firma electrónica',
    reason: 'Motivo',
    location: 'Lugar',
    time: 'Fecha',
    colon: ': ',
    timePattern: 'DD/MM/YYYY hh:mm:ss',
  },
  hu: {
    seal: 'Elektronikus bélyegző',
    signature: 'Elektronikus aláírás',
    reason: 'Indok',
    location: 'Hely',
    time: 'Időpont',
    colon: ': ',
    timePattern: 'YYYY. MM. DD. hh:mm:ss',
  },
};
