//! IP Address Converter: RFC 5952 §4, RFC 6052 §2.4, RFC 4291 §2.2, the URL suite's IPv4 cases, bad input.
import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { test } from 'node:test';
import * as ip from '../../../lib/ip.js';
import { runTool, seeded, suite } from '../../../tests/run.mjs';
import tool from '../tool.js';

/** @param {Parameters<typeof runTool<(typeof tool)['fields']>>[1]} values */
async function convert(values) {
  const { outputs, refusal, warnings } = await runTool(tool, values);
  const read = (/** @type {any} */ output) => Object.fromEntries(output?.pairs ?? []);
  return {
    forms: read(outputs.forms),
    inside: read(outputs.embedded),
    scope: read(outputs.scope),
    answer: outputs.headline?.text.toLowerCase() ?? '',
    refusal,
    warnings,
  };
}

test('RFC 5952 §4 and §5: IPv6 as text', async () => {
  for (const [address, wanted] of [
    ['2001:0db8::0001', '2001:db8::1'],
    ['2001:db8:0:0:0:0:2:1', '2001:db8::2:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:DB8::AAAA', '2001:db8::aaaa'],
    ['::ffff:c000:201', '::ffff:192.0.2.1'],
    ['0:0:0:0:0:0:0:0', '::'],
  ]) {
    assert.equal((await convert({ address: String(address) })).forms.Compressed, wanted);
  }
});

test('RFC 4291 §2.2: accepted forms', async () => {
  for (const [address, full] of [
    ['ABCD:EF01:2345:6789:ABCD:EF01:2345:6789', 'abcd:ef01:2345:6789:abcd:ef01:2345:6789'],
    ['2001:DB8:0:0:8:800:200C:417A', '2001:0db8:0000:0000:0008:0800:200c:417a'],
    ['FF01::101', 'ff01:0000:0000:0000:0000:0000:0000:0101'],
    ['::1', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['::13.1.68.3', '0000:0000:0000:0000:0000:0000:0d01:4403'],
    ['::FFFF:129.144.52.38', '0000:0000:0000:0000:0000:ffff:8190:3426'],
    ['1::', '0001:0000:0000:0000:0000:0000:0000:0000'],
    ['1:2:3:4:5:6:7::', '0001:0002:0003:0004:0005:0006:0007:0000'],
    ['[::1]', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ]) {
    assert.equal((await convert({ address: String(address) })).forms.Full, full);
  }
  assert.equal((await convert({ address: 'fe80::1%eth0' })).forms.Compressed, 'fe80::1%eth0');
});

test('RFC 6052 §2.4: 192.0.2.33 in prefixes of each length, both ways', async () => {
  for (const [prefix, address] of [
    ['2001:db8::/32', '2001:db8:c000:221::'],
    ['2001:db8:100::/40', '2001:db8:1c0:2:21::'],
    ['2001:db8:122::/48', '2001:db8:122:c000:2:2100::'],
    ['2001:db8:122:300::/56', '2001:db8:122:3c0:0:221::'],
    ['2001:db8:122:344::/64', '2001:db8:122:344:c0:2:2100::'],
    ['2001:db8:122:344::/96', '2001:db8:122:344::c000:221'],
    ['64:ff9b::/96', '64:ff9b::c000:221'],
  ]) {
    const values = { prefix: String(prefix) };
    const { NAT64 } = (await convert({ ...values, address: '192.0.2.33' })).forms;
    assert.equal(ip.parseIpv6(NAT64).value, ip.parseIpv6(String(address)).value, String(address));
    const { inside } = await convert({ ...values, address: String(address) });
    assert.equal(inside['NAT64 address'], '192.0.2.33');
  }
});

test('the IPv4 addresses of the URL suite', async (t) => {
  const cases = suite(t, 'url_parsing_wpt');
  if (!cases) return;
  let compared = 0;
  for (const { input, expect } of cases) {
    const host = /^https?:\/\/([\da-fA-FxX.]+)\/?$/.exec(input)?.[1];
    if (!host || !/(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host)) continue;
    const { forms, refusal } = await convert({ address: host, numbers: 'ipv4' });
    if (expect === 'reject') assert.ok(refusal, host);
    else assert.equal(forms['Dotted decimal'], expect.hostname, host);
    compared += 1;
  }
  assert.equal(compared, 39);
});

test('every notation of an IPv4 address parses back', async () => {
  const next = seeded(7);
  for (let round = 0; round < 200; round++) {
    const value = next(2 ** 32) >>> (next(4) * 8);
    const { forms } = await convert({ address: String(value), numbers: 'ipv4' });
    for (const [label, form] of Object.entries(forms)) {
      if (label === '6to4 network') continue;
      const options = /** @type {const} */ ({ zeros: 'octal', numbers: 'ipv4' });
      const back = ip.parseAny(String(form), options);
      if (back.family === 4) assert.equal(back.value, value, `${label} ${form}`);
      else assert.equal(back.value & 0xffffffffn, BigInt(value), label);
    }
  }
});

test('every notation of an IPv6 address parses back, and Node accepts it', async () => {
  const next = seeded(8);
  for (let round = 0; round < 200; round++) {
    const groups = Array.from({ length: 8 }, () => (next(3) ? next(65536) >> (next(3) * 8) : 0));
    const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
    const { forms } = await convert({ address: ip.fullIpv6(value) });
    assert.ok(isIPv6(forms.Compressed), forms.Compressed);
    for (const label of [
      'Compressed',
      'Full',
      'Decimal',
      'Hexadecimal',
      'In a URL',
      'Reverse name',
    ]) {
      const back = ip.parseAny(forms[label], { zeros: 'octal', numbers: 'ipv6' });
      assert.equal(back.value, value, `${label} ${forms[label]}`);
    }
  }
});

test('scope of an address, and embedded addresses', async () => {
  const kind = async (/** @type {string} */ address) =>
    (await convert({ address })).answer.split(',')[0];
  assert.equal(await kind('10.1.2.3'), 'private use');
  assert.equal(await kind('8.8.8.8'), 'public unicast');
  assert.equal(await kind('169.254.0.1'), 'link local');
  assert.equal(await kind('172.32.0.0'), 'public unicast');
  assert.equal(await kind('172.31.255.255'), 'private use');
  assert.equal(await kind('fd00::1'), 'unique local');
  assert.equal(await kind('4000::'), 'reserved by the ietf');
  assert.equal((await convert({ address: 'ff02::1' })).scope['Multicast scope'], 'link-local');
  const teredo = await convert({ address: '2001:0:4136:e378:8000:63bf:3fff:fdd2' });
  assert.equal(teredo.inside['Teredo server'], '65.54.227.120');
  assert.equal(teredo.inside['Teredo client'], '192.0.2.45');
  assert.equal(teredo.inside['Teredo client port'], '40000');
  assert.equal(
    (await convert({ address: '2002:c000:204::1' })).inside['6to4 address'],
    '192.0.2.4',
  );
  const slaac = await convert({ address: 'fe80::0211:22ff:fe33:4455' });
  assert.equal(slaac.inside['MAC address (EUI-64)'], '00:11:22:33:44:55');
});

test('a leading zero has two readings', async () => {
  assert.equal((await convert({ address: '0177.1' })).forms['Dotted decimal'], '127.0.0.1');
  const decimal = await convert({ address: '0177.1', zeros: 'decimal' });
  assert.equal(decimal.forms['Dotted decimal'], '177.0.0.1');
  assert.match(String(decimal.warnings), /127\.0\.0\.1 where it means octal.*177\.0\.0\.1/);
  assert.match((await convert({ address: '08.1.1.1' })).refusal?.hint ?? '', /decimal/);
});

for (const [address, offence, offset] of /** @type {[string, RegExp, number?][]} */ ([
  ['192.0.2.256', /has 256, but an octet is 255/, 8],
  ['1.2.3.4.5', /has 5 parts/, 7],
  ['4294967296', /4294967295 at most/, 0],
  ['1.16777216', /16777215 at most/, 2],
  ['1..2', /empty part/, 2],
  ['1.2.3.x', /not a number/, 6],
  ['-1', /not a number/, 0],
  ['1::2::3', /more than once/, 4],
  ['1:2:3', /has 3 groups/],
  ['1:2:3:4:5:6:7:8:9', /has 9 groups/],
  ['12345::', /four hexadecimal digits/, 0],
  ['::g', /not hexadecimal/, 2],
  ['::1.2.3.256', /256/, 8],
  ['340282366920938463463374607431768211456', /over 128 bits/],
  ['2.0.192.in-addr.arpa', /network/],
  ['1.2.ip6.arpa', /32 single/],
  ['hello', /not a number/, 0],
])) {
  test(`refuses ${address}`, async () => {
    const numbers = address === '4294967296' ? 'ipv4' : 'size';
    const { refusal } = await convert({ address, numbers });
    assert.match(refusal?.sentence ?? 'accepted', offence);
    assert.equal(refusal?.field, 'address');
    if (offset !== undefined) assert.equal(refusal?.offset, offset);
  });
}

for (const prefix of ['64:ff9b::', '64:ff9b::/97', '64:ff9b::/x', '1.2.3.0/24', '', '::/129']) {
  test(`refuses the prefix "${prefix}"`, async () => {
    assert.equal((await convert({ address: '1.2.3.4', prefix })).refusal?.field, 'prefix');
  });
}

test('at the limits', async () => {
  assert.equal(
    (await convert({ address: '4294967295' })).forms['Dotted decimal'],
    '255.255.255.255',
  );
  assert.equal((await convert({ address: '4294967296' })).forms.Compressed, '::1:0:0');
  const last = '340282366920938463463374607431768211455';
  assert.equal(
    (await convert({ address: last })).forms.Compressed,
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  );
  assert.equal((await convert({ address: '0' })).forms.Compressed, undefined);
  assert.ok((await convert({ address: '1'.repeat(301) })).refusal);
});

test('an address is read out of what is around it, and that is told', async () => {
  for (const [address, wanted] of /** @type {[string, string][]} */ ([
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['192.0.2.1:8080', '192.0.2.1'],
    ['192.0.2.0/24', '192.0.2.0'],
    ['2001:db8::/32', '2001:db8::'],
    ['http://[::1]:8080/x', '::1'],
    ['https://192.0.2.1/x', '192.0.2.1'],
  ])) {
    const { outputs, warnings } = await runTool(tool, { address });
    assert.equal(outputs.forms.pairs[0][1], wanted, address);
    assert.match(warnings.join(), /was read. The rest is not part of an address/);
  }
});
