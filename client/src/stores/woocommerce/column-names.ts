/** The columns of WooCommerce's export that are read. Those of attributes have a number in their names, for which `%d` stands. */
export const WOOCOMMERCE_COLUMNS = [
  'id',
  'type',
  'sku',
  'name',
  'published',
  'description',
  'inStock',
  'stock',
  'salePrice',
  'price',
  'images',
  'parent',
  'attributeName',
  'attributeValue',
] as const;

export type WooCommerceColumn = (typeof WOOCOMMERCE_COLUMNS)[number];

/**
 * What WooCommerce calls these columns in each language, in this order, as in the header of its export. A name changes between
 * versions, so there may be several with `|` between them, the newest in no particular place. An apostrophe may also be ’, and a
 * space a no-break space.
 */
const HEADERS = {
  en: `ID, Type, SKU, Name, Published, Description, In stock?, Stock,
    Sale price, Regular price, Images, Parent,
    Attribute %d name, Attribute %d value(s)`,
  de: `ID, Typ, Artikelnummer, Name, Veröffentlicht, Beschreibung, Vorrätig?, Bestand | Lager,
    Angebotspreis, Regulärer Preis, Bilder, Übergeordnetes Produkt,
    Attribut %d Name, Attribut %d Wert(e)`,
  es: `ID, Tipo, SKU, Nombre, Publicado, Descripción, ¿Existencias? | ¿En inventario?, Inventario,
    Precio rebajado, Precio normal, Imágenes, Superior,
    Nombre del atributo %d, Valor(es) del atributo %d`,
  fr: `ID, Type, UGS, Nom, Publié, Description, En stock ?, Stock,
    Tarif promo, Tarif régulier, Images, Parent,
    Nom de l'attribut %d, Valeur(s) de l'attribut %d`,
  it: `ID, Tipo, SKU | COD, Nome, Pubblicato, Descrizione, In stock?, Magazzino,
    Prezzo in offerta, Prezzo di listino, Immagine, Genitore,
    Nome dell'attributo %d | Attributo %d nome, Valore dell'attributo %d | Attributo %d valuta(e)`,
  nl: `ID, Type, SKU, Naam, Gepubliceerd, Beschrijving, Op voorraad?, Voorraad,
    Actieprijs, Reguliere prijs, Afbeeldingen, Hoofd,
    Attribuut %d naam | Naam eigenschap %d, Attribuut %d waarde(n) | Waarde eigenschap %d`,
  pl: `Identyfikator | ID, Rodzaj | Typ, SKU, Nazwa, Opublikowano | Opublikowany, Opis, W magazynie?, Stan magazynowy | Magazyn,
    Cena promocyjna, Cena, Obrazki, Nadrzędny | Rodzic,
    Nazwa atrybutu %d, Wartości atrybutu %d`,
  pt_PT: `ID, Tipo, REF, Nome, Publicado, Descrição, Em stock?, Stock,
    Preço promocional, Preço normal, Imagens, Pai,
    Atributo %d nome, Atributo %d valor(es)`,
  sv: `ID, Typ, Artikelnummer | Artikelnr, Namn, Publicerad, Beskrivning, I lager?, Lager | Lagersaldo,
    Reapris, Ordinarie pris, Bilder, Överordnad | Förälder,
    Attribut %d namn, Attribut %d värde(n)`,
  da: `ID, Type, Varenummer, Navn, Udgivet, Beskrivelse, På lager?, Lager,
    Tilbudspris, Normalpris, Billeder, Overordnet | Forældre,
    Egenskab %d navn, Egenskab %d værdi(er)`,
  nb: `ID, Type, Produktnummer, Navn, Publisert, Beskrivelse, På lager?, Lager,
    Tilbudspris, Ordinær pris, Bilder, Forelder,
    Attributt %d navn, Attributt %d verdi(er)`,
  fi: `ID, Laji, Tuotetunnus (SKU), Nimi, Julkaistu, Kuvaus, Varasto?, Varasto,
    Alennettu hinta, Normaali hinta, Kuvat, Ylempi taso,
    Ominaisuus %d nimi, Ominaisuus %d arvo(t)`,
  pt_BR: `ID, Tipo, SKU | REF, Nome, Publicado, Descrição, Em estoque?, Estoque,
    Preço promocional, Preço, Imagens, Ascendente | Produto ascendente,
    Nome do atributo %d, Valores do atributo %d`,
  ru: `ID, Тип, Артикул, Имя, Опубликован, Описание, Наличие | В наличии?, Запасы,
    Акционная цена | Цена распродажи, Базовая цена, Изображения, Родительский,
    Название атрибута %d | Имя атрибута %d, Значения атрибутов %d | Значение(-я) аттрибута(-ов) %d`,
  tr: `Kimlik, Tür, Stok kodu (SKU), İsim, Yayımlanmış, Açıklama, Stokta?, Stok,
    İndirimli satış fiyatı, Normal fiyat, Görseller, Ebeveyn,
    Nitelik %d ismi, Nitelik %d değer(ler)i`,
  uk: `ID, Тип, Артикул, Ім'я, Опубліковано, Опис, В наявності?, Запас,
    Ціна зі знижкою, Звичайна ціна, Зображення, Предок,
    Назва %d атрибуту, %d значення атрибуту`,
  el: `ID, Τύπος, Κωδικός προϊόντος, Όνομα, Δημοσιευμένο, Περιγραφή, Σε απόθεμα;, Απόθεμα,
    Τιμή προσφοράς, Κανονική τιμή, Εικόνες, Γονέας,
    Όνομα ιδιότητας %d, Τιμή(ές) ιδιότητας %d`,
  ja: `ID, タイプ, SKU, 名前, 公開済み, 説明, 在庫の有無, 在庫,
    セール価格, 標準価格, 画像, 親,
    属性 %d の名前, 属性 %d の値`,
};

/** The names of each column, by the code of the language. */
export const COLUMN_NAMES = Object.fromEntries(
  Object.entries(HEADERS).map(([language, header]) => {
    const cells = header.split(',').map((cell) => cell.split('|').map((name) => name.trim()));
    const names = WOOCOMMERCE_COLUMNS.map((column, index) => [column, cells[index] ?? []] as const);
    return [language, Object.fromEntries(names)];
  }),
);
