//! Outputs of examples that are longer than a few lines, by tool and title: pages show an example's title and fill in
//! its values, so only tests need them.
import { list, pairs, swatches, table, textOutput, view } from '../../kit/tool.js';

/** @type {Record<string, Record<string, Record<string, unknown>>>} */
export const OUTPUTS = {
  'bcrypt-generator': {
    'Check a password': {
      parts: pairs([
        ['Version', '2a'],
        ['Cost', '5 (2^5 = 32 rounds, about 3 ms)'],
        ['Salt', 'CCCCCCCCCCCCCCCCCCCCC.'],
        ['Checksum', 'E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'],
      ]),
    },
  },
  'certificate-decoder': {
    'A certificate': {
      details: pairs([
        ['Kind', 'Certificate'],
        ['Version', 3],
        ['Subject', 'O=Example,CN=example.com'],
        ['Issuer', 'O=Example,CN=example.com'],
        ['Serial number', '0A1B2C'],
        ['Valid from', '2023-10-01 00:00:00 UTC'],
        ['Valid until', '2024-09-30 00:00:00 UTC'],
        ['Days left', '320'],
        ['Key', 'ecPublicKey, 256 bits, P-256'],
        ['Signature', 'ecdsa-with-SHA256'],
        [
          'SHA-256 fingerprint',
          '02:5B:D1:F4:F7:59:A5:BF:87:D8:48:4F:D2:15:95:D2:F5:14:49:C6:98:11:42:E6:6B:3D:2C:A0:0B:82:AD:A5',
        ],
        ['SHA-1 fingerprint', '22:C6:C1:C9:8C:74:7B:D4:F0:F2:4D:0E:93:A5:A1:9D:8E:C4:2F:1E'],
        ['SPKI pin (SHA-256)', 'fnjwWfRPdhirsgGBPBa6wDVsgWySQZ+gvkFCt6brwrg='],
      ]),
    },
  },
  'color-converter': {
    'A hex color': {
      notations: pairs([
        ['Hex', '#663399'],
        ['RGB', 'rgb(102 51 153)'],
        ['HSL', 'hsl(270 50% 40%)'],
        ['HWB', 'hwb(270 20% 40%)'],
        ['Lab', 'lab(32.393 38.423 -47.691)'],
        ['LCH', 'lch(32.393 61.244 308.86)'],
        ['Oklab', 'oklab(0.44027 0.08818 -0.13386)'],
        ['OKLCH', 'oklch(0.44027 0.1603 303.37)'],
        ['sRGB', 'color(srgb 0.4 0.2 0.6)'],
        ['color(display-p3)', 'color(display-p3 0.37367 0.21033 0.57911)'],
        ['color(a98-rgb)', 'color(a98-rgb 0.358 0.21232 0.58434)'],
        ['color(prophoto-rgb)', 'color(prophoto-rgb 0.31642 0.19133 0.49481)'],
        ['color(rec2020)', 'color(rec2020 0.3957 0.27016 0.59736)'],
        ['color(xyz-d65)', 'color(xyz-d65 0.12412 0.07493 0.3093)'],
        ['color(xyz-d50)', 'color(xyz-d50 0.11627 0.0726 0.23254)'],
      ]),
    },
    'A color that only some screens show': {
      shades: swatches(
        [
          ['#006300', 43],
          ['#00fb29', 86],
          ['#8cff96', 91],
        ].map(([color, percent]) => ({ color: String(color), label: `lightness ${percent} %` })),
      ),
    },
  },
  'color-picker': {
    'Sky blue': {
      notations: pairs([
        ['Hex', '#87ceeb'],
        ['RGB', 'rgb(135 206 235)'],
        ['HSL', 'hsl(197.4 71.43% 72.55%)'],
        ['OKLCH', 'oklch(0.81482 0.08192 225.75)'],
        ['Name', 'skyblue'],
        ['Contrast', '1.74:1 with white, 12.05:1 with black'],
      ]),
    },
  },
  'contrast-checker': {
    'Gray on white': {
      contrast: pairs([
        ['Contrast', '4.47:1'],
        ['Normal text, AA (1.4.3)', 'fails: 4.5:1 is needed'],
        ['Normal text, AAA (1.4.6)', 'fails: 7:1 is needed'],
        ['Large text, AA (1.4.3)', 'passes'],
        ['Large text, AAA (1.4.6)', 'fails: 4.5:1 is needed'],
        ['Interface and graphics, AA (1.4.11)', 'passes'],
        ['APCA, a draft', 'Lc 71.1: enough for text that is not body text'],
      ]),
    },
    'Translucent text, and more pairs': {
      compared: pairs(
        [
          ['Text as compared', '#666666'],
          ['Background as compared', '#ffffff'],
        ],
        { colors: true },
      ),
    },
  },
  'curl-converter': {
    'A JSON request with a login': {
      code: textOutput(
        `const response = await fetch("https://api.example.com/items", {
  method: "POST",
  headers: [
    ["Authorization", "Basic YW5uYTpzM2NyZXQ="],
    ["Content-Type", "application/json"],
    ["Accept", "application/json"],
  ],
  body: "{\\"name\\": \\"Grüße\\"}",
  redirect: 'manual',
});
console.log(response.status, await response.text());
`,
        { file: 'request.mjs' },
      ),
    },
    'A form for Python': {
      code: textOutput(
        `import requests

response = requests.request(
    "POST",
    "http://example.com/upload",
    files=[
        ("name", (None, "Anna")),
        ("photo", ("me.png", open("me.png", "rb"), "image/png")),
    ],
    allow_redirects=True,
)
print(response.status_code, response.text)
`,
        { file: 'request.py' },
      ),
    },
  },
  'date-calculator': {
    'A holiday in days': {
      between: pairs([
        ['Years, months, days', '1 month, 6 days'],
        ['Months, days', '1 month, 6 days'],
        ['Weeks, days', '5 weeks'],
        ['Days', '35'],
        ['Working days', '24'],
        ['Days off', '11'],
        ['Hours', '840'],
        ['From', '2024-02-26, Monday'],
        ['To', '2024-03-31, Sunday, included'],
      ]),
    },
    'Facts about a day': {
      facts: pairs([
        ['Date', '2024-12-30'],
        ['Weekday', 'Monday'],
        ['ISO week', '2025-W01-1'],
        ['Day of the year', '365 of 366'],
        ['Quarter', 4],
        ['Days in the month', 31],
        ['Leap year', 'yes'],
        ['From today', 'in 412 days'],
        ['Days since 1970-01-01', 20087],
      ]),
    },
  },
  'duration-converter': {
    'Short units': {
      totals: table(
        ['Unit', 'Total'],
        [
          ['Weeks', '≈ 0.008928571428571'],
          ['Days', '0.0625'],
          ['Hours', '1.5'],
          ['Minutes', '90'],
          ['Seconds', '5400'],
          ['Milliseconds', '5400000'],
          ['Microseconds', '5400000000'],
          ['Nanoseconds', '5400000000000'],
        ],
      ),
    },
  },
  'hash-generator': {
    'All digests of a text': {
      result: pairs([
        ['MD5', '900150983cd24fb0d6963f7d28e17f72'],
        ['SHA-1', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
        ['SHA-256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
        [
          'SHA-384',
          'cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7',
        ],
        [
          'SHA-512',
          'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
        ],
      ]),
    },
  },
  'html-entity-encoder': {
    'ASCII only, as numbers': {
      replaced: table(
        ['Character', 'Code point', 'Written as', 'Count'],
        [
          ['ü', 'U+00FC', '&#xFC;', 1],
          ['ß', 'U+00DF', '&#xDF;', 1],
          ['€', 'U+20AC', '&#x20AC;', 1],
          ['𝄞', 'U+1D11E', '&#x1D11E;', 1],
        ],
      ),
    },
    'Decoding, with mistakes': {
      found: table(
        ['Reference', 'Characters', 'Code points', 'Offset'],
        [
          ['&euro;', '€', 'U+20AC', 0],
          ['&#8364;', '€', 'U+20AC', 7],
          ['&copy', '©', 'U+00A9', 15],
          ['&#x80;', '€', 'U+20AC', 35],
        ],
      ),
    },
  },
  'http-status-finder': {
    'A code': {
      status: pairs([
        ['Code', 404],
        ['Name', 'Not Found'],
        ['Class', 'Client error'],
        ['Registered', 'Yes, with IANA'],
        ['Meaning', 'Nothing is at this address, or the server does not want to say so.'],
        ['Common causes', 'A typing error, a removed page, a route that was not deployed.'],
        ['Body', 'Should explain the fault, and whether it lasts.'],
        ['Cacheable', 'Yes, also without explicit freshness (RFC 9110 §15.1).'],
        ['Reference', 'RFC 9110 §15.5.5'],
      ]),
    },
    Words: {
      list: table(
        ['Code', 'Name', 'Registered', 'Meaning'],
        [
          [
            413,
            'Content Too Large',
            'yes',
            'The body of the request is larger than the server takes.',
          ],
          [
            431,
            'Request Header Fields Too Large',
            'yes',
            'One header field, or all together, are larger than the server takes.',
          ],
        ],
        { file: 'http-status.csv' },
      ),
    },
  },
  'image-base64-encoder': {
    'A red dot, from its data URL': {
      facts: pairs([
        ['Type', 'GIF (image/gif)'],
        ['Dimensions', '1 × 1'],
        ['Bytes', 43],
        ['Characters as data URL', 82],
        ['Overhead', '90.7 %'],
      ]),
    },
  },
  'ip-converter': {
    'An IPv4 address': {
      forms: pairs([
        ['Dotted decimal', '192.0.2.33'],
        ['Decimal', '3221226017'],
        ['Hexadecimal', '0xc0000221'],
        ['Dotted hexadecimal', '0xc0.0x00.0x02.0x21'],
        ['Octal', '030000001041'],
        ['Dotted octal', '0300.0000.0002.0041'],
        ['Binary', '11000000.00000000.00000010.00100001'],
        ['Shortest form', '192.545'],
        ['IPv4-mapped IPv6', '::ffff:192.0.2.33'],
        ['IPv4-mapped, hexadecimal', '::ffff:c000:221'],
        ['IPv4-mapped, full', '0000:0000:0000:0000:0000:ffff:c000:0221'],
        ['6to4 network', '2002:c000:221::/48'],
        ['NAT64', '64:ff9b::c000:221'],
        ['Reverse name', '33.2.0.192.in-addr.arpa'],
      ]),
    },
  },
  'jsonpath-tester': {
    'Paths of all prices': {
      paths: list(
        [
          "$['store']['book'][0]['price']",
          "$['store']['book'][1]['price']",
          "$['store']['book'][2]['price']",
        ],
        { file: 'paths.txt' },
      ),
    },
  },
  'jwt-decoder': {
    'The token of RFC 7519 §3.1': {
      result: pairs([
        ['Signature', 'Not checked: enter a key.'],
        ['Algorithm', 'HS256'],
        ['Kind', 'Signed (JWS)'],
        ['Expires', '2011-03-22T18:43:00Z'],
      ]),
    },
  },
  'jwt-encoder': {
    'Verify the token of RFC 7515, A.1': {
      checks: table(
        ['Check', 'Result', 'Holds'],
        [
          ['Signature', 'valid', 'yes'],
          ['Expires (exp)', '2011-03-22T18:43:00Z: expired 4620 days ago', 'no'],
        ],
      ),
    },
  },
  'markdown-previewer': {
    'Headings, a table and tasks': {
      counts: pairs([
        ['Headings', 2],
        ['Hyperlinks', 0],
        ['Images', 0],
        ['Code blocks', 0],
      ]),
    },
    'A footnote': {
      counts: pairs([
        ['Headings', 0],
        ['Hyperlinks', 2],
        ['Images', 0],
        ['Code blocks', 0],
      ]),
    },
  },
  'meta-tag-generator': {
    'A page with an image': {
      html: `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Toolkit</title>
<meta name="description" content="Small developer tools.">
<link rel="canonical" href="https://www.example.org/">
<meta property="og:title" content="Toolkit">
<meta property="og:type" content="website">
<meta property="og:url" content="https://www.example.org/">
<meta property="og:image" content="https://www.example.org/card.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A list of tools">
<meta property="og:description" content="Small developer tools.">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="Toolkit">
<meta name="twitter:description" content="Small developer tools.">
<meta name="twitter:image" content="https://www.example.org/card.png">
<meta name="twitter:image:alt" content="A list of tools">
`,
    },
  },
  'punycode-encoder': {
    'A domain': {
      labels: table(
        ['Unicode', 'ASCII', 'Octets', 'Characters', 'Scripts'],
        [
          ['bücher', 'xn--bcher-kva', '13 of 63', 6, 'Latin'],
          ['example', 'example', '7 of 63', 7, 'Latin'],
        ],
      ),
    },
  },
  'qr-code-generator': {
    'A link': {
      facts: pairs([
        ['Version', '2 (25 × 25 modules)'],
        ['Mode', 'byte'],
        ['Used', '24 bytes'],
        ['Room left', '2 bytes'],
      ]),
    },
  },
  'rsa-key-generator': {
    'Convert a public key': {
      facts: pairs([
        ['Bits', 2048],
        ['Public exponent', '65537'],
        ['Fingerprint (OpenSSH)', 'SHA256:QILtvRYNpmT0mkeXbOvQS1d0gFEtAsYcmE+82YTKhn8'],
        ['Fingerprint (SPKI)', 'SHA256:wgA/DFWp0EQUPFDsTXLfM251p2/kld76SwkTY8qhUIA'],
      ]),
    },
  },
  'text-diff-checker': {
    'A changed line': {
      summary: pairs([
        ['Changed lines', 1],
        ['Added lines', 1],
        ['Removed lines', 0],
        ['Unchanged lines', 2],
        ['Similarity', '57 %'],
      ]),
      differences: view({
        layout: 'side',
        rows: [
          {
            kind: 'same',
            left: { number: 1, pieces: [['one', false]] },
            right: { number: 1, pieces: [['one', false]] },
          },
          {
            kind: 'changed',
            left: { number: 2, pieces: [['two', true]] },
            right: { number: 2, pieces: [['2', true]] },
          },
          {
            kind: 'same',
            left: { number: 3, pieces: [['three', false]] },
            right: { number: 3, pieces: [['three', false]] },
          },
          { kind: 'added', left: null, right: { number: 4, pieces: [['four', false]] } },
        ],
      }),
    },
  },
  'timestamp-converter': {
    'Seconds since 1970': {
      result: pairs([
        ['Relative to now', 'now'],
        ['ISO 8601 (UTC)', '2023-11-14T22:13:20Z'],
        ['In Europe/Berlin', '2023-11-14 23:13:20+01:00'],
        ['Unix seconds', '1700000000'],
        ['Milliseconds', '1700000000000'],
        ['Microseconds', '1700000000000000'],
        ['Nanoseconds', '1700000000000000000'],
        ['Weekday', 'Tuesday'],
        ['Day of the year', 318],
        ['ISO week', '2023-W46'],
        ['RFC 2822', 'Tue, 14 Nov 2023 22:13:20 +0000'],
        ['Excel serial date', 45244.92592593],
        ['Windows FILETIME', '133444736000000000'],
        ['Read as', 'seconds'],
      ]),
    },
  },
  'timezone-converter': {
    'A call in winter': {
      zones: table(
        ['Zone', 'Time', 'Offset', 'Day'],
        [
          ['America/Los_Angeles', 'Mon 2024-01-15 08:30', '-08:00 PST', 'same day'],
          ['Europe/London', 'Mon 2024-01-15 16:30', '+00:00 GMT', 'same day'],
          ['Asia/Tokyo', 'Tue 2024-01-16 01:30', '+09:00', '+1 day'],
          ['+05:30', 'Mon 2024-01-15 22:00', '+05:30', 'same day'],
        ],
      ),
      clocks: table(
        ['Zone', 'Summer time', 'Next change'],
        [
          ['America/Los_Angeles', 'no', '2024-03-10 03:00, to -07:00'],
          ['Europe/London', 'no', '2024-03-31 02:00, to +01:00'],
          ['Asia/Tokyo', 'no', 'none'],
          ['+05:30', 'no', 'none'],
        ],
      ),
    },
    'A time that occurs twice': {
      moment: pairs([
        ['ISO 8601', '2024-10-27T01:30:00Z'],
        ['RFC 9557', '2024-10-27T02:30:00+01:00[Europe/Berlin]'],
        ['Seconds since 1970', '1729992600'],
        ['Milliseconds since 1970', '1729992600000'],
      ]),
    },
    'Seconds since 1970': {
      moment: pairs([
        ['ISO 8601', '2023-11-14T22:13:20Z'],
        ['RFC 9557', '2023-11-14T22:13:20+00:00[UTC]'],
        ['Seconds since 1970', '1700000000'],
        ['Milliseconds since 1970', '1700000000000'],
      ]),
    },
  },
  'totp-generator': {
    'RFC 6238, appendix B': {
      codes: table(
        ['Code', 'Which', 'From', 'Until'],
        [
          ['84755224', 'previous', '1970-01-01T00:00:00Z', '1970-01-01T00:00:30Z'],
          ['94287082', 'current', '1970-01-01T00:00:30Z', '1970-01-01T00:01:00Z'],
          ['37359152', 'next', '1970-01-01T00:01:00Z', '1970-01-01T00:01:30Z'],
        ],
      ),
    },
  },
  'ulid-generator': {
    'The time in a ULID': {
      parts: pairs([
        ['Time (UTC)', '2016-07-30T23:54:10.259Z'],
        ['Milliseconds since 1970', 1469922850259],
        ['Random part', 'TSV4RRFFQ69G5FAV'],
        ['As a UUID', '01563e3a-b5d3-d676-4c61-efb99302bd5b'],
      ]),
    },
  },
  'url-parser': {
    'All parts': {
      parts: pairs([
        ['Scheme', 'https'],
        ['User', 'anna'],
        ['Password', '••••••••'],
        ['Host', 'xn--bcher-kva.example'],
        ['Host in Unicode', 'bücher.example'],
        ['Port', '443 (default)'],
        ['Origin', 'https://xn--bcher-kva.example'],
        ['Path', '/c'],
        ['Query', '?q=1&q=2'],
        ['Fragment', '#top'],
      ]),
      query: table(
        ['Number', 'Name', 'Value'],
        [
          [1, 'q', '1'],
          [2, 'q', '2'],
        ],
        { file: 'query.csv' },
      ),
      changes: list([
        'The scheme was written in small letters: https.',
        'The host was written in ASCII (Punycode): xn--bcher-kva.example.',
        'The port 443 was dropped: it is the default of https.',
        'The segments "." and ".." were resolved.',
      ]),
    },
  },
  'user-agent-parser': {
    'Firefox on Linux': {
      result: pairs([
        ['Browser', 'Firefox'],
        ['Browser version', '128.0'],
        ['Engine', 'Gecko'],
        ['Engine version', '128.0'],
        ['System', 'Ubuntu'],
        ['Device', 'Other'],
        ['Bot', 'no'],
      ]),
    },
    'Chrome on Windows, with Client Hints': {
      hints: pairs([
        ['Brands', 'Chromium 128'],
        ['Platform', 'Windows'],
        ['Platform version', '15.0.0'],
        ['System by these', 'Windows 11'],
        ['Mobile', 'no'],
      ]),
    },
    'A bot': {
      result: pairs([
        ['Browser', 'Googlebot'],
        ['Browser version', '2.1'],
        ['System', 'Other'],
        ['Device', 'Spider'],
        ['Brand', 'Spider'],
        ['Model', 'Desktop'],
        ['Bot', 'yes'],
      ]),
    },
  },
  'word-counter': {
    'A few sentences': {
      counts: pairs([
        ['Words', 13],
        ['Characters', 60],
        ['Characters without spaces', 47],
        ['Sentences', 3],
        ['Paragraphs', 2],
        ['Lines', 3],
        ['Code points', 60],
        ['UTF-16 units', 60],
        ['Bytes in UTF-8', 60],
      ]),
    },
    'Emoji, Japanese and Thai': {
      counts: pairs([
        ['Words', 5],
        ['Characters', 17],
        ['Characters without spaces', 15],
        ['Sentences', 1],
        ['Paragraphs', 1],
        ['Lines', 1],
        ['Code points', 27],
        ['UTF-16 units', 33],
        ['Bytes in UTF-8', 83],
      ]),
    },
  },
};

/** The outputs that an example states, in its tool's file or here. @param {string} slug @param {{ title: string, outputs?: Record<string, unknown> }} example */
export const stated = (slug, { title, outputs }) => ({ ...outputs, ...OUTPUTS[slug]?.[title] });
