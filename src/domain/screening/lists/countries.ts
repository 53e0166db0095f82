/** Country names in lists that Unicode names differently, reduced to letters. */
const more: Readonly<Record<string, string>> = {
  ...{ russianfederation: 'RU', iranislamicrepublicof: 'IR', syrianarabrepublic: 'SY' },
  ...{ democraticpeoplesrepublicofkorea: 'KP', koreanorth: 'KP', koreasouth: 'KR' },
  ...{ republicofkorea: 'KR', unitedkingdom: 'GB', uk: 'GB', usa: 'US', burma: 'MM' },
  ...{ unitedstatesofamerica: 'US', unitedrepublicoftanzania: 'TZ', palestinian: 'PS' },
  ...{ congodemocraticrepublicofthe: 'CD', democraticrepublicofthecongo: 'CD' },
  ...{ congorepublicofthe: 'CG', stateofpalestine: 'PS', westbank: 'PS', gaza: 'PS' },
  ...{ ivorycoast: 'CI', cotedivoire: 'CI', macedonia: 'MK', czechrepublic: 'CZ' },
  ...{ thegambia: 'GM', thebahamas: 'BS', vietnam: 'VN', lao: 'LA', turkey: 'TR', kosovo: 'XK' },
  ...{ venezuelabolivarianrepublicof: 'VE', boliviaplurinationalstateof: 'BO', brunei: 'BN' },
  ...{ republicofmoldova: 'MD', moldovarepublicof: 'MD', capeverde: 'CV', swaziland: 'SZ' },
};

let codes: ReadonlyMap<string, string> | undefined;

/** The ISO 3166-1 alpha-2 code for a country code or English country name; undefined if unknown. */
export function countryCode(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const trimmed = name.trim();
  if (/^[A-Za-z]{2}$/.test(trimmed)) return trimmed.toUpperCase();
  codes ??= readNames();
  const letters = lettersOf(trimmed);
  return codes.get(letters) ?? (Object.hasOwn(more, letters) ? more[letters] : undefined);
}

function readNames(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const found = new Map<string, string>();
  for (let a = A; a < A + LETTERS; a++) {
    for (let b = A; b < A + LETTERS; b++) {
      const code = String.fromCharCode(a, b);
      const name = names.of(code);
      // Obsolete codes, such as DD and SU, have the names of present countries.
      if (name !== undefined && !found.has(lettersOf(name))) found.set(lettersOf(name), code);
    }
  }
  return found;
}

const A = 65;
const LETTERS = 26;

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/&/g, 'and')
    .replace(/[^a-z]+/g, '');
}
