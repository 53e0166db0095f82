/** Texts of the page behind a link, in one language. */
export interface LinkWords {
  /** BCP 47. */
  readonly lang: string;
  readonly title: string;
  /** The request for a signature with its sender. */
  readonly asked: (company: string, count: number) => string;
  readonly until: (day: string) => string;
  readonly state: Readonly<Record<LinkState, string>>;
  /** The contact for questions. */
  readonly contact: (who: string) => string;
  readonly stop: string;
  readonly stopQuestion: string;
  readonly stopped: string;
  readonly unknown: string;
  /** Titles and texts for those who come back from their e-ID. */
  readonly returnTitle: string;
  readonly returned: string;
  readonly notReturned: string;
}

/** State of a request to sign, for those who have its link. */
export type LinkState = 'waiting' | 'signed' | 'declined' | 'over';

/** Words by short code of the language; others read English. */
export const linkWords: Readonly<Record<'Is' | 'En' | 'Pl', LinkWords>> = {
  Is: {
    lang: 'is',
    title: 'Beiðni um undirritun',
    asked: (company, count) =>
      `${company} biður þig að undirrita ${count === 1 ? 'skjal' : `${count} skjöl`}.`,
    until: (day) => `Frestur er til ${day}.`,
    state: {
      waiting: 'Beðið er eftir undirritun þinni.',
      signed: 'Þú hefur undirritað.',
      declined: 'Þú hefur hafnað undirritun.',
      over: 'Beiðninni er lokið og ekki er hægt að undirrita lengur.',
    },
    contact: (who) => `Spurningum svarar ${who}.`,
    stop: 'Afþakka áminningar',
    stopQuestion: 'Viltu ekki fá fleiri áminningar um þessa beiðni?',
    stopped: 'Þú færð ekki fleiri áminningar um þessa beiðni.',
    unknown: 'Þessi tengill er ekki til, eða ekki lengur.',
    returnTitle: 'Rafræn skilríki',
    returned: 'Svarið er komið til skila. Þú mátt loka þessum glugga.',
    notReturned: 'Svarið tilheyrir engri innskráningu sem beðið er eftir. Byrjaðu aftur.',
  },
  En: {
    lang: 'en',
    title: 'Request for a signature',
    asked: (company, count) =>
      `${company} asks you to sign ${count === 1 ? 'a document' : `${count} documents`}.`,
    until: (day) => `It can be signed until ${day}.`,
    state: {
      waiting: 'Your signature is awaited.',
      signed: 'You have signed.',
      declined: 'You have declined.',
      over: 'The request has ended, and can no longer be signed.',
    },
    contact: (who) => `Questions are answered by ${who}.`,
    stop: 'Stop reminders',
    stopQuestion: 'Do you want no more reminders about this request?',
    stopped: 'You will get no more reminders about this request.',
    unknown: 'There is no such link, or no longer.',
    returnTitle: 'Electronic identity',
    returned: 'Your answer has arrived. You can close this window.',
    notReturned: 'The answer belongs to no login that is waiting. Start again.',
  },
  Pl: {
    lang: 'pl',
    title: 'Prośba o podpis',
    asked: (company, count) =>
      count === 1
        ? `${company} prosi o podpisanie dokumentu.`
        : `${company} prosi o podpisanie dokumentów (${count}).`,
    until: (day) => `Podpisać można do ${day}.`,
    state: {
      waiting: 'Oczekujemy na Twój podpis.',
      signed: 'Dokument został przez Ciebie podpisany.',
      declined: 'Podpis został odrzucony.',
      over: 'Prośba wygasła i nie można już podpisać.',
    },
    contact: (who) => `Na pytania odpowiada ${who}.`,
    stop: 'Zrezygnuj z przypomnień',
    stopQuestion: 'Czy zrezygnować z dalszych przypomnień o tej prośbie?',
    stopped: 'Nie będzie już przypomnień o tej prośbie.',
    unknown: 'Taki link nie istnieje lub już wygasł.',
    returnTitle: 'Tożsamość elektroniczna',
    returned: 'Odpowiedź dotarła. Możesz zamknąć to okno.',
    notReturned: 'Odpowiedź nie należy do żadnego oczekującego logowania. Zacznij od nowa.',
  },
};
