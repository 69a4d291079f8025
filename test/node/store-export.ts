// A second reader of a store's export, written independently of the one under test.

/** Parses the records of a CSV text (RFC 4180), by the names in the first record. */
export function parseCsv(text: string): Record<string, string>[] {
  const records: string[][] = [];
  let fields: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const source = text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  for (;;) {
    const [, quoted, plain = '', end = ''] = field.exec(source) ?? [];
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(fields);
    fields = [];
    if (end === '') break;
  }
  const [names = [], ...rows] = records;
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ''])));
}

/** The fields that the service must return for the products of an export. */
export interface Expected {
  readonly handle: string;
  readonly title: string;
  readonly description: string;
  readonly sku: string | null;
  readonly priceCents: number;
  readonly currencyCode: string;
  readonly imageUrl: string | null;
  readonly imageUrls: readonly string[];
  readonly storeInventoryQuantity: number;
  readonly storeStatus: string;
  readonly source: string;
}

/** Returns the expected products of an export, in order. */
export function expectedProducts(csv: string): Expected[] {
  const products = new Map<string, Record<string, string>[]>();
  for (const row of parseCsv(csv)) {
    const handle = row['Handle'] ?? '';
    products.set(handle, [...(products.get(handle) ?? []), row]);
  }
  return [...products.values()].flatMap((rows) => {
    const [first = {}] = rows;
    const pictures = rows.filter((row) => row['Image Src'] !== '');
    pictures.sort((a, b) => Number(a['Image Position']) - Number(b['Image Position']));
    const imageUrls = [...new Set(pictures.map((row) => row['Image Src'] ?? ''))];
    const variants = rows.filter((row) => row['Variant Price'] !== '');
    const { length } = variants;
    return variants.map((row) => ({
      handle: [first['Handle'], ...(length > 1 ? [lettersOf(row['Option1 Value'])] : [])].join('-'),
      title: [first['Title'], ...(length > 1 ? [row['Option1 Value']] : [])]
        .join(' - ')
        .trim()
        .normalize('NFC'),
      description: (first['Body (HTML)'] ?? '').trim().normalize('NFC'),
      sku: row['Variant SKU'] === '' ? null : (row['Variant SKU'] ?? null),
      priceCents: Math.round(Number(row['Variant Price']) * 100),
      currencyCode: 'USD',
      imageUrl: (length > 1 && row['Variant Image']) || (imageUrls[0] ?? null),
      imageUrls,
      storeInventoryQuantity: Number(row['Variant Inventory Qty']),
      storeStatus: first['Published'] === 'true' ? 'ACTIVE' : 'DRAFT',
      source: 'SHOPIFY',
    }));
  });
}

/** The options of these exports are English words. */
function lettersOf(words = ''): string {
  return words.toLowerCase().split(' ').join('-');
}

const COLUMNS = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Published',
  'Option1 Value',
  'Variant SKU',
  'Variant Inventory Qty',
  'Variant Price',
  'Variant Compare At Price',
  'Image Src',
  'Image Position',
];

/** Writes an export like a store: with a byte order mark, CRLF, and quotes if needed. */
export function writeCsv(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const lines = [COLUMNS, ...rows.map((row) => COLUMNS.map((name) => String(row[name] ?? '')))];
  const quote = (value: string): string =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
  return `\uFEFF${lines.map((line) => line.map(quote).join(',')).join('\r\n')}\r\n`;
}
