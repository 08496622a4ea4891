import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../../../kit/tool.js';
import { runAction, runTool } from '../../../tests/run.mjs';
import { around, blocksOf, contains, readBlock, readRange, split } from '../blocks.js';
import cidr from '../tool.js';

test('blocks: neighbors, parts, what they contain, and ranges', async () => {
  const rows = (/** @type {string} */ block, /** @type {number} */ length) =>
    split(readBlock(block), length, 4);
  assert.deepEqual(around(readBlock('192.168.1.10/26')), {
    ...{ previous: '192.168.0.192/26', larger: '192.168.1.0/25', next: '192.168.1.64/26' },
  });
  assert.deepEqual(around(readBlock('0.0.0.0/0')), {
    previous: undefined,
    larger: undefined,
    next: undefined,
  });
  assert.equal(around(readBlock('255.255.255.0/24')).next, undefined);
  assert.equal(around(readBlock('2001:db8::/32')).next, '2001:db9::/32');
  assert.deepEqual(rows('10.0.0.0/30', 31).rows, [
    ['10.0.0.0/31', '10.0.0.0', '10.0.0.1'],
    ['10.0.0.2/31', '10.0.0.2', '10.0.0.3'],
  ]);
  assert.equal(rows('2001:db8::/32', 64).count, 1n << 32n);
  assert.equal(rows('2001:db8::/32', 64).rows[3]?.[0], '2001:db8:0:3::/64');
  for (const length of [25, 33]) assert.throws(() => rows('10.0.0.0/26', length), Refusal);
  const has = (/** @type {string} */ outer, /** @type {string} */ inner) =>
    contains(readBlock(outer), readBlock(inner, { alone: true }));
  assert.equal(has('10.0.0.0/8', '10.0.1.0'), 'Yes: at 256, counted from 0.');
  assert.equal(has('10.0.0.0/8', '10.0.1.0/24'), 'Yes: all of it.');
  assert.equal(has('10.0.0.0/24', '10.0.0.0/8'), 'No: it is the larger block.');
  assert.equal(has('10.0.0.0/24', '10.0.1.0'), 'No: it lies outside.');
  assert.equal(has('10.0.0.0/24', '::1'), 'No: it is of the other IP version.');
  const range = (/** @type {string} */ text) => blocksOf(/** @type {any} */ (readRange(text)));
  assert.deepEqual(range('192.168.1.10 - 192.168.1.17'), [
    '192.168.1.10/31',
    '192.168.1.12/30',
    '192.168.1.16/31',
  ]);
  assert.deepEqual(range('0.0.0.0-255.255.255.255'), ['0.0.0.0/0']);
  assert.deepEqual(range('2001:db8::-2001:db8::3'), ['2001:db8::/126']);
  assert.equal(readRange('10.0.0.0/8'), undefined);
  for (const text of ['10.0.0.9 - 10.0.0.1', '10.0.0.1 - ::1', '10.0.0.1 - 10.0.0.999'])
    assert.throws(() => readRange(text), Refusal, text);
  for (const text of ['10.0.0.0/33', '10.0.0.0/x', 'a.b.c.d', '::/129'])
    assert.throws(() => readBlock(text), Refusal, text);
  assert.equal(cidr.call?.({ cidr: '10.0.0.1 - 10.0.0.2' }), undefined);
  assert.deepEqual(cidr.call?.({ cidr: '10.0.0.1/8' }), { cidr: '10.0.0.1/8' });
  assert.deepEqual((await runAction(cidr, '↑ Larger', { cidr: '10.0.0.77/26' })).values, {
    cidr: '10.0.0.0/25',
  });
});

test('what is no block is refused with the form to write', async () => {
  for (const [text, says] of /** @type {const} */ ([
    ['192.168.1.1 255.255.255.0', /netmask behind \/: 192\.168\.1\.1\/255/],
    ['10.0.0.0 /24', /Write 10\.0\.0\.0\/24\./],
    ['10.11.192/18', /as in 10\.11\.192\.0\/18/],
    ['10.0.0.1', /no prefix length\. For this one address add \/32/],
    ['010.0.0.1/8', /Character 1: .*leading zero/],
    ['10.0.0.0/255.0.255.0', /holes/],
    ['10.0.0.0/0.0.0.255', /prefix length \/24/],
    ['10.0.0.0/8, 10.1.0.0/16', /more than one block/],
    ['10.0.0.5:24', /has a : after the address/],
    ['http://10.0.0.1/24', /is a URL/],
    ['fe80::1%eth0/64', /zone/],
  ]))
    assert.match((await runTool(cidr, { cidr: text })).refusal?.sentence ?? '', says, text);
  const range = await runTool(cidr, { cidr: '10.0.0.1 to 10.0.0.4' });
  assert.equal(range.outputs.headline.text, '3 blocks: 4 addresses');
});

test('parts and what a block contains stand with its facts', async () => {
  const { outputs } = await runTool(cidr, {
    cidr: '10.0.0.77/26',
    split: 27,
    inside: '10.0.0.100',
  });
  assert.deepEqual(outputs.parts.rows[1], ['10.0.0.96/27', '10.0.0.96', '10.0.0.127']);
  assert.deepEqual(outputs.result.pairs[0], ['Contains 10.0.0.100', 'Yes: at 36, counted from 0.']);
  const many = await runTool(cidr, { cidr: '10.0.0.0/8', split: 24 });
  assert.equal(many.outputs.parts.rows.length, 1024);
  assert.match(many.warnings.join(), /The first 1,024 of 65,536 parts/);
  assert.equal((await runTool(cidr, { cidr: '10.0.0.0/24', split: 8 })).refusal?.field, 'split');
});

test('quotes and commas around a block are dropped, and a range may end with its last number', async () => {
  const quoted = await runTool(cidr, { cidr: ' "10.0.0.0/8",' });
  assert.deepEqual(quoted.warnings, ['Left out around the block: quotes, a comma or semicolon.']);
  assert.deepEqual(readRange('192.0.2.10-20'), readRange("'192.0.2.10 through 192.0.2.20'"));
});

test('networks of different sizes are planned, the largest first, and what does not fit is refused', async () => {
  const planned = async (/** @type {string} */ block, /** @type {string} */ needs) => {
    const { outputs, refusal } = await runTool(cidr, { cidr: block, needs });
    return refusal?.sentence ?? outputs.networks.rows.map((/** @type {string[]} */ row) => row[1]);
  };
  assert.deepEqual(await planned('10.0.0.0/24', '2, 60, 60, 28'), [
    ...['10.0.0.0/26', '10.0.0.64/26', '10.0.0.128/27', '10.0.0.160/30'],
  ]);
  assert.deepEqual(
    await planned('2001:db8::/120', '16, 200'),
    'Hosts of its networks need 272 addresses, and the block has 256.',
  );
  assert.deepEqual(await planned('2001:db8::/120', '100; lab: 16'), [
    '2001:db8::/121',
    '2001:db8::80/124',
  ]);
  assert.match(
    String(await planned('10.0.0.0/24', 'many')),
    /has "many", which is not a number of hosts/,
  );
  assert.match(String(await planned('10.0.0.0/30', '3')), /need 8 addresses, and the block has 4/);
});

test('a block is shown in the next larger one of its octet or group', async () => {
  const place = async (/** @type {string} */ block) =>
    (await runTool(cidr, { cidr: block })).outputs.place?.data;
  assert.deepEqual(await place('192.168.1.77/26'), {
    outer: '192.168.1.0/24',
    ends: ['192.168.1.0', '192.168.1.255'],
    at: 25,
    share: 25,
  });
  const [outer, whole] = [await place('10.0.0.0/24'), await place('0.0.0.0/0')];
  assert.deepEqual([outer.outer, outer.share, whole], ['10.0.0.0/16', 0.39, undefined]);
  const six = await place('2001:db8:8000::/33');
  assert.deepEqual([six.outer, six.at, six.share], ['2001:db8::/32', 50, 50]);
});
