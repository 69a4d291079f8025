import type * as z from 'zod/mini';
import { memberOf } from './text.ts';

// ISO 4217, list one: the codes in use, including funds, metals and test codes. Without spaces, the bundle is smaller.
const CODES =
  'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBHDBIFBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCLFCLPCNY' +
  'COPCOUCRCCUPCVECZKDJFDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGNFGTQGYDHKDHNLHTGHUFIDRILSINRIQD' +
  'IRRISKJMDJODJPYKESKGSKHRKMFKPWKRWKWDKYDKZTLAKLBPLKRLRDLSLLYDMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXN' +
  'MXVMYRMZNNADNGNNIONOKNPRNZDOMRPABPENPGKPHPPKRPLNPYGQARRONRSDRUBRWFSARSBDSCRSDGSEKSGDSHPSLESOSSRD' +
  'SSPSTNSVCSYPSZLTHBTJSTMTTNDTOPTRYTTDTWDTZSUAHUGXUSDUSNUYIUYUUYWUZSVEDVESVNDVUVWSTXADXAFXAGXAUXBA' +
  'XBBXBCXBDXCDXCGXDRXOFXPDXPFXPTXSUXTSXUAXXXYERZARZMWZWG';

/** An alphabetic currency code of ISO 4217, in upper case. */
export function currencyCode(): z.ZodMiniString<string> {
  const codes = CODES.match(/.../g) ?? [];
  return memberOf(new Set(codes), 'an ISO 4217 currency code such as USD', {
    // A component of the OpenAPI document, because the list is too long to repeat in every schema.
    id: 'CurrencyCode',
    enum: codes,
  });
}
