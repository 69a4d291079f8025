import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readFile } from '../../src/command/files/read-file.ts';
import { Failure } from '../../../common/failure.ts';
import type { Content } from '../../src/stores/source.ts';
import { runWith, temporaryFolder } from '../../../test/node/processes.ts';
import type { Finished } from '../../../test/node/processes.ts';
import { shop } from './command-shop.ts';

function read(text: string): Content {
  return readFile(new TextEncoder().encode(text), { collection: 'products', match: 'sku' });
}

it.each([
  [
    'Magento 2',
    'sku,store_view_code,attribute_set_code,product_type,product_websites,name,price\n',
  ],
  ['Wix', 'handleId,fieldType,name,description,sku,price,inventory\n'],
  ['Squarespace', 'Product ID [Non Editable],Title,Description,SKU,Price,Stock\n'],
  ['BigCommerce', 'Item,ID,Name,Type,SKU,Price,Inventory Tracking\n'],
  ['BigCommerce', 'Product Type,Product ID,Name,SKU,Price,Track Inventory\n'],
  ['Shopware', 'id;product_number;stock;name;description;price_net;price_gross\n'],
  ['Ecwid', 'type;product_internal_id;product_sku;product_name;product_price\n'],
  ['Ecwid', 'sku;name;price;category 1\n'],
  ['PrestaShop', 'Product ID;Active;Name;Price\n'],
  ['OpenCart', 'product_id,name,model,sku,quantity,price\n'],
  ['Lightspeed', 'id,handle,sku,name,variant_option_one_name,retail_price\n'],
  ['Webflow', 'Product Handle,Product Name,Main Variant Image,Variant Price,Variant Sku\n'],
  [
    'a Google or Meta catalogue',
    'id,title,description,availability,condition,price,link,image_link\n',
  ],
  ['PrestaShop', '{"products":[{"id":1,"id_manufacturer":"1","reference":"x","price":"2.0"}]}'],
  [
    'Wix',
    '{"products":[{"id":"1","name":"A","productType":"physical","priceData":{},"productOptions":[]}]}',
  ],
  ['Magento 2', '{"items":[{"sku":"A","attribute_set_id":4,"type_id":"simple","price":1}]}'],
  ['BigCommerce', '{"data":[{"id":1,"sku":"A","inventory_tracking":"none","base_variant_id":1}]}'],
  ['Squarespace', '[{"id":"1","type":"PHYSICAL","storePageId":"2","urlSlug":"a","name":"A"}]'],
  [
    'a Google or Meta catalogue',
    '[{"id":"1","title":"A","availability":"x","condition":"new","image_link":"y"}]',
  ],
])('A file of a platform that is not read is named: %s, %s', (name, text) => {
  expect(() => read(text)).toThrow(`The file has products of ${name}, w`);
});

it.each([
  [
    'products from Matrixify',
    'ID,Handle,Command,Title,Body HTML,Variant Command,Variant SKU,Variant Price\n1,old,DELETE,Old,,DELETE,A-3,1.00\n',
    /the export of products of the shop's admin.*"Another platform"/,
  ],
  [
    'products from Matrixify',
    'Handle,Title,Row #,Top Row,Image Src,Variant Price\na,A,1,TRUE,a.jpg;b.jpg,1.00\n',
    /--from shopify/,
  ],
  [
    'products as WebToffee and Product CSV Import Suite export them',
    'post_title,post_name,ID,sku,regular_price,stock,tax:product_type,images\nA,a,1,A,5,1,simple,\n',
    /the export of WooCommerce itself/,
  ],
  [
    'products as WP All Export writes them',
    'id,Title,Content,Post Type,Sku,Price,Regular Price,Stock,Product Type\n1,A,,product,A,5,5,1,simple\n',
    /the export of WooCommerce itself/,
  ],
  [
    'products of WooCommerce as WP-CLI prints CSV',
    'id,name,slug,type,status,description,sku,price,regular_price,stock_quantity\n11,Jar,jar,simple,publish,,A-1,12.50,12.50,4\n',
    /"wp wc product list --format=json"/,
  ],
])(
  'A file of a platform that is not read is named with the export that is read: %s',
  (name, csv, instead) => {
    expect(() => read(csv)).toThrow(`The file has ${name}`);
    expect(() => read(csv)).toThrow(instead);
  },
);

it('A file of a platform that is not read is to be converted by a program', () => {
  const sentence =
    'The file has products of OpenCart, which this command does not read. The section "Another platform" of the manual has a program that makes items of such a file.';
  expect(() => read('product_id,name,model,sku,quantity,price\n')).toThrow(new Failure(sentence));
});

it('A file is not called that of a store if nobody knows it', () => {
  const csv = 'name,sku,description,price\nSimple mug,MUG-1,A mug,19.90\n';
  expect(() => read(csv)).toThrow(/^The file is neither JSON.*"Another platform"/);
  const json = '[{"sku":"A","titel":"A"},{"sku":"B","titel":"B"}]';
  expect(() => read(json)).toThrow(
    /^Every object in the file has a member that is no field of products, such as titel\./,
  );
});

it('A file is one of this API if one of its objects is an item', () => {
  const { items } = read('[{"sku":"A","titel":"A"},{"sku":"B"}]');
  expect(items).toHaveLength(2);
  expect(read('[{}]').doubts).toHaveLength(1);
});

const MAGENTO =
  'sku,store_view_code,attribute_set_code,product_type,categories,product_websites,name,description,weight,product_online,visibility,price,special_price,url_key,qty,is_in_stock';
const WIX =
  'handleId,fieldType,name,description,productImageUrl,collection,sku,ribbon,price,surcharge,visible,discountMode,discountValue,inventory,weight,cost,productOptionName1,productOptionType1,productOptionDescription1';

async function program(table: string, csv: string): Promise<Finished> {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const file = join(folder.path, 'export.csv');
  await writeFile(file, csv);
  return runWith({}, 'python3', 'client/examples/another_platform.py', table, file);
}

it('The program for another platform makes items of Magento 2, and keeps what it cannot convert', async () => {
  const { code, stdout, stderr } = await program(
    'magento2',
    [
      MAGENTO,
      'BAG-1,,Default,simple,Bags,base,Sample bag,"A <b>bag</b>",1,1,"Catalog, Search",34.0050,,sample-bag,10.0000,1',
      'BAG-1,german,Default,simple,,,Tasche,,,,,,,,,',
      'BAG-2,,Default,configurable,Bags,base,Bags,,,1,,,,bags,0,1',
      'BAG-3,,Default,simple,Bags,base,Odd,,,1,,much,,odd,1,1',
      'BAG-4,,Default,simple,Bags,base,Back order,,,2,,5,,back,-0.5,1',
      ',,Default,simple,Bags,base,Nameless,,,1,,5,,x,1,1',
      '',
    ].join('\n'),
  );
  expect(code).toBe(0);
  const common = { currencyCode: 'USD', source: 'STORE' };
  expect(JSON.parse(stdout)).toEqual({
    products: [
      {
        sku: 'BAG-1',
        title: 'Sample bag',
        description: 'A <b>bag</b>',
        priceCents: 3401,
        storeInventoryQuantity: 10,
        storeStatus: 'ACTIVE',
        ...common,
      },
      { sku: 'BAG-2' },
      { sku: 'BAG-3' },
      {
        sku: 'BAG-4',
        title: 'Back order',
        description: '',
        priceCents: 500,
        storeInventoryQuantity: -1,
        storeStatus: 'DRAFT',
        ...common,
      },
      {},
    ],
  });
  expect(stderr.split('\n')).toEqual([
    'kept as it is: BAG-2: the table is not for rows like this one',
    'kept as it is: BAG-3: "much" is not a number',
    'kept as it is: a row without a key: it has no sku',
    '',
  ]);
});

it('The program for another platform makes items of Wix that a sync takes', async () => {
  const { stdout } = await program(
    'wix',
    [
      WIX,
      'product_1,Product,Sample mug,A mug,a.jpg,Home,MUG-1,,12.0,,true,PERCENT,0.0,InStock,,,Size,DROP_DOWN,S;M',
      'product_1,Variant,,,,,MUG-1-S,,,0.0,true,,,4,,,,,S',
      'product_2,Product,Plate,,a.jpg,Home,PLATE-1,,8.5,,true,PERCENT,0.0,7,,,,,',
      '',
    ].join('\n'),
  );
  const { sync, products } = await shop();
  const report = await sync(stdout, ['--match', 'sku', '--delete']);
  expect(report.stdout).toBe('1 created, 0 updated, 2 unchanged, 0 deleted.\n');
  expect(await products()).toMatchObject([
    { sku: 'PLATE-1', priceCents: 850, storeInventoryQuantity: 7, storeStatus: 'ACTIVE' },
  ]);
});

it.each([
  ['is cut off', 'magento2', `${MAGENTO}\nBAG-1,,Default`, /may have been cut off/],
  ['lacks a column', 'wix', 'sku,fieldType\nA,Product\n', /has no column name/],
])(
  'The program for another platform prints nothing of a file that it cannot read: one that %s',
  async (_, table, csv, reason) => {
    const { code, stdout, stderr } = await program(table, csv);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
  },
);

const shopify = (column: string, cell: string): string =>
  `Handle,Title,Variant SKU,Variant Price,${column}\na,A,A,1,\nb,B,B,1,${cell}\n`;

it.each(['Command', 'Action', 'delete', 'Row Action'])(
  'A column that says what a row does refuses the file by its name: %s',
  (column) => {
    expect(() => read(shopify(column, 'DELETE'))).toThrow(
      `The column "${column}" says what a row does, such as "DELETE"`,
    );
    expect(() => read(`ID,Type,SKU,Name,Regular price,${column}\n1,simple,A,A,1,DELETE\n`)).toThrow(
      `The column "${column}" says`,
    );
    expect(() =>
      readFile(
        new TextEncoder().encode(
          `Name,Value,Value Type,Type,${column}\nA,-5.0,percentage,Amount Off,DELETE\n`,
        ),
        { collection: 'coupon-codes' },
      ),
    ).toThrow(`The column "${column}" says`);
  },
);

it('A column that says what a row does is taken if no row has a value, or its name says something else', () => {
  expect(read(shopify('Command', ' ')).items).toHaveLength(2);
  expect(read(shopify('Interaction', 'x')).items).toHaveLength(2);
});
